/** Process metrics: event loop delay, memory, CPU time and build info. */
import { Effect, Metric } from "effect"
import { Settings } from "../../../config.ts"
import { commit, version } from "../../../version.ts"
import { buildInfo, eventLoopDelay, processCpu, processMemory, processStart } from "./metrics.ts"

/** Interval of the measurements, milliseconds. */
const BUSY_MILLIS = 1_000
/** While the process uses less than `IDLE_SHARE` of a core: a timer each second was a third of an idle process's wake-ups. */
const IDLE_MILLIS = 5_000
const IDLE_SHARE = 0.03

const memoryOf = (kind: string) => Metric.tagged(processMemory, "kind", kind)
const [resident, heap, external] = [memoryOf("resident"), memoryOf("heap"), memoryOf("external")]

/** Measures in a plain timer: `Effect.sleep` would also measure the scheduling of other fibers. */
const measuring = () => {
  let counted = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = (millis: number) => {
    const expected = performance.now() + millis
    timer = setTimeout(() => {
      eventLoopDelay.unsafeUpdate(Math.max(0, performance.now() - expected) / 1_000, [])
      next(measure(millis) < IDLE_SHARE ? IDLE_MILLIS : BUSY_MILLIS)
    }, millis).unref()
  }
  /** The share of a core that the process used in the last `millis`. */
  const measure = (millis: number) => {
    const memory = process.memoryUsage()
    resident.unsafeUpdate(memory.rss, [])
    heap.unsafeUpdate(memory.heapUsed, [])
    external.unsafeUpdate(memory.external, [])
    const { user, system } = process.cpuUsage()
    const since = (user + system) / 1e6 - counted
    counted += since
    processCpu.unsafeUpdate(since, [])
    return (since * 1_000) / millis
  }
  measure(BUSY_MILLIS)
  next(BUSY_MILLIS)
  return () => clearTimeout(timer)
}

export const processMeters = Effect.map(Settings, ({ role }) =>
  Effect.gen(function* () {
    const info = buildInfo.pipe(
      Metric.tagged("version", version),
      Metric.tagged("commit", commit),
      Metric.tagged("bun", Bun.version),
      Metric.tagged("role", role)
    )
    yield* Metric.set(info, 1)
    yield* Metric.set(processStart, Math.floor(performance.timeOrigin / 1_000))
    yield* Effect.acquireRelease(Effect.sync(measuring), (stop) => Effect.sync(stop))
  })
)
