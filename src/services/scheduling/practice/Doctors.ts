/** Doctors of an organisation; the only writer of their table. Rule 12.1.1. */
import { Effect, flow, Option, Schema } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { type ListQuery, paged } from "../../../schemas/paging.ts"
import type { Doctor as DoctorEntry } from "../../../schemas/provisioning/tenancy.ts"
import { Doctor, type DoctorChanges, type DoctorQuery, type NewDoctor } from "../../../schemas/scheduling/Doctor.ts"
import { DoctorSummary } from "../../../schemas/scheduling/DoctorSummary.ts"
import { DoctorHasAppointments, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { Images, imageName } from "../../access/Images.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { Database } from "../../database/Database.ts"
import { matchingOf, namedColumns } from "../../database/matching.ts"
import { anyOr, columnsOf, countOf, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { timestamp } from "../../database/SqlErrors.ts"
import { pageOf, windowOf } from "../../database/totals.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { newUid } from "../../uid.ts"
import { AppointmentLists } from "../appointments/AppointmentLists.ts"
import { BookingLocks } from "../booking/BookingLocks.ts"
import { FreedTime } from "../booking/FreedTime.ts"

const notFound = () => new DoctorNotFound()

const Matched = Schema.Struct({ ...Doctor.omit("picture").fields, deleted: Schema.Boolean })

export class Doctors extends Service<Doctors>()("scheduling/Doctors", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const freed = yield* FreedTime
    const images = yield* Images
    const lists = yield* AppointmentLists
    const locks = yield* BookingLocks
    const summaries = rowsOf(DoctorSummary)
    const doctors = rowsOf(Doctor)
    const zones = rowsOf(Schema.Struct({ timezone: Schema.String }))
    const columns = sql.literal(columnsOf(Doctor))

    const present = (owner: OrganisationUid) => sql`organisation_uid = ${owner} AND deleted_at IS NULL`

    const shown = (doctor: Doctor): Doctor => ({ ...doctor, picture: images.address(doctor.picture) })

    /** Every doctor, by name. */
    const list = Effect.fn("Doctors.list")((owner: OrganisationUid, query: ListQuery) =>
      summaries.all(sql`SELECT ${sql.literal(columnsOf(DoctorSummary))} FROM doctors
        WHERE ${sql.and([present(owner), ...changedSince(sql, query)])} ORDER BY display_name, uid`)
    )

    /** A page of the records, by name. */
    const page = Effect.fn("Doctors.page")((owner: OrganisationUid, query: DoctorQuery) => {
      const where = sql.and([present(owner), ...changedSince(sql, query)])
      const window = windowOf(query)
      const [name, uid] = query.after ?? []
      const afterCursor = name === undefined ? [] : [sql`(display_name, uid) > (${name}, ${uid})`]
      const found = pageOf(
        query,
        doctors.all(sql`SELECT ${columns} FROM doctors WHERE ${sql.and([where, ...afterCursor])}
          ORDER BY display_name, uid LIMIT ${window.limit} OFFSET ${window.offset}`),
        (doctor) => [doctor.display_name, doctor.uid] as const,
        countOf(sql`SELECT count(*) FROM doctors WHERE ${where}`)
      )
      return Effect.map(found, (page) => paged({ ...page, rows: page.rows.map(shown) }))
    })

    /** Those that fit a condition, deleted ones too, by uid. */
    const matching = matchingOf(sql, Matched, {
      fields: { ...namedColumns(sql, Doctor.omit("picture"), "d"), deleted: sql`(d.deleted_at IS NOT NULL)` },
      from: (owner) => sql`FROM doctors d WHERE d.organisation_uid = ${owner}`,
      key: [["uid", sql`d.uid`]]
    })

    const one = (name: string, locking = sql``) =>
      Effect.fn(name)((owner: OrganisationUid, uid: DoctorUid) =>
        doctors.firstOr(
          sql`SELECT ${columns} FROM doctors WHERE ${present(owner)} AND uid = ${uid} ${locking}`,
          notFound
        )
      )
    const storedForChange = one("Doctors.findForChange", sql`FOR NO KEY UPDATE`)
    /** The record. Fails with `DoctorNotFound`. */
    const find = flow(one("Doctors.find"), Effect.map(shown))
    /** As `find`, locked until the transaction ends. */
    const findForChange = flow(storedForChange, Effect.map(shown))

    /** Fails with `DoctorNotFound` unless the doctor is the organisation's. */
    const ensure = Effect.fn("Doctors.ensure")((owner: OrganisationUid, uid: DoctorUid) =>
      anyOr(sql`SELECT 1 FROM doctors WHERE ${present(owner)} AND uid = ${uid}`, notFound)
    )

    const zoneOf = Effect.fnUntraced(function* (owner: string) {
      const found = yield* zones.first(sql`SELECT timezone FROM organisations WHERE organisation_uid = ${owner}`)
      return Option.match(found, { onNone: () => "Europe/Berlin", onSome: ({ timezone }) => timezone })
    })

    /** Creates or replaces a doctor, also a deleted one. Defaults to the organisation's zone. Does not map SQL errors. */
    const provision = Effect.fn("Doctors.provision")(function* (doctor: DoctorEntry) {
      const now = timestamp(yield* clock.now)
      const timezone = doctor.timezone ?? (yield* zoneOf(doctor.organisation_uid))
      const rows =
        yield* sql`INSERT INTO doctors (organisation_uid, uid, display_name, email, phone, timezone, profession,
          address, title, specialty, specialty_code, languages, limits, holiday_region, extra_holidays, picture, created_at, updated_at)
        VALUES (${doctor.organisation_uid}, ${doctor.uid}, ${doctor.display_name}, ${doctor.email}, ${doctor.phone},
          ${timezone}, ${doctor.profession}, ${doctor.address}, ${doctor.title}, ${doctor.specialty}, ${doctor.specialty_code}, ${[...doctor.languages]},
          ${JSON.stringify(doctor.limits)}::jsonb, ${doctor.holiday_region}, ${JSON.stringify(doctor.extra_holidays)}::jsonb,
          ${imageName(doctor.picture)}, ${now}, ${now})
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET display_name = excluded.display_name,
          email = excluded.email, phone = excluded.phone, timezone = excluded.timezone,
          profession = excluded.profession, address = excluded.address, title = excluded.title,
          specialty = excluded.specialty, specialty_code = excluded.specialty_code, languages = excluded.languages, limits = excluded.limits, holiday_region = excluded.holiday_region,
          extra_holidays = excluded.extra_holidays, picture = excluded.picture,
          updated_at = excluded.updated_at, deleted_at = NULL
        RETURNING ${columns}`
      yield* images.keep(doctor.organisation_uid, doctor.picture)
      return rows
    })

    /** Fails with `Invalid` at the limit. */
    const create = Effect.fn("Doctors.create")(function* (owner: OrganisationUid, doctor: NewDoctor) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM doctors WHERE ${present(owner)}`,
        RECORD_LIMITS.doctors,
        "display_name",
        "doctors"
      )
      return shown(yield* doctors.one(provision({ ...doctor, uid: yield* newUid(DoctorUid), organisation_uid: owner })))
    }, transaction)

    /** Updates the fields sent. Fails with `DoctorNotFound`. */
    const update = Effect.fn("Doctors.update")(function* (
      owner: OrganisationUid,
      uid: DoctorUid,
      changes: DoctorChanges
    ) {
      const before = yield* storedForChange(owner, uid)
      if (isNothing(changes)) return shown(before)
      const changed = Effect.map(doctors.one(provision({ ...before, ...changes })), shown)
      // fewer holidays and other limits open time
      return yield* freed.around(owner, [uid], changed)
    }, transaction)

    /**
     * Marks the doctor deleted and removes them from every list and search; appointments keep the name. Holds the booking lock, so that
     * no booking runs concurrently. Fails with `DoctorNotFound`, and with `DoctorHasAppointments` if a live hold or a confirmed
     * appointment has not ended.
     */
    const remove = Effect.fn("Doctors.remove")(function* (owner: OrganisationUid, uid: DoctorUid) {
      yield* locks.lockDoctors(owner, [uid])
      yield* findForChange(owner, uid)
      const now = yield* clock.now
      if (yield* lists.hasLive(owner, uid, now)) return yield* new DoctorHasAppointments()
      yield* Effect.orDie(sql`UPDATE doctors SET deleted_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
    }, transaction)

    return { list, page, matching, find, findForChange, ensure, provision, create, update, remove } as const
  }),
  dependencies: [Images.Default, AppointmentLists.Default, BookingLocks.Default, FreedTime.Default]
}) {}
