/** Brings over what a practice has in other programs. docs/coming-from.md. */
import { readFileSync } from "node:fs"
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { DoctorUid, OrganisationUid, ShopUid } from "../../schemas/ids.ts"
import { ImportTarget } from "../../services/provisioning/ImportTarget.ts"
import { Provisioning } from "../../services/provisioning/Provisioning.ts"
import { linesOf } from "../provision.ts"
import { withServices } from "../services.ts"
import { planOfCalCom } from "./calcom/calCom.ts"
import { planOfCsv } from "./csv/csv.ts"
import { planOfEasyAppointments } from "./easyappointments/easyAppointments.ts"
import { planOfIcs } from "./ics/ics.ts"
import { type Goal, ImportUnreadable, listNames, type Plan, prefixOf } from "./plan.ts"

interface Given {
  readonly file: string
  readonly organisation: OrganisationUid
  readonly shop: Option.Option<ShopUid>
  readonly apply: boolean
}

const flags = {
  file: Args.file({ name: "FILE", exists: "yes" }),
  organisation: Options.text("organisation").pipe(
    Options.withSchema(OrganisationUid),
    Options.withDescription("The organisation that it is brought to")
  ),
  shop: Options.text("shop").pipe(
    Options.withSchema(ShopUid),
    Options.withDescription("The shop that patients belong to; needed where the organisation has several"),
    Options.optional
  ),
  apply: Options.boolean("apply").pipe(Options.withDescription("Change it; without it the differences are shown alone"))
}

/** Says an entry as the source has it instead of its path, such as `patients[3].`. */
const said = ({ entries }: Plan, text: string) =>
  text.trim().replace(/^(\w+)\[(\d+)\](?:\.|: )/, (path, name: string, index: string) => {
    const list = listNames.find((one) => one === name)
    return list === undefined ? path : `${entries[list][Number(index)]?.label} (${name}): `
  })

const bring = Effect.fnUntraced(function* (
  { file, organisation, shop, apply }: Given,
  source: string,
  planned: (bytes: Buffer, goal: Goal) => Effect.Effect<Plan, ImportUnreadable>
) {
  const known = yield* Effect.flatMap(ImportTarget, ({ read }) => read(organisation, prefixOf(source, organisation)))
  if (known.home === undefined) return yield* new ImportUnreadable({ why: `There is no organisation ${organisation}` })
  const named = Option.getOrUndefined(shop)
  const shops = known.shops.filter(({ uid }) => named === undefined || uid === named)
  const [only, another] = shops
  if (only === undefined) return yield* new ImportUnreadable({ why: "The organisation has no such shop" })
  if (another !== undefined)
    return yield* new ImportUnreadable({ why: `Name one with --shop: ${shops.map(({ uid }) => uid).join(", ")}` })
  const plan = yield* planned(readFileSync(file), {
    ...{ organisation, shop: only.uid, timezone: known.home.timezone, known }
  })
  const entries = Object.fromEntries(listNames.map((name) => [name, plan.entries[name].map(({ entry }) => entry)]))
  const provisioning = yield* Provisioning
  const { comparisons, faults } = yield* provisioning.compared(entries, { lenient: true })
  if (apply) yield* provisioning.apply(entries, { lenient: true })
  const left = [...plan.left, ...faults.map((fault) => said(plan, fault))]
  const [created, kept] = [
    comparisons.filter((one) => one.outcome === "created"),
    comparisons.filter((one) => one.outcome === "kept")
  ]
  for (const one of comparisons) yield* Console.log(`  ${said(plan, linesOf(one))}`)
  if (left.length > 0)
    yield* Console.log(`Without a counterpart, or left out:\n${left.map((one) => `  ${one}`).join("\n")}`)
  if (plan.pastCount() > 0) yield* Console.log(`${plan.pastCount()} past appointments stay where they are.`)
  const changes = comparisons.length - kept.length
  yield* Console.log(
    `${changes} changes (${created.length} new), ${left.length} lines left out. ${apply ? "Applied." : "Nothing has been changed: add --apply."}`
  )
})

const easyappointments = Command.make("easyappointments", flags, (given) =>
  withServices(bring(given, "ea", (bytes, goal) => planOfEasyAppointments(bytes.toString("utf8"), goal)))
).pipe(Command.withDescription("From an SQL dump of Easy!Appointments 1.4 or 1.5"))

const calcom = Command.make("calcom", flags, (given) =>
  withServices(bring(given, "calcom", (bytes, goal) => planOfCalCom(bytes.toString("utf8"), goal)))
).pipe(
  Command.withDescription(
    "From a JSON object with the bodies me, event-types, schedules and bookings of Cal.com's API v2"
  )
)

const csv = Command.make("csv", flags, (given) => withServices(bring(given, "csv", planOfCsv))).pipe(
  Command.withDescription("Patients or appointments from a table with named columns")
)

const doctor = Options.text("doctor").pipe(
  Options.withSchema(DoctorUid),
  Options.withDescription("The doctor whose calendar it is")
)
const ics = Command.make("ics", { ...flags, doctor }, (given) =>
  withServices(
    bring(given, "ics", (bytes, goal) => {
      const found = goal.known.doctors.find(({ uid }) => uid === given.doctor)
      return found === undefined
        ? new ImportUnreadable({ why: `The organisation has no doctor ${given.doctor}` })
        : planOfIcs(bytes.toString("utf8"), goal, found)
    })
  )
).pipe(Command.withDescription("Appointments from a doctor's calendar file"))

export const importCommand = Command.make("import").pipe(
  Command.withDescription(
    "Bring over types, doctors, hours, days off, patients and future appointments from other programs"
  ),
  Command.withSubcommands([easyappointments, calcom, csv, ics])
)
