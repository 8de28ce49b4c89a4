/** `bun run bench:slots`: slot search, computation and response body, compared with the yardstick. Prints both and their ratio. */
import { bench, do_not_optimize, run, summary } from "mitata"
import { encodeSlots } from "../src/services/scheduling/slots/encode.ts"
import { findSlots } from "../tests/scheduling/slots/engine.ts"
import { doctors, RANGE, TYPE, ZONE } from "./workload.ts"
import { yardstick } from "./yardstick.ts"

const SIZES = [1, 50, 500]

for (const size of SIZES) {
  const calendars = doctors(size)
  const engine = () => encodeSlots(findSlots(calendars, TYPE, RANGE), ZONE)
  const yard = () => Buffer.from(yardstick(calendars))
  if (!yard().equals(engine())) throw new Error(`engine and yardstick differ at ${size} doctors`)
  // Both produce bytes, like a response: a concatenated string costs nothing until it is encoded.
  summary(() => {
    bench(`yardstick, ${size} doctors`, () => do_not_optimize(yard())).gc("once")
    bench(`engine, ${size} doctors`, () => do_not_optimize(engine())).gc("once")
  })
}

const { benchmarks } = await run()
const median = (alias: string) => {
  const trial = benchmarks.find((one) => one.alias === alias)
  return (trial?.runs[0]?.stats?.p50 ?? Number.NaN) / 1e6
}
console.table(
  SIZES.map((size) => {
    const [ours, yard] = [median(`engine, ${size} doctors`), median(`yardstick, ${size} doctors`)]
    return {
      doctors: size,
      "engine (ms)": +ours.toFixed(3),
      "yardstick (ms)": +yard.toFixed(3),
      ratio: +(ours / yard).toFixed(2)
    }
  })
)
