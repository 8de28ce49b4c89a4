/** Process metrics: event loop delay, memory, CPU time and build info. */
import { Effect, Layer, Metric, Schedule } from "effect"
import { Settings } from "../../config.ts"
import { buildInfo, eventLoopDelay, processCpu, processMemory, processStart } from "../../services/metrics.ts"
import { commit, version } from "../../version.ts"

const EVERY_MILLIS = 1_000
const MEMORY_EVERY = "5 seconds"

const memoryOf = (kind: string) => Metric.tagged(processMemory, "kind", kind)

const measured = (() => {
  let counted = 0
  return Effect.suspend(() => {
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const spent = (user + system) / 1e6
    const since = spent - counted
    counted = spent
    return Effect.all([
      Metric.set(memoryOf("resident"), rss),
      Metric.set(memoryOf("heap"), heapUsed),
      Metric.set(memoryOf("external"), external),
      Metric.incrementBy(processCpu, since)
    ])
  })
})()

/** A plain timer: `Effect.sleep` would also measure the scheduling of other fibers. */
const watchEventLoop = Effect.acquireRelease(
  Effect.sync(() => {
    let expected = performance.now() + EVERY_MILLIS
    const timer = setInterval(() => {
      const now = performance.now()
      eventLoopDelay.unsafeUpdate(Math.max(0, now - expected) / 1_000, [])
      expected = now + EVERY_MILLIS
    }, EVERY_MILLIS)
    timer.unref()
    return timer
  }),
  (timer) => Effect.sync(() => clearInterval(timer))
)

export const ProcessMetered = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { role } = yield* Settings
    const info = buildInfo.pipe(
      Metric.tagged("version", version),
      Metric.tagged("commit", commit),
      Metric.tagged("bun", Bun.version),
      Metric.tagged("role", role)
    )
    yield* Metric.set(info, 1)
    yield* Metric.set(processStart, Math.floor(performance.timeOrigin / 1_000))
    yield* watchEventLoop
    yield* Effect.forkScoped(Effect.repeat(measured, Schedule.spaced(MEMORY_EVERY)))
  })
)
