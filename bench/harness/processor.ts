import { readFileSync } from "node:fs"

const TICK_MILLIS = 10

/** Processor time of a process, all threads included; Linux counts in ticks of 10 ms. */
export const cpuMillisOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLIS
}
