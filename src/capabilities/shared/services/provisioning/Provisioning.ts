/** Applies provisioning files: the entries that have changed since they were last applied. docs/provisioning.md. */
import { createHmac } from "node:crypto"
import { Data, Effect, Option, Predicate, Schema } from "effect"
import { Capabilities } from "../../../../declarations.ts"
import { faultsOfError } from "../../../../schemas/faults.ts"
import { OrganisationUid } from "../../../../schemas/ids.ts"
import { Database } from "../../../../services/database/Database.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Extensions } from "../../../../services/Extensions.ts"
import { memoised } from "../../../../services/memoised.ts"
import { Service } from "../../../../services/Service.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { MasterKeyCanary } from "../../../../services/sealing/MasterKeyCanary.ts"
import { type CurrentTenant, withoutOwner } from "../../../../services/tenancy/Tenancy.ts"
import { provisioningFile } from "../../schemas/ProvisioningFile.ts"
import { Organisations } from "../Organisations.ts"
import { type Difference, differencesOf, ownerOfRow, type RowOwner, rowsReader } from "./differences.ts"
import {
  duplicates,
  type Entry,
  type FoundOwners,
  fieldsOfConstraints,
  listsOf,
  ProvisioningRejected
} from "./entry.ts"
import { orderLists, payoutRefresh, pharmacyLists, pharmacyServices } from "./pharmacy.ts"
import { schedulingLists, schedulingServices } from "./scheduling.ts"
import { keyLists, tenancyLists, tenancyServices } from "./tenancy.ts"

export interface ApplyOptions {
  /** Writes every entry of the file, including unchanged ones. Default false. */
  readonly reset?: boolean
  /** Leaves out entries that cannot be written and names their faults, instead of rejecting the file. Default false. */
  readonly lenient?: boolean
}

export interface Applied {
  readonly written: number
  /** Entries unchanged since they were last applied. */
  readonly unchanged: number
}

/** The effect of applying one entry of a file. */
export interface Comparison {
  readonly list: string
  readonly index: number
  /** `kept`: the record has been changed since, and the entry has not. */
  readonly outcome: "created" | "changed" | "kept"
  readonly differences: ReadonlyArray<Difference>
  /** Whose stored records the differences show. */
  readonly owners: ReadonlyArray<RowOwner>
}

/** Rolls back the transaction of a comparison. */
class Compared extends Data.TaggedError("Compared")<{
  readonly comparisons: ReadonlyArray<Comparison>
  readonly faults: ReadonlyArray<string>
}> {}

/** The same text for the same JSON, whatever the order of its keys. */
const canonical = (json: unknown): string =>
  JSON.stringify(json, (_, value: unknown) =>
    Predicate.isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
  )

const rawEntries = Schema.decodeUnknownSync(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const nameOf = ({ list, key }: Pick<Entry, "list" | "key">) => JSON.stringify([list, key])

/** Lists whose entries decide which times are free. */
const calendarLists: ReadonlySet<string> = new Set([
  "organisations",
  "doctors",
  "resources",
  "appointment_types",
  "availability_rules",
  "availability_date_overrides",
  "doctor_appointment_type_settings"
])

const Applied = Schema.Struct({ list: Schema.String, key: Schema.String, fingerprint: Schema.String })

export class Provisioning extends Service<Provisioning>()("provisioning/Provisioning", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction, savepoint } = yield* Database
    const canary = yield* MasterKeyCanary
    const organisations = yield* Organisations
    const freed = yield* FreedTime
    const organisationUids = rowsOf(Schema.Struct({ organisation_uid: OrganisationUid }))
    const refreshPayouts = yield* payoutRefresh
    const read = yield* rowsReader
    const owners = (yield* Effect.all([pharmacyLists, tenancyLists])).flat()
    const others = (yield* Effect.all([schedulingLists, orderLists, keyLists])).flat()
    const extensions = yield* Extensions
    const applied = rowsOf(Applied)
    const { on } = yield* Capabilities
    const decoder = memoised(() => Schema.decodeUnknown(provisioningFile(listsOf(on))))
    const decode = (json: unknown) =>
      Effect.mapError(decoder()(json), (error) => new ProvisioningRejected({ faults: faultsOfError(error, "file") }))

    /** The entries of a file in write order, each with its fingerprint. */
    const entriesOf = Effect.fnUntraced(function* (json: unknown) {
      const file = yield* decode(json)
      const ofTypes = (yield* extensions.having("provisioningOfTypes")).flatMap((one) => one.provisioningOfTypes ?? [])
      const added = (yield* extensions.having("provisioning")).flatMap(({ provisioning }) => provisioning ?? [])
      const lists = [...owners, ...ofTypes, ...others, ...added]
      const entries = lists.flatMap((entriesOf) => entriesOf(file))
      const faults = duplicates(entries)
      if (faults.length > 0) return yield* new ProvisioningRejected({ faults })
      yield* Effect.forEach(entries, ({ examine }) => examine, { discard: true, concurrency: 10 })
      const secret = yield* canary.open
      const raw = rawEntries(json)
      const fingerprint = ({ list, index }: Entry) => {
        const entries = raw[list]
        const entry: unknown = Array.isArray(entries) ? entries[index] : undefined
        return createHmac("sha256", secret).update(canonical(entry)).digest("base64url")
      }
      return { file, entries: entries.map((entry) => ({ ...entry, fingerprint: fingerprint(entry) })) }
    })

    const fields = yield* withoutOwner(fieldsOfConstraints)

    /** Serialises provisioning, so that each run sees what earlier ones have applied. */
    const lock = Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtextextended('sprechstunde/provisioning', 0))`)

    /** The fingerprints of these entries when they were last applied, by name. */
    const fingerprintsOf = (entries: ReadonlyArray<Entry>) =>
      Effect.map(
        applied.all(
          sql`SELECT p.list, p.key, p.fingerprint FROM jsonb_to_recordset(${JSON.stringify(
            entries.map(({ list, key }) => ({ list, key }))
          )}::jsonb) AS e(list text, key text) JOIN provisioned_entries p ON p.list = e.list AND p.key = e.key`
        ),
        (rows) => new Map(rows.map((row) => [nameOf(row), row.fingerprint]))
      )

    const remember = (entries: ReadonlyArray<typeof Applied.Type>) =>
      Effect.orDie(sql`INSERT INTO provisioned_entries (list, key, fingerprint)
        SELECT list, key, fingerprint FROM jsonb_to_recordset(${JSON.stringify(
          entries.map(({ list, key, fingerprint }) => ({ list, key, fingerprint }))
        )}::jsonb) AS e(list text, key text, fingerprint text)
        ON CONFLICT (list, key) DO UPDATE SET fingerprint = excluded.fingerprint`)

    /** Writes entries of one list at once; returns those that are to be written one by one: all of them after a failure. */
    const writeMany = Effect.fnUntraced(function* (due: ReadonlyArray<Entry>) {
      const writeMany = due[0]?.writeMany
      if (writeMany === undefined || due.length === 1) return due
      return yield* savepoint(writeMany(new Set(due.map(({ index }) => index)))).pipe(
        Effect.map((left) => due.filter(({ index }) => left.has(index))),
        Effect.orElseSucceed(() => due)
      )
    })

    /** None for an entry that is left out, whose faults are added. */
    const leftOut = <A, E, R>(faults: Array<string>, writing: Effect.Effect<A, E | ProvisioningRejected, R>) =>
      savepoint(writing).pipe(
        Effect.asSome,
        Effect.catchIf(
          (error) => error instanceof ProvisioningRejected,
          (error) =>
            Effect.as(
              Effect.sync(() => faults.push(...error.faults)),
              Option.none<A>()
            )
        )
      )

    /** Writes the entries; returns those that were. */
    const writeAll = Effect.fnUntraced(function* <T extends Entry>(due: ReadonlyArray<T>, lenient: boolean) {
      const owners: FoundOwners = new Map()
      const without = new Set<string>()
      for (const ofList of Map.groupBy(due, ({ list }) => list).values())
        for (const entry of yield* writeMany(ofList)) {
          const writing = entry.write(fields, owners)
          if (!lenient) yield* writing
          else if (Option.isNone(yield* leftOut([], writing))) without.add(nameOf(entry))
        }
      return due.filter((entry) => !without.has(nameOf(entry)))
    })

    /** The organisations whose calendars the entries change: those that exist. */
    const ownersOf = Effect.fnUntraced(function* (due: ReadonlyArray<Entry>) {
      const rows = due.flatMap(({ list, rows }) => (calendarLists.has(list) ? rows.slice(0, 1) : []))
      const named = (column: string) => rows.flatMap(([, where]) => where[column] ?? []).filter(Predicate.isString)
      if (rows.length === 0) return []
      const found = yield* organisationUids.all(sql`SELECT DISTINCT organisation_uid FROM (
          SELECT organisation_uid FROM organisations WHERE organisation_uid = ANY (${named("organisation_uid")}::text[])
          UNION ALL SELECT organisation_uid FROM doctors WHERE uid = ANY (${named("doctor_uid")}::text[])
          UNION ALL SELECT organisation_uid FROM resources WHERE uid = ANY (${named("resource_uid")}::text[])) changed`)
      return found.map(({ organisation_uid }) => organisation_uid)
    })

    /** Runs the change of the entries, and offers the time that it opens to those who wait. */
    const offering = <A, E, R>(due: ReadonlyArray<Entry>, change: Effect.Effect<A, E, R>) =>
      Effect.flatMap(ownersOf(due), (owners) =>
        owners.reduce<Effect.Effect<A, E, R | CurrentTenant>>(
          (inner, owner) => freed.around(owner, undefined, inner),
          change
        )
      )

    /**
     * Applies the decoded JSON of a file in one transaction: entries that are new or have changed in it. Changes and deletions made by
     * the interface since are kept, unless the entry has changed. Fails with every fault and its JSON path, without any change; fails
     * with `WrongMasterKey`.
     */
    const apply = Effect.fn("Provisioning.apply")(function* (
      json: unknown,
      { reset = false, lenient = false }: ApplyOptions = {}
    ) {
      const { file, entries } = yield* entriesOf(json)
      return yield* transaction(
        Effect.gen(function* () {
          yield* lock
          const known = yield* fingerprintsOf(entries)
          const due = entries.filter((entry) => reset || known.get(nameOf(entry)) !== entry.fingerprint)
          const written = yield* offering(due, writeAll(due, lenient))
          yield* refreshPayouts(file, written)
          yield* remember(written)
          const done: Applied = { written: written.length, unchanged: entries.length - due.length }
          return done
        })
      )
    })

    /** Writes an entry and compares its rows. */
    const writeAndCompare = Effect.fnUntraced(function* ({ write, rows }: Entry) {
      const before = yield* read(rows)
      yield* write(fields, new Map())
      return {
        isNew: before[0]?.length === 0,
        differences: differencesOf(rows, before, yield* read(rows)),
        owners: before.flat().flatMap((row) => ownerOfRow(row) ?? [])
      }
    })

    /** As `writeAndCompare` for an entry that would not be written: its writes are rolled back, also if it fails. */
    const compareUnwritten = (entry: Entry) =>
      savepoint(Effect.flatMap(writeAndCompare(entry), (found) => new Tried(found))).pipe(
        Effect.catchTags({
          Tried: ({ differences, owners }) => Effect.succeed({ differences, owners }),
          ProvisioningRejected: () => Effect.succeed({ differences: [], owners: [] })
        })
      )

    /**
     * The effects of `apply`, found by running it in a transaction that is rolled back. Leaves out entries without effect. Fails as
     * `apply`; with `lenient` the faults are those of the entries that it would leave out.
     */
    const compared = Effect.fn("Provisioning.compare")(function* (
      json: unknown,
      { reset = false, lenient = false }: ApplyOptions = {}
    ) {
      const { entries } = yield* entriesOf(json)
      const comparing = Effect.gen(function* () {
        yield* lock
        const known = yield* fingerprintsOf(entries)
        const comparisons: Array<Comparison> = []
        const faults: Array<string> = []
        for (const entry of entries) {
          const { list, index } = entry
          if (!reset && known.get(nameOf(entry)) === entry.fingerprint) {
            const { differences, owners } = yield* compareUnwritten(entry)
            if (differences.length > 0) comparisons.push({ list, index, outcome: "kept", differences, owners })
          } else {
            const writing = writeAndCompare(entry)
            const written = yield* lenient ? leftOut(faults, writing) : Effect.asSome(writing)
            if (Option.isNone(written)) continue
            const { isNew, differences, owners } = written.value
            if (isNew) comparisons.push({ list, index, outcome: "created", differences: [], owners: [] })
            else if (differences.length > 0) comparisons.push({ list, index, outcome: "changed", differences, owners })
          }
        }
        return yield* new Compared({ comparisons, faults })
      })
      return yield* Effect.catchTag(transaction(comparing), "Compared", ({ comparisons, faults }) =>
        Effect.succeed({ comparisons, faults })
      )
    })
    const compare = (json: unknown, options?: ApplyOptions) =>
      Effect.map(compared(json, options), ({ comparisons }) => comparisons)

    /** Whether nothing has been provisioned yet. */
    const isEmpty = Effect.map(organisations.exist, (exist) => !exist)
    return { apply, compare, compared, lock, isEmpty } as const
  }),
  dependencies: [tenancyServices, schedulingServices, pharmacyServices, FreedTime.Default, MasterKeyCanary.Default]
}) {}

/** Rolls back the savepoint of an entry that is only compared. */
class Tried extends Data.TaggedError("Tried")<Pick<Comparison, "differences" | "owners">> {}
