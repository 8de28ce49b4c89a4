/** Measures a cost as processor time from /proc, which does not depend on the machine's load. */
import { readdirSync, readFileSync } from "node:fs"

const TICKS_PER_SECOND = 100

const statOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").map(Number) ?? []
  const [parent = 0, user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at]
  )
  return { parent, own: user + system, reaped: reapedUser + reapedSystem }
}

/** Milliseconds of processor time of a process so far. */
export const processorOf = (pid: number) => (statOf(pid).own * 1000) / TICKS_PER_SECOND

/** The same for a process and its children, including those that have ended; for PostgreSQL, given its postmaster. */
export const familyProcessorOf = (postmaster: number) => {
  const { own, reaped } = statOf(postmaster)
  let ticks = own + reaped
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const child = statOf(Number(name))
      if (child.parent === postmaster) ticks += child.own
    } catch {
      // ended since the folder was read: counted as reaped the next time
    }
  }
  return (ticks * 1000) / TICKS_PER_SECOND
}

/** Runs `work` for 0, 1, … count-1 with this concurrency; returns the results in order. */
export const inLanes = async <A>(count: number, lanes: number, work: (index: number) => Promise<A>) => {
  const results: Array<A> = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next++
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

export const quantile = (values: ReadonlyArray<number>, share: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
export const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)

/** Half of the interquartile range, in percent of the median. */
export const spread = (values: ReadonlyArray<number>) =>
  ((quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)) * 100
