/**
 * Examines PDFs from outside (Rule 9.5): rejects dangerous ones, and reads their signatures. Runs in a separate worker with a time limit,
 * since a file can be crafted to take long.
 */
import { Data, type Duration, Effect, FiberRef, Layer } from "effect"
import { workerFile } from "../../paths.ts"
import { makeFairBulkhead } from "../bulkhead.ts"
import { currentTenancy } from "../tenancy/Tenancy.ts"
import { newAllowance } from "./pdf/allowance.ts"
import type { Danger } from "./pdf/dangers.ts"
import type { ExaminationRequest, ExaminationResult } from "./pdf/examination.worker.ts"
import type { Examination } from "./pdf/examine.ts"

export const NOT_EXAMINABLE = "cannot be examined"

const refusals: Readonly<Record<Danger, string>> = {
  encrypted: "must not be encrypted",
  javascript: "must not contain JavaScript",
  launch: "must not contain launch actions",
  too_large_unpacked: "unpacks to more than can be examined",
  not_examinable: NOT_EXAMINABLE
}

/** The file is rejected. The message is the reason, phrased to follow a field's name. */
export class PdfRefused extends Data.TaggedError("PdfRefused")<{ readonly danger: Danger }> {
  override get message() {
    return refusals[this.danger]
  }
}

export interface ExaminerLimits {
  /** Time limit for one file, milliseconds. Default 5,000: twenty times what a file of 10 MiB takes. */
  readonly milliseconds?: number
  /** Maximum growth of the process's memory during one examination, bytes. Default 512 MiB. */
  readonly growth?: number
}

/** Maximum queued files of one organisation. */
const WAITING_MAX = 100
const WATCH_MILLIS = 25
const WORKER = "services/prescriptions/pdf/examination.worker"

interface Running {
  readonly worker: Worker
  /** Resolves once its modules are loaded. */
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
const within = ({ worker }: Running, request: ExaminationRequest, milliseconds: number, growth: number) => {
  const { promise, resolve } = Promise.withResolvers<ExaminationResult | undefined>()
  const before = process.memoryUsage.rss()
  const deadline = setTimeout(() => resolve(undefined), milliseconds)
  const watch = setInterval(() => process.memoryUsage.rss() - before > growth && resolve(undefined), WATCH_MILLIS)
  worker.onmessage = ({ data }: MessageEvent<ExaminationResult>) => resolve(data)
  worker.onerror = (event) => {
    event.preventDefault()
    resolve(undefined)
  }
  worker.postMessage(request)
  return promise.finally(() => {
    clearTimeout(deadline)
    clearInterval(watch)
  })
}

/** One worker for all examinations. If a limit is exceeded it is terminated, and the next examination starts a new one. */
const workerOf = ({ milliseconds = 5_000, growth = 512 * 1024 * 1024 }: ExaminerLimits) => {
  let running: Running | undefined
  const stop = () => {
    running?.worker.terminate()
    running = undefined
  }
  const run = async (request: ExaminationRequest): Promise<Examination> => {
    running ??= start()
    try {
      await running.ready
    } catch (cause) {
      stop()
      throw cause
    }
    const result = await within(running, request, milliseconds, growth)
    if (result === undefined) stop()
    Object.assign(request.left, result?.left)
    return result?.examination ?? { danger: "not_examinable" }
  }
  return { run, stop }
}

const make = (limits: ExaminerLimits) =>
  Effect.gen(function* () {
    const { run, stop } = workerOf(limits)
    yield* Effect.addFinalizer(() => Effect.sync(stop))
    const bulkhead = makeFairBulkhead(1, WAITING_MAX)

    /**
     * The file's signatures. Fails with `PdfRefused` for a file that is encrypted, has active content or exceeds `left`, the remaining
     * allowance of the request's files. One examination runs at a time, and one per organisation is queued for it; the organisation's
     * other files wait behind that. A file that is queued for over 20 seconds, or behind 100 of its organisation, is rejected with the
     * defect `Overloaded`. `took` receives the time of the examination without queueing.
     */
    const examine = Effect.fn("SignatureExaminer.examine")(function* (
      pdf: Uint8Array,
      left = newAllowance(),
      took: (time: Duration.Duration) => void = () => undefined
    ) {
      const { organisation } = yield* FiberRef.get(currentTenancy)
      const [time, { danger, signature }] = yield* bulkhead(organisation)(
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

/** An examiner with other limits, for tests. */
export const signatureExaminer = (limits: ExaminerLimits) =>
  Layer.scoped(
    SignatureExaminer,
    Effect.map(make(limits), (methods) => new SignatureExaminer(methods))
  )
