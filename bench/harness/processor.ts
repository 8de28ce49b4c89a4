import { readFileSync } from "node:fs"

const TICK_MILLIS = 10

/** Empty if the process has ended meanwhile. */
const read = (path: string) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The process and those that it started: PDFs are examined in one of their own. */
export const treeOf = (pid: number): ReadonlyArray<number> => [
  pid,
  ...read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(treeOf)
]

const ticksOf = (pid: number, from: number, to: number) => {
  const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? []
  return fields.slice(from, to).reduce((all, field) => all + Number(field), 0)
}

/** Processor time of a process, all threads included; Linux counts in ticks of 10 ms. */
export const cpuMillisOf = (pid: number) => ticksOf(pid, 11, 13) * TICK_MILLIS

/** The same with the processes that it has started, those that have ended included. */
export const cpuMillisOfTree = (pid: number) =>
  treeOf(pid).reduce((sum, one) => sum + ticksOf(one, 11, 15), 0) * TICK_MILLIS
