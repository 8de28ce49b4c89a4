/** Differences between a provisioning file and what is stored, in words for the command line. */
import type { Difference } from "./differences.ts"
import type { Comparison } from "./Provisioning.ts"

const outcomes = {
  created: "new",
  changed: "changes",
  kept: "stays as it was changed since (--reset would write the file's entry)"
}

const lineOf = ({ field, before, after }: Difference) =>
  before === undefined && after === undefined
    ? `    ${field}: (not shown)`
    : `    ${field}: ${before ?? "none"} → ${after ?? "none"}`

export const linesOf = ({ list, index, outcome, differences }: Comparison) =>
  [`  ${list}[${index}]: ${outcomes[outcome]}`, ...differences.map(lineOf)].join("\n")
