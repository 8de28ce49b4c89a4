/** The operator's report of what is deleted when. */
import { Effect } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { type ReportLine, Retention } from "./Retention.ts"

const dateOf = (seconds: number | null) =>
  seconds === null ? "-" : new Date(seconds * 1000).toISOString().slice(0, 10)

const lineOf = ({ rule, organisation, seconds, rows, due, next }: ReportLine) =>
  [
    typeof rule.after === "number" ? "(fixed)" : rule.after.name,
    rule.set === undefined ? rule.table : `${rule.table} (names and addresses)`,
    organisation ?? "*",
    `${seconds / DAY} d`,
    rows,
    due,
    dateOf(next),
    typeof rule.after === "number" ? "not needed after that" : rule.after.reason
  ].join("\t")

const HEAD = ["kind", "table", "organisation", "period", "rows", "due now", "oldest goes", "reason"].join("\t")

export const retentionCommand = commandGroup({
  name: "retention",
  description: "How long data is kept",
  below: [
    addedCommand({
      name: "report",
      description:
        "Print what would go when: kind, table, organisation (*: all without a period of their own), period, reason",
      options: {
        organisation: { description: "Only the rows of this organisation", schema: OrganisationUid, isOptional: true }
      },
      run: ({ organisation }) =>
        Effect.gen(function* () {
          const lines = yield* (yield* Retention).report(organisation)
          return [HEAD, ...lines.map(lineOf)].join("\n")
        }).pipe(Effect.provide(Retention.Default))
    })
  ]
})
