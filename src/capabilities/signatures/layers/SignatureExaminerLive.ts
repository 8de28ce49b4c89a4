/**
 * Examines PDFs in a process of their own, which is ended when it exceeds its time: a thread that runs WebAssembly cannot be ended.
 * Its memory is limited by `mupdf.ts`.
 */
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { workerFile } from "../../../paths.ts"
import { makeFairQueue } from "../../../services/fairQueue.ts"
import { currentTenancy } from "../../../services/tenancy/Tenancy.ts"
import { PdfNotExaminable, PdfRefused, SignatureExaminer } from "../services/SignatureExaminer.ts"
import type { WorkerAnswer } from "./examination.worker.ts"
import type { Examination } from "./examinePdf.ts"

/** Milliseconds of processor time for one file, so that a busy machine refuses no file. A signed prescription takes 15 to 70, 100,000 objects 850. */
export const TIME = 1_500
/** Milliseconds that may pass meanwhile. */
const WALL = 60_000
/** Milliseconds between two looks at the processor time, which Linux counts in ticks of 10 ms. */
const LOOK = 25
const TICK = 10
/** Milliseconds without a file after which the process ends, and frees its memory. */
const IDLE = 300_000
/** Maximum queued files of one organisation. */
const WAITING_MAX = 100
const WORKER = "capabilities/signatures/layers/examination.worker"

/** Processor time of a process in milliseconds; without Linux the time that has passed. */
const processorTime = (pid: number): number => {
  if (process.platform !== "linux") return performance.now()
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

interface Running {
  readonly pid: number
  readonly stop: () => void
  /** The next answer. Rejects when the process ends before it. */
  readonly next: () => Promise<WorkerAnswer>
  readonly send: (pdf: Uint8Array) => void
}

const start = (): Running => {
  let waiting = Promise.withResolvers<WorkerAnswer>()
  const child = Bun.spawn([process.execPath, "--no-install", workerFile(WORKER)], {
    ipc: (answer: WorkerAnswer) => waiting.resolve(answer),
    serialization: "advanced",
    // It needs no secrets
    env: {},
    stdio: ["ignore", "ignore", "inherit"],
    onExit: (_, code, signal) =>
      waiting.reject(new Error(`The process that examines PDFs has ended (${signal ?? code})`))
  })
  child.unref()
  return {
    pid: child.pid,
    stop: () => child.kill("SIGKILL"),
    next: () => {
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    send: (pdf) => child.send(pdf)
  }
}

/** Undefined as soon as the process has used up its time. */
const within = <A>({ pid }: Running, work: Promise<A>): Promise<A | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const [begun, before] = [performance.now(), processorTime(pid)]
  const look = () => {
    if (processorTime(pid) - before > TIME || performance.now() - begun > WALL) resolve(undefined)
  }
  const looks = setInterval(() => Promise.try(look).catch(reject), LOOK)
  return Promise.race([work, promise]).finally(() => clearInterval(looks))
}

const makeExaminations = () => {
  let running: Running | undefined
  let idle: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    clearTimeout(idle)
    running?.stop()
    running = undefined
  }

  const started = async () => {
    if (running !== undefined) return running
    running = start()
    await running.next()
    return running
  }

  const answered = async (pdf: Uint8Array): Promise<Examination> => {
    const process = await started()
    const answer = process.next()
    process.send(pdf)
    const given = await within(process, answer)
    if (given === undefined) return { limit: "time" }
    if (given === "ready") throw new Error("The process that examines PDFs is ready twice")
    if ("fault" in given) throw new Error(given.fault)
    return given.examination
  }

  /** Rejects for a fault of the program alone. */
  const run = async (pdf: Uint8Array): Promise<Examination> => {
    clearTimeout(idle)
    try {
      const isFresh = running === undefined
      let examination = await answered(pdf)
      // A process loses a little memory with each file: what earlier ones took is not held against this one
      if (!isFresh && "limit" in examination && examination.limit === "memory") {
        stop()
        examination = await answered(pdf)
      }
      // It keeps the memory that it took
      if ("limit" in examination && ["time", "memory"].includes(examination.limit)) stop()
      else idle = setTimeout(stop, IDLE).unref()
      return examination
    } catch (error) {
      stop()
      throw error
    }
  }
  return { run, stop }
}

const make = Effect.gen(function* () {
  const { run, stop } = makeExaminations()
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  const queue = makeFairQueue({ atOnce: 1, ofOwner: 1, ofCaller: 1, waiting: WAITING_MAX, seconds: 20 })

  const examine = Effect.fn("SignatureExaminer.examine")(function* (pdf: Uint8Array) {
    const { organisation } = yield* currentTenancy
    const examination = yield* queue({ owner: organisation, caller: "" })(
      Effect.uninterruptible(Effect.promise(() => run(pdf)))
    )
    if ("limit" in examination) return yield* new PdfNotExaminable({ limit: examination.limit })
    if ("danger" in examination) return yield* new PdfRefused({ danger: examination.danger })
    return examination.signature
  })
  return { examine }
})

export const SignatureExaminerLive = Layer.scoped(SignatureExaminer, make)
