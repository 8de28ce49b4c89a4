/** Brings over what a practice has in other programs. docs/coming-from.md. */
import { readFileSync } from "node:fs"
import { Effect, Record, Schema } from "effect"
import { addedCommand, type GivenOptions } from "../../../../declarations.ts"
import { OrganisationUid, ShopUid } from "../../../../schemas/ids.ts"
import { Provisioning } from "../provisioning/Provisioning.ts"
import { linesOf } from "../provisioning/shownDifferences.ts"
import { ImportTarget } from "./ImportTarget.ts"
import { type Goal, ImportUnreadable, type Plan, prefixOf, unreadable } from "./importPlan.ts"

/** What another program has, for the command `import`. */
export interface AddedImport {
  readonly name: string
  /** UIDs of what it brings begin with it. */
  readonly source: string
  readonly description: string
  readonly options?: GivenOptions
  // biome-ignore lint/suspicious/noExplicitAny: the options' values
  readonly planned: (bytes: Buffer, goal: Goal, given: any) => Effect.Effect<Plan, ImportUnreadable>
}

interface Given {
  readonly file: string
  readonly organisation: OrganisationUid
  readonly shop: ShopUid | undefined
  readonly apply: boolean
}

/** Says an entry as the source has it instead of its path, such as `patients[3].`. */
const said = (lists: ReadonlyMap<string, Plan["entries"]>, text: string) =>
  text.trim().replace(/^(\w+)\[(\d+)\](?:\.|: )/, (path, name: string, index: string) => {
    const entry = lists.get(name)?.[Number(index)]
    return entry === undefined ? path : `${entry.label} (${name}): `
  })

const bytesOf = (path: string) =>
  Effect.try({ try: () => readFileSync(path), catch: () => new ImportUnreadable({ why: `${path} cannot be read` }) })

const bring = Effect.fnUntraced(function* (given: Given, { source, planned }: AddedImport) {
  const { file, organisation, shop, apply } = given
  const known = yield* Effect.flatMap(ImportTarget, ({ read }) => read(organisation, prefixOf(source, organisation)))
  if (known.home === undefined) return yield* unreadable(`There is no organisation ${organisation}`)
  const shops = known.shops.filter(({ uid }) => shop === undefined || uid === shop)
  const [only, another] = shops
  if (only === undefined) return yield* unreadable("The organisation has no such shop")
  if (another !== undefined) return yield* unreadable(`Name one with --shop: ${shops.map(({ uid }) => uid).join(", ")}`)
  const goal = { organisation, shop: only.uid, timezone: known.home.timezone, known }
  const plan = yield* planned(yield* bytesOf(file), goal, given)
  const lists = Map.groupBy(plan.entries, ({ list }) => list)
  const entries = Record.map(Object.fromEntries(lists), (list) => list.map(({ entry }) => entry))
  const provisioning = yield* Provisioning
  const { comparisons, faults } = yield* provisioning.compared(entries, { lenient: true })
  if (apply) yield* provisioning.apply(entries, { lenient: true })
  const left = [...plan.left, ...faults.map((fault) => said(lists, fault))]
  const count = (outcome: string) => comparisons.filter((one) => one.outcome === outcome).length
  const changes = `${comparisons.length - count("kept")} changes (${count("created")} new)`
  const done = apply ? "Applied." : "Nothing has been changed: add --apply."
  return [
    ...comparisons.map((one) => `  ${said(lists, linesOf(one))}`),
    ...(left.length > 0 ? ["Without a counterpart, or left out:", ...left.map((one) => `  ${one}`)] : []),
    ...(plan.past > 0 ? [`${plan.past} past appointments stay where they are.`] : []),
    `${changes}, ${left.length} lines left out. ${done}`
  ].join("\n")
})

/** The command below `import` that brings it over. */
export const importOf = (one: AddedImport) =>
  addedCommand({
    group: "import",
    name: one.name,
    description: one.description,
    args: { FILE: Schema.String },
    options: {
      organisation: { description: "The organisation that it is brought to", schema: OrganisationUid },
      shop: {
        description: "The shop that patients belong to; needed where the organisation has several",
        schema: ShopUid,
        isOptional: true
      },
      apply: {
        description: "Change it; without it the differences are shown alone",
        schema: Schema.Boolean,
        isFlag: true
      },
      ...one.options
    },
    run: ({ FILE: file, ...given }) =>
      Effect.provide(bring({ ...given, file } as Given, one), [ImportTarget.Default, Provisioning.Default])
  })
