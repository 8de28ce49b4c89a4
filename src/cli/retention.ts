import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { OrganisationUid } from "../schemas/ids.ts"
import { DAY } from "../schemas/seconds.ts"
import { type ReportLine, Retention } from "../services/operation/Retention.ts"
import { withServices } from "./services.ts"

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

const organisation = Options.text("organisation").pipe(
  Options.withSchema(OrganisationUid),
  Options.optional,
  Options.withDescription("Only the rows of this organisation")
)
const report = Command.make("report", { organisation }, ({ organisation }) =>
  withServices(
    Effect.flatMap(Retention, (retention) => retention.report(Option.getOrUndefined(organisation))).pipe(
      Effect.flatMap((lines) => Console.log([HEAD, ...lines.map(lineOf)].join("\n")))
    )
  )
).pipe(
  Command.withDescription(
    "Print what would go when: kind, table, organisation (*: all without a period of their own), period, reason"
  )
)

export const retentionCommand = Command.make("retention").pipe(
  Command.withDescription("How long data is kept"),
  Command.withSubcommands([report])
)
