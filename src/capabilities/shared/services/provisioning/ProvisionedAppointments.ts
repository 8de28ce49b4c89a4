/** Appointments of provisioning files take what others take: the resources and further doctors of their type, and a seat. Rule 12.4.8. */

import { Array as Arr, Effect, Option, Schema } from "effect"
import { Invalid, invalid } from "../../../../schemas/problems.ts"
import type { AppointmentEntry } from "../../../../schemas/provisioning/scheduling.ts"
import { AppointmentType } from "../../../../schemas/scheduling/AppointmentType.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Service } from "../../../../services/Service.ts"
import type { NewAppointment } from "../../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../../services/scheduling/booking/BookingRepo.ts"
import { SlotEngine } from "../../../../services/scheduling/booking/SlotEngine.ts"
import { sharedGroupOf } from "../../../../services/scheduling/booking/sharedGroup.ts"

type Taken = Pick<NewAppointment, "resource_uids" | "further_doctor_uids" | "shared_group" | "seat">

const ProvisionedType = Schema.Struct({
  ...AppointmentType.pick(
    "organisation_uid",
    "uid",
    "seats",
    "hold_ttl_seconds",
    "room_strategy",
    "meeting_type",
    "formats"
  ).fields,
  takes_units: Schema.Boolean
})
type ProvisionedType = typeof ProvisionedType.Type

/** Whether the appointment takes a seat, or what its type requires, beside its doctor. */
const takesMore = ({ status }: AppointmentEntry, type: ProvisionedType | undefined) =>
  (status === "held" || status === "confirmed") && type !== undefined && (type.seats > 1 || type.takes_units)

export class ProvisionedAppointments extends Service<ProvisionedAppointments>()("scheduling/ProvisionedAppointments", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const repo = yield* BookingRepo
    const known = rowsOf(Schema.Struct({ uid: Schema.String }))
    const types = rowsOf(ProvisionedType)

    /** The types of the entries. */
    const typesOf = Effect.fnUntraced(function* (entries: ReadonlyArray<AppointmentEntry>) {
      const found = yield* types.all(sql`SELECT organisation_uid, uid, seats, requirements <> '[]' AS takes_units,
            hold_ttl_seconds, room_strategy, meeting_type, formats FROM appointment_types
          WHERE organisation_uid = ANY (${Arr.dedupe(entries.map(({ organisation_uid }) => organisation_uid))}::text[])
            AND uid = ANY (${Arr.dedupe(entries.flatMap(({ appointment_type_uid }) => appointment_type_uid ?? []))}::text[])`)
      const named = new Map(found.map((type) => [`${type.organisation_uid}/${type.uid}`, type]))
      return (entry: AppointmentEntry) => named.get(`${entry.organisation_uid}/${entry.appointment_type_uid}`)
    })

    /** Fails with `Invalid`, naming each subject that the organisation does not have. */
    const ensureKnown = Effect.fnUntraced(function* (entry: AppointmentEntry) {
      const faults = yield* Effect.forEach(["resource", "further_doctor"] as const, (kind) => {
        const uids = [...(entry[`${kind}_uids`] ?? [])]
        const table = kind === "resource" ? "resources" : "doctors"
        if (uids.length === 0) return Effect.succeed([])
        return Effect.map(
          known.all(sql`SELECT uid FROM ${sql(table)} WHERE organisation_uid = ${entry.organisation_uid}
              AND uid = ANY (${uids}::text[])`),
          (found) =>
            uids.flatMap((uid, at) =>
              found.some((one) => one.uid === uid)
                ? []
                : [{ field: `${kind}_uids[${at}]`, message: "refers to something that does not exist" }]
            )
        )
      })
      if (faults.flat().length > 0) return yield* new Invalid({ faults: faults.flat() })
    })

    /** What the entry takes: what it names, else what a booking at this time would take. */
    const takenBy = Effect.fnUntraced(function* (
      entry: AppointmentEntry,
      type: ProvisionedType | undefined,
      now: number
    ) {
      const { organisation_uid, doctor_uid, appointment_type_uid, start_date, end_date } = entry
      const named = {
        resource_uids: entry.resource_uids ?? [],
        further_doctor_uids: entry.further_doctor_uids ?? []
      }
      const alone: Taken = { ...named, shared_group: null, seat: null }
      if (appointment_type_uid === null || type === undefined || !takesMore(entry, type)) return alone
      const query = { organisation_uid, appointment_type_uid, start_date, now }
      const units = yield* engine.unitsAt(query, doctor_uid, end_date).pipe(
        Effect.asSome,
        // a type that cannot be booked, or not with this doctor, requires nothing
        Effect.catchTag("BookableTypeNotFound", () => Effect.succeedNone)
      )
      if (Option.isNone(units)) return alone
      const isNamed = entry.resource_uids !== null || entry.further_doctor_uids !== null
      const found = Option.getOrNull(units.value)
      if (found === null && type.seats > 1)
        return yield* invalid("start_date", "all seats are taken, or what its type requires")
      if (found === null && !isNamed)
        return yield* invalid("start_date", "what its type requires is taken: move it, or name what it takes")
      const taken: Taken = {
        ...(isNamed || found === null ? named : found),
        shared_group: found?.seat === null || found === null ? null : sharedGroupOf(entry),
        seat: found?.seat ?? null
      }
      return taken
    })

    /**
     * Creates the appointment; an existing one is unchanged. Fails with `Invalid` naming a field. Does not map SQL errors:
     * what it takes may be taken.
     */
    const provision = Effect.fn("ProvisionedAppointments.provision")(function* (entry: AppointmentEntry) {
      const now = yield* clock.now
      const existing = yield* Effect.option(repo.find(entry.organisation_uid, entry.uid, now))
      if (Option.isSome(existing)) return
      yield* ensureKnown(entry)
      const type = (yield* typesOf([entry]))(entry)
      yield* repo.provision([{ entry, terms: type, ...(yield* takenBy(entry, type, now)) }], now)
    })

    /**
     * Creates those of the appointments that take their doctor alone, in few statements, and returns the others: for each of them
     * `provision` looks at what is taken. Existing ones are unchanged. Does not map SQL errors.
     */
    const provisionPlain = Effect.fn("ProvisionedAppointments.provisionPlain")(function* (
      entries: ReadonlyArray<AppointmentEntry>
    ) {
      const typeOf = yield* typesOf(entries)
      const [others, plain] = Arr.partition(
        entries,
        (entry) =>
          entry.resource_uids === null && entry.further_doctor_uids === null && !takesMore(entry, typeOf(entry))
      )
      const alone = { resource_uids: [], further_doctor_uids: [], shared_group: null, seat: null }
      yield* repo.provision(
        plain.map((entry) => ({ entry, terms: typeOf(entry), ...alone })),
        yield* clock.now
      )
      return others
    })
    return { provision, provisionPlain } as const
  }),
  dependencies: [SlotEngine.Default, BookingRepo.Default]
}) {}
