/**
 * Examines PDFs that come from outside (Rule 9.5): refuses dangerous ones, and reads their signatures. The work is done in a
 * worker of its own with a time limit, since a file can be made to take long.
 */
import { Data, type Duration, Effect, FiberRef, Layer } from "effect"
import { workerFile } from "../../paths.ts"
import { makeFairBulkhead } from "../bulkhead.ts"
import { currentTenancy } from "../tenancy/Tenancy.ts"
import { wholeAllowance } from "./pdf/allowance.ts"
import type { Danger } from "./pdf/dangers.ts"
import type { Answered, Asked } from "./pdf/examination.worker.ts"
import type { Examination } from "./pdf/examine.ts"

export const NOT_EXAMINABLE = "cannot be examined"

const refusals: Readonly<Record<Danger, string>> = {
  encrypted: "must not be encrypted",
  javascript: "must not contain JavaScript",
  launch: "must not contain launch actions",
  too_large_unpacked: "unpacks to more than can be examined",
  not_examinable: NOT_EXAMINABLE
}

/** The file is refused. The message says why, as a text that follows a field's name. */
export class PdfRefused extends Data.TaggedError("PdfRefused")<{ readonly danger: Danger }> {
  override get message() {
    return refusals[this.danger]
  }
}

export interface ExaminerLimits {
  /** Milliseconds for one file. Default 5,000: twenty times what a file of 10 MiB takes. */
  readonly milliseconds?: number
  /** Bytes by which the process may grow during one examination. Default 512 MiB. */
  readonly growth?: number
}

/** Files of one organisation that wait. */
const WAITING_MAX = 100
const WATCH_MILLIS = 25
const WORKER = "services/prescriptions/pdf/examination.worker"

interface Running {
  readonly worker: Worker
  /** Its modules are loaded. */
  readonly ready: Promise<void>
}

const start = (): Running => {
  const worker = new Worker(workerFile(WORKER), { smol: true, ref: false })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.onmessage = () => resolve()
  worker.onerror = (event) => reject(new Error(event.message))
  return { worker, ready: promise }
}

/** Resolves with the worker's answer, or with undefined as soon as a limit is exceeded or the worker fails. */
const within = ({ worker }: Running, asked: Asked, milliseconds: number, growth: number) => {
  const { promise, resolve } = Promise.withResolvers<Answered | undefined>()
  const before = process.memoryUsage.rss()
  const deadline = setTimeout(() => resolve(undefined), milliseconds)
  const watch = setInterval(() => process.memoryUsage.rss() - before > growth && resolve(undefined), WATCH_MILLIS)
  worker.onmessage = ({ data }: MessageEvent<Answered>) => resolve(data)
  worker.onerror = (event) => {
    event.preventDefault()
    resolve(undefined)
  }
  worker.postMessage(asked)
  return promise.finally(() => {
    clearTimeout(deadline)
    clearInterval(watch)
  })
}

/** One worker for all examinations. When one exceeds a limit the worker is ended, and the next one starts another. */
const workerOf = ({ milliseconds = 5_000, growth = 512 * 1024 * 1024 }: ExaminerLimits) => {
  let running: Running | undefined
  const stop = () => {
    running?.worker.terminate()
    running = undefined
  }
  const run = async (asked: Asked): Promise<Examination> => {
    running ??= start()
    try {
      await running.ready
    } catch (cause) {
      stop()
      throw cause
    }
    const result = await within(running, asked, milliseconds, growth)
    if (result === undefined) stop()
    Object.assign(asked.left, result?.left)
    return result?.examination ?? { danger: "not_examinable" }
  }
  return { run, stop }
}

const make = (limits: ExaminerLimits) =>
  Effect.gen(function* () {
    const { run, stop } = workerOf(limits)
    yield* Effect.addFinalizer(() => Effect.sync(stop))
    const inTurnOf = makeFairBulkhead(1, WAITING_MAX)

    /**
     * The file's signatures. Fails with `PdfRefused` for a file that is encrypted, acts when opened or takes too much. `left` is
     * what it may take, less what others of the same request have taken. One at a time, and each organisation has one in that line: the
     * others of its files wait behind it. A file whose turn comes after 20 seconds, or that 100 of its organisation wait before, is not
     * examined: a defect, `Overloaded`. `took` is told how long it was examined, without its waiting.
     */
    const examine = Effect.fn("SignatureExaminer.examine")(function* (
      pdf: Uint8Array,
      left = wholeAllowance(),
      took: (time: Duration.Duration) => void = () => undefined
    ) {
      const { organisation } = yield* FiberRef.get(currentTenancy)
      const [time, { danger, signature }] = yield* inTurnOf(organisation)(
        Effect.timed(Effect.promise(() => run({ pdf, left })))
      )
      took(time)
      if (danger !== undefined) return yield* new PdfRefused({ danger })
      return signature
    })
    return { examine } as const
  })

export class SignatureExaminer extends Effect.Service<SignatureExaminer>()("prescriptions/SignatureExaminer", {
  scoped: make({})
}) {}

/** An examiner with other limits. */
export const signatureExaminer = (limits: ExaminerLimits) =>
  Layer.scoped(
    SignatureExaminer,
    Effect.map(make(limits), (methods) => new SignatureExaminer(methods))
  )
