/** Brings over what a practice has in other programs. docs/coming-from.md. */
import { readFileSync } from "node:fs"
import { Args, Command, Options } from "@effect/cli"
import { Array, Console, Effect, Option, Record, type Schema } from "effect"
import type { AddedImport } from "../../declarations.ts"
import { OrganisationUid, ShopUid } from "../../schemas/ids.ts"
import { ImportTarget } from "../../services/provisioning/ImportTarget.ts"
import { type Plan, prefixOf, unreadable } from "../../services/provisioning/importPlan.ts"
import { Provisioning } from "../../services/provisioning/Provisioning.ts"
import { optionsOf } from "../added.ts"
import { linesOf } from "../provision.ts"
import { withServices } from "../services.ts"
import { planOfCalCom } from "./calcom/calCom.ts"
import { planOfCsv } from "./csv/csv.ts"
import { planOfEasyAppointments } from "./easyappointments/easyAppointments.ts"

const uidOption = <A>(name: string, uid: Schema.Schema<A, string>, description: string) =>
  Options.text(name).pipe(Options.withSchema(uid), Options.withDescription(description))

const flags = {
  file: Args.file({ name: "FILE", exists: "yes" }),
  organisation: uidOption("organisation", OrganisationUid, "The organisation that it is brought to"),
  shop: Options.optional(
    uidOption("shop", ShopUid, "The shop that patients belong to; needed where the organisation has several")
  ),
  apply: Options.boolean("apply").pipe(Options.withDescription("Change it; without it the differences are shown alone"))
}
type Given = Command.Command.ParseConfig<typeof flags>

/** Says an entry as the source has it instead of its path, such as `patients[3].`. */
const said = (lists: ReadonlyMap<string, Plan["entries"]>, text: string) =>
  text.trim().replace(/^(\w+)\[(\d+)\](?:\.|: )/, (path, name: string, index: string) => {
    const entry = lists.get(name)?.[Number(index)]
    return entry === undefined ? path : `${entry.label} (${name}): `
  })

const bring = Effect.fnUntraced(function* (given: Given, { source, planned }: AddedImport) {
  const { file, organisation, shop, apply } = given
  const known = yield* Effect.flatMap(ImportTarget, ({ read }) => read(organisation, prefixOf(source, organisation)))
  if (known.home === undefined) return yield* unreadable(`There is no organisation ${organisation}`)
  const shops = known.shops.filter(({ uid }) => Option.isNone(shop) || uid === shop.value)
  const [only, another] = shops
  if (only === undefined) return yield* unreadable("The organisation has no such shop")
  if (another !== undefined) return yield* unreadable(`Name one with --shop: ${shops.map(({ uid }) => uid).join(", ")}`)
  const goal = { organisation, shop: only.uid, timezone: known.home.timezone, known }
  const plan = yield* planned(readFileSync(file), goal, given)
  const lists = Map.groupBy(plan.entries, ({ list }) => list)
  const entries = Record.map(Object.fromEntries(lists), (list) => list.map(({ entry }) => entry))
  const provisioning = yield* Provisioning
  const { comparisons, faults } = yield* provisioning.compared(entries, { lenient: true })
  if (apply) yield* provisioning.apply(entries, { lenient: true })
  const left = [...plan.left, ...faults.map((fault) => said(lists, fault))]
  for (const one of comparisons) yield* Console.log(`  ${said(lists, linesOf(one))}`)
  if (left.length > 0)
    yield* Console.log(`Without a counterpart, or left out:\n${left.map((one) => `  ${one}`).join("\n")}`)
  if (plan.past > 0) yield* Console.log(`${plan.past} past appointments stay where they are.`)
  const count = (outcome: string) => comparisons.filter((one) => one.outcome === outcome).length
  const changes = `${comparisons.length - count("kept")} changes (${count("created")} new)`
  const done = apply ? "Applied." : "Nothing has been changed: add --apply."
  yield* Console.log(`${changes}, ${left.length} lines left out. ${done}`)
}, withServices)

const command = (one: AddedImport) =>
  Command.make(one.name, { ...flags, ...optionsOf(one.options ?? {}) }, (given) => bring(given, one)).pipe(
    Command.withDescription(one.description)
  )

const sources: Array.NonEmptyReadonlyArray<AddedImport> = [
  {
    name: "easyappointments",
    source: "ea",
    description: "From an SQL dump of Easy!Appointments 1.4 or 1.5",
    planned: planOfEasyAppointments
  },
  {
    name: "calcom",
    source: "calcom",
    description: "From a JSON object with the bodies me, event-types, schedules and bookings of Cal.com's API v2",
    planned: planOfCalCom
  },
  {
    name: "csv",
    source: "csv",
    description: "Patients or appointments from a table with named columns",
    planned: planOfCsv
  }
]

export const importCommand = (added: ReadonlyArray<AddedImport>) =>
  Command.make("import").pipe(
    Command.withDescription(
      "Bring over types, doctors, hours, days off, patients and future appointments from other programs"
    ),
    Command.withSubcommands(Array.map(Array.appendAll(sources, added), command))
  )
