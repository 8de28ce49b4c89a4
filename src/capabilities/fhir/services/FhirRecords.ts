/**
 * Reads and searches of the FHIR interface over records that exist: doctors, types, patients, appointments, and schedules, one for each
 * doctor and type. Pages are by the last row of the page before, so that changes in between neither repeat nor lose a row.
 */

import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { AppointmentUid, type OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AppointmentStatus } from "../../../schemas/scheduling/AppointmentStates.ts"
import { SPECIALTY_SYSTEM } from "../../../schemas/scheduling/specialties.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { readFromReplica } from "../../../services/database/staleReads.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments, type Caller as ServiceCaller } from "../../../services/scheduling/appointments/Appointments.ts"
import {
  publicAppointment,
  type StoredAppointment
} from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import type { Exchanged } from "../../shared/services/addedExtension.ts"
import { addedTypes, type ResourceType, type Rights, resourceTypes } from "../schemas/rights.ts"
import {
  appointmentForm,
  BookingRow,
  CUSTOMER_SYSTEM,
  customerOf,
  DoctorRow,
  EXTERNAL_TAG,
  instant,
  MergeRow,
  mergedForm,
  PatientRow,
  patientForm,
  practitionerForm,
  type Resource,
  ScheduleOf,
  scheduleForm,
  serviceForm,
  statuses,
  TAG_SYSTEM,
  TYPE_SYSTEM,
  TypeRow,
  UID_SYSTEM
} from "./forms.ts"
import { fhirId, namedBy, scheduleId, scheduleIn, slotId, slotIn } from "./ids.ts"
import { type Given, matchesToken, textOf, tokenOf } from "./parameters.ts"
import { badParameter, notFound, refuse } from "./refused.ts"

/** Who asks, and what they may do. */
export interface FhirCaller extends ServiceCaller {
  readonly rights: Rights
  /** Zone of times without an offset. */
  readonly timezone: string
  /** All types that can be booked; read for searches for slots. */
  readonly active_types: ReadonlyArray<string>
}

/** Names and reasons are for those who may read appointments. */
export const seesPatients = ({ rights }: FhirCaller) => rights.has("Appointment.r")

export interface Page {
  readonly resources: ReadonlyArray<Resource>
  /** Undefined: not counted. */
  readonly total: number | undefined
  /** The position after which the next page begins; undefined on the last one. */
  readonly next: ReadonlyArray<string | number> | undefined
}

export interface SearchQuery {
  readonly given: ReadonlyArray<Given>
  readonly count: number
  readonly after: ReadonlyArray<string | number> | undefined
}

/** Uids whose id is not made of their text. */
const UNFIT = "!~ '^(?!h-[0-9a-f]{32}$)[A-Za-z0-9_-]{1,64}$'"

const gone = (type: ResourceType, id: string) => refuse(410, "deleted", `The ${type} ${id} was deleted`)

export class FhirRecords extends Service<FhirRecords>()("fhir/FhirRecords", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const extensions = yield* Extensions
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const { baseUrl } = yield* Settings
    const base = `${baseUrl}/fhir/r4`
    const doctors = rowsOf(DoctorRow)
    const types = rowsOf(TypeRow)
    const schedules = rowsOf(ScheduleOf)
    const patients = rowsOf(PatientRow)
    const merges = rowsOf(MergeRow)
    const bookings = rowsOf(
      BookingRow,
      (yield* Envelope).openRows("fhir_bookings", ["organisation_uid", "appointment_uid"])
    )
    const settings = rowsOf(
      Schema.Struct({
        enabled: Schema.Boolean,
        timezone: Schema.String,
        active_types: Schema.Array(Schema.String)
      })
    )
    const offered = rowsOf(Schema.Struct({ offered: Schema.Boolean }))

    /**
     * The organisation's zone; none while it does not use FHIR. In the same statement, for searches that need them, the uids of all types that
     * can be booked.
     */
    const settingsOf = (owner: OrganisationUid, { withTypes = false }: { readonly withTypes?: boolean } = {}) => {
      const types = withTypes
        ? sql`ARRAY (SELECT t.uid FROM appointment_types t
            WHERE t.organisation_uid = ${owner} AND t.active AND t.deleted_at IS NULL ORDER BY t.uid)`
        : sql`'{}'::text[]`
      return Effect.map(
        settings.first(
          sql`SELECT coalesce((added #>> '{fhir,enabled}')::boolean, false) AS enabled, timezone, ${types} AS active_types
            FROM organisations WHERE organisation_uid = ${owner}`
        ),
        Option.filter(({ enabled }) => enabled)
      )
    }

    /** Whether any organisation uses FHIR. */
    const isOffered = Effect.map(offered.one(sql`SELECT fhir_is_offered() AS offered`), ({ offered }) => offered)

    const scheduleRef = (doctor_uid: string, type_uid: string) => `Schedule/${scheduleId(doctor_uid, type_uid)}`

    const either = (conditions: ReadonlyArray<Statement.Fragment>) =>
      conditions.length === 0 ? sql`false` : sql.or(conditions)

    /** The record of an id, by its uid's column. */
    const isNamed = (column: Statement.Fragment, id: string) => {
      const name = namedBy(id)
      if (name === undefined) return sql`false`
      return "uid" in name
        ? sql`${column} = ${name.uid}`
        : sql`(${column} ${sql.literal(UNFIT)} AND md5(${column}) = ${name.md5})`
    }

    const within = (column: Statement.Fragment, { ranges }: Given) =>
      either(
        ranges.map(({ from, to }) =>
          sql.and([
            ...(from === undefined ? [] : [sql`${column} >= to_timestamp(${from})`]),
            ...(to === undefined ? [] : [sql`${column} < to_timestamp(${to})`])
          ])
        )
      )

    /** Text that begins with, contains or is the value. */
    const isLike = (column: Statement.Fragment, { modifier, values }: Given, parts = false) =>
      either(
        values.map((value) => {
          const text = textOf(value)
          if (modifier === "exact") return sql`${column} = ${text}`
          const pattern = text.toLowerCase().replace(/[\\%_]/g, "\\$&")
          if (modifier === "contains") return sql`lower(${column}) LIKE ${`%${pattern}%`}`
          const begins = sql`lower(${column}) LIKE ${`${pattern}%`}`
          return parts ? sql`(${begins} OR lower(${column}) LIKE ${`% ${pattern}%`})` : begins
        })
      )

    const negated = ({ modifier }: Given, condition: Statement.Fragment) =>
      modifier === "not" ? sql`(${condition}) IS NOT TRUE` : condition

    const isOfType = (column: Statement.Fragment, given: Given) =>
      negated(
        given,
        either(
          given.values.map((value) => {
            const { system, code } = tokenOf(value)
            if (system !== undefined && system !== TYPE_SYSTEM) return sql`false`
            return code === undefined ? sql`${column} IS NOT NULL` : sql`${column} = ${code}`
          })
        )
      )

    const hasSpecialty = (columns: ReadonlyArray<Statement.Fragment>, given: Given) =>
      negated(
        given,
        either(
          given.values.flatMap((value) => {
            const { system, code } = tokenOf(value)
            if (system !== undefined && system !== SPECIALTY_SYSTEM) return [sql`false`]
            return columns.map((column) => (code === undefined ? sql`${column} IS NOT NULL` : sql`${column} = ${code}`))
          })
        )
      )

    /** Kinds of records, and of pairs of records, that statements of one form search and read. */
    interface Kind<Row> {
      readonly type: ResourceType
      readonly rows: { readonly all: ReturnType<typeof rowsOf<Row, unknown>>["all"] }
      readonly columns: Statement.Fragment
      /** FROM and WHERE of the organisation's. */
      readonly from: (owner: OrganisationUid) => Statement.Fragment
      readonly present: Statement.Fragment
      readonly changed: Statement.Fragment
      readonly order: ReadonlyArray<Statement.Fragment>
      readonly position: (row: Row) => ReadonlyArray<string>
      readonly hasId: (id: string) => Statement.Fragment
      /** Of the search parameters that not all kinds have. */
      readonly conditions: Readonly<Record<string, (given: Given) => Statement.Fragment>>
      readonly form: (row: Row) => Resource
    }

    const conditionOf = <Row>({ hasId, changed, conditions }: Kind<Row>, given: Given) => {
      if (given.name === "_id") return either(given.values.map((id) => hasId(textOf(id))))
      if (given.name === "_lastUpdated") return within(changed, given)
      return conditions[given.name]?.(given) ?? sql`false`
    }

    const searching = <Row>(kind: Kind<Row>) =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, { given, count, after }: SearchQuery) {
        const conditions = given.map((one) => conditionOf(kind, one))
        const where = sql`${kind.from(owner)} AND ${sql.and([kind.present, ...conditions])}`
        const order = sql.csv(kind.order)
        const later =
          after === undefined
            ? sql`true`
            : sql`(${order}) > (${sql.csv(kind.order.map((_, at) => sql`${after[at] ?? ""}`))})`
        const rows = yield* kind.rows.all(
          sql`SELECT ${kind.columns} ${where} AND ${later} ORDER BY ${order} LIMIT ${count + 1}`
        )
        const total = yield* countOf(sql`SELECT count(*) ${where}`)
        const shown = rows.slice(0, count)
        const last = shown.at(-1)
        const page: Page = {
          resources: shown.map(kind.form),
          total,
          next: rows.length > count && last !== undefined ? kind.position(last) : undefined
        }
        return page
      }, readFromReplica)

    const reading = <Row extends { readonly deleted: boolean }>(kind: Kind<Row>) =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, id: string) {
        const [found] = yield* kind.rows.all(sql`SELECT ${kind.columns} ${kind.from(owner)} AND ${kind.hasId(id)}`)
        if (found === undefined) return yield* notFound(kind.type, id)
        return found.deleted ? yield* gone(kind.type, id) : kind.form(found)
      })

    const uidOf = ({ uid }: { readonly uid: string }) => [uid]
    const isActiveBy = (column: Statement.Fragment) => (given: Given) =>
      negated(given, either(given.values.map((value) => sql`${column} = ${tokenOf(value).code === "true"}`)))

    // ── Schedules ──

    const scheduleColumns = sql`d.uid AS doctor_uid, d.display_name AS doctor_name, d.specialty_code AS doctor_specialty,
      t.uid AS type_uid, t.name AS type_name, t.specialty_code AS type_specialty,
      (t.active AND d.deleted_at IS NULL AND t.deleted_at IS NULL
        AND coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors')) AS active,
      greatest(d.updated_at, t.updated_at) AS updated_at, (d.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL) AS deleted`

    /** Every pair of a doctor and a type that the doctor offers or has a setting for. */
    const pairs = (
      owner: OrganisationUid
    ) => sql`FROM doctors d JOIN appointment_types t ON t.organisation_uid = ${owner}
      LEFT JOIN doctor_appointment_type_settings s
        ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid AND s.appointment_type_uid = t.uid
      WHERE d.organisation_uid = ${owner}
        AND (t.doctor_assignment_mode = 'all_available_doctors' OR s.doctor_uid IS NOT NULL)`

    const isSchedule = (id: string) => {
      const place = scheduleIn(id)
      return place === undefined
        ? sql`false`
        : sql`(left(md5(d.uid), 16) = ${place.doctor} AND left(md5(t.uid), 16) = ${place.type})`
    }

    const present = sql`d.deleted_at IS NULL AND t.deleted_at IS NULL`

    const isOfActor = (given: Given) => either(given.targets.map(({ id }) => isNamed(sql`d.uid`, id)))

    /** The schedules of a Slot search. */
    const schedulesOf = (owner: OrganisationUid, given: ReadonlyArray<Given>) =>
      schedules.all(
        sql`SELECT ${scheduleColumns} ${pairs(owner)} AND ${sql.and([
          present,
          ...given.map((one) =>
            one.name === "schedule.actor" ? isOfActor(one) : either(one.targets.map(({ id }) => isSchedule(id)))
          )
        ])}`
      )

    /** The doctor and the type of a schedule's or a slot's id, also of deleted ones. */
    const scheduleAt = (owner: OrganisationUid, place: { readonly doctor: string; readonly type: string }) =>
      schedules.first(sql`SELECT ${scheduleColumns} FROM doctors d JOIN appointment_types t ON t.organisation_uid = ${owner}
        LEFT JOIN doctor_appointment_type_settings s
          ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid AND s.appointment_type_uid = t.uid
        WHERE d.organisation_uid = ${owner} AND left(md5(d.uid), 16) = ${place.doctor} AND left(md5(t.uid), 16) = ${place.type}`)

    const offers = sql`coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors')`
    const scheduleKind: Kind<ScheduleOf> = {
      type: "Schedule",
      rows: schedules,
      columns: scheduleColumns,
      from: pairs,
      present,
      changed: sql`greatest(d.updated_at, t.updated_at)`,
      order: [sql`d.uid`, sql`t.uid`],
      position: ({ doctor_uid, type_uid }) => [doctor_uid, type_uid],
      hasId: isSchedule,
      conditions: {
        "service-type": (given) => isOfType(sql`t.uid`, given),
        specialty: (given) => hasSpecialty([sql`t.specialty_code`, sql`d.specialty_code`], given),
        actor: isOfActor,
        active: isActiveBy(sql`(t.active AND ${offers})`)
      },
      form: scheduleForm
    }

    const readSchedule = Effect.fnUntraced(function* ({ organisation_uid }: FhirCaller, id: string) {
      const place = scheduleIn(id)
      const found = place === undefined ? Option.none() : yield* scheduleAt(organisation_uid, place)
      if (Option.isNone(found)) return yield* notFound("Schedule", id)
      if (found.value.deleted) return yield* gone("Schedule", id)
      return scheduleForm(found.value)
    })

    // ── Types and doctors ──

    const typeColumns = sql`t.uid, t.name, t.specialty_code, t.description, t.preparation, t.duration_minutes, t.active, t.updated_at,
      t.deleted_at IS NOT NULL AS deleted`
    const doctorColumns = sql`d.uid, d.display_name, d.title, d.timezone, d.specialty_code, d.updated_at,
      d.deleted_at IS NOT NULL AS deleted`

    const typesOf = (owner: OrganisationUid, uids: ReadonlyArray<string>) =>
      types.all(sql`SELECT ${typeColumns} FROM appointment_types t
        WHERE t.organisation_uid = ${owner} AND t.uid = ANY (${[...uids]}::text[])`)
    const doctorsOf = (owner: OrganisationUid, uids: ReadonlyArray<string>) =>
      doctors.all(sql`SELECT ${doctorColumns} FROM doctors d
        WHERE d.organisation_uid = ${owner} AND d.uid = ANY (${[...uids]}::text[])`)
    const serviceKind: Kind<typeof TypeRow.Type> = {
      type: "HealthcareService",
      rows: types,
      columns: typeColumns,
      from: (owner) => sql`FROM appointment_types t WHERE t.organisation_uid = ${owner}`,
      present: sql`t.deleted_at IS NULL`,
      changed: sql`t.updated_at`,
      order: [sql`t.uid`],
      position: uidOf,
      hasId: (id) => isNamed(sql`t.uid`, id),
      conditions: {
        "service-type": (given) => isOfType(sql`t.uid`, given),
        specialty: (given) => hasSpecialty([sql`t.specialty_code`], given),
        name: (given) => isLike(sql`t.name`, given),
        active: isActiveBy(sql`t.active`)
      },
      form: serviceForm
    }

    const identifies = (given: Given, systems: ReadonlyArray<readonly [string, Statement.Fragment]>) =>
      either(
        given.values.flatMap((value) => {
          const token = tokenOf(value)
          return systems.map(([system, column]) =>
            token.code === undefined || !matchesToken(token, system, token.code)
              ? sql`false`
              : sql`${column} = ${token.code}`
          )
        })
      )

    const practitionerKind: Kind<typeof DoctorRow.Type> = {
      type: "Practitioner",
      rows: doctors,
      columns: doctorColumns,
      from: (owner) => sql`FROM doctors d WHERE d.organisation_uid = ${owner}`,
      present: sql`d.deleted_at IS NULL`,
      changed: sql`d.updated_at`,
      order: [sql`d.uid`],
      position: uidOf,
      hasId: (id) => isNamed(sql`d.uid`, id),
      conditions: {
        identifier: (given) => identifies(given, [[UID_SYSTEM, sql`d.uid`]]),
        name: (given) => isLike(sql`d.display_name`, given, true)
      },
      form: practitionerForm
    }

    // ── Patients ──

    const patientColumns = sql`p.uid, p.shop_uid, p.shop_customer_id, p.profile, p.updated_at, p.erased_at IS NOT NULL AS erased,
      ARRAY (SELECT m.merged_uid FROM patient_merges m WHERE m.organisation_uid = p.organisation_uid AND m.patient_uid = p.uid
        ORDER BY m.merged_uid) AS merged_uids`

    const birthdateOf = ({ values }: Given) =>
      either(values.map((value) => sql`p.profile->>'date_of_birth' = ${value}`))

    const isPatientBy = (given: Given) =>
      sql.or([
        identifies(given, [
          [UID_SYSTEM, sql`p.uid`],
          [CUSTOMER_SYSTEM, sql`p.shop_customer_id`]
        ]),
        sql`p.shop_customer_id = ANY (${given.values.map((value) => {
          const { system, code = "" } = tokenOf(value)
          return customerOf(system === "" ? undefined : system, code)
        })}::text[])`
      ])

    const patientKind: Kind<typeof PatientRow.Type> = {
      type: "Patient",
      rows: patients,
      columns: patientColumns,
      from: (owner) => sql`FROM patients p WHERE p.organisation_uid = ${owner}`,
      present: sql`p.erased_at IS NULL`,
      changed: sql`p.updated_at`,
      order: [sql`p.uid COLLATE "C"`],
      position: uidOf,
      hasId: (id) => isNamed(sql`p.uid`, id),
      conditions: {
        identifier: isPatientBy,
        birthdate: birthdateOf,
        family: (given) => isLike(sql`(p.profile->>'last_name')`, given),
        given: (given) => isLike(sql`(p.profile->>'first_name')`, given)
      },
      form: patientForm
    }

    const findPatient = (owner: OrganisationUid, id: string) =>
      patients.first(sql`SELECT ${patientColumns} FROM patients p
        WHERE p.organisation_uid = ${owner} AND ${isNamed(sql`p.uid`, id)}`)

    /** What became of a record that was merged into another. */
    const findMerge = (owner: OrganisationUid, id: string) =>
      merges.first(sql`SELECT m.merged_uid, m.patient_uid, m.merged_at FROM patient_merges m
        WHERE m.organisation_uid = ${owner} AND ${isNamed(sql`m.merged_uid`, id)}`)

    const readPatient = Effect.fnUntraced(function* ({ organisation_uid }: FhirCaller, id: string) {
      const found = yield* findPatient(organisation_uid, id)
      if (Option.isNone(found)) {
        const merged = yield* findMerge(organisation_uid, id)
        if (Option.isNone(merged)) return yield* notFound("Patient", id)
        return mergedForm(merged.value)
      }
      if (found.value.erased) return yield* gone("Patient", id)
      return patientForm(found.value)
    })

    // ── Appointments ──

    /** Makes the forms of these appointments, by what is read once of their doctors, types and FHIR bookings. */
    const formFor = Effect.fnUntraced(function* (caller: FhirCaller, records: ReadonlyArray<Appointment>) {
      const { organisation_uid: owner } = caller
      const [doctorRows, typeRows, booked] = yield* Effect.all([
        doctorsOf(owner, [...new Set(records.map(({ doctor_uid }) => doctor_uid))]),
        typesOf(owner, [...new Set(records.flatMap(({ appointment_type_uid }) => appointment_type_uid ?? []))]),
        bookings.all(sql`SELECT organisation_uid, appointment_uid, priority_code, priority_version, instruction_encrypted,
            related_person_encrypted FROM fhir_bookings
          WHERE organisation_uid = ${owner} AND appointment_uid = ANY (${records.map(({ uid }) => uid)}::text[])`)
      ])
      const doctorBy = new Map(doctorRows.map((row) => [row.uid as string, row]))
      const typeBy = new Map(typeRows.map((row) => [row.uid, row]))
      const bookingBy = new Map(booked.map((row) => [row.appointment_uid, row]))
      return (record: Appointment) => {
        const { doctor_uid, appointment_type_uid, start_date } = record
        return appointmentForm(record, {
          doctor: doctorBy.get(doctor_uid),
          type: appointment_type_uid === null ? undefined : typeBy.get(appointment_type_uid),
          booking: bookingBy.get(record.uid),
          slot_id: appointment_type_uid === null ? undefined : slotId(doctor_uid, appointment_type_uid, start_date),
          seesPatient: seesPatients(caller)
        })
      }
    })
    const formOf = (caller: FhirCaller, stored: StoredAppointment) => {
      const record = publicAppointment(stored)
      return Effect.map(formFor(caller, [record]), (form) => form(record))
    }

    const isOverdue = (now: number) => sql`(a.status = 'held' AND a.hold_expires_at <= to_timestamp(${now}))`

    const hasStatus = (given: Given, now: number) => {
      const stored = (status: AppointmentStatus) =>
        status === "held"
          ? sql`(a.status = 'held' AND NOT ${isOverdue(now)})`
          : status === "expired"
            ? sql`(a.status = 'expired' OR ${isOverdue(now)})`
            : sql`a.status = ${status}`
      return negated(
        given,
        either(
          given.values.flatMap((value) => {
            const { code } = tokenOf(value)
            const own = (Object.keys(statuses) as Array<AppointmentStatus>).filter((one) => statuses[one] === code)
            return own.map(stored)
          })
        )
      )
    }

    const isOfTarget = (given: Given, allowed: ReadonlyArray<string>) => {
      const columns = byWord<Statement.Fragment>({
        Patient: sql`a.patient_uid`,
        Practitioner: sql`a.doctor_uid`,
        HealthcareService: sql`a.appointment_type_uid`
      })
      return either(
        given.targets.flatMap(({ type, id }) =>
          allowed
            .filter((one) => type === undefined || type === one)
            .flatMap((one) => {
              const column = columns[one]
              if (column === undefined) return []
              const own = isNamed(column, id)
              return one === "Practitioner"
                ? [
                    own,
                    sql`EXISTS (SELECT FROM unnest(a.further_doctor_uids) AS f (uid) WHERE ${isNamed(sql`f.uid`, id)})`
                  ]
                : [own]
            })
        )
      )
    }

    const appointmentConditions = (owner: OrganisationUid, given: Given, now: number) => {
      const { name, values } = given
      if (name === "_id") return either(values.map((id) => isNamed(sql`a.uid`, textOf(id))))
      if (name === "_lastUpdated")
        return within(
          sql`(CASE WHEN ${isOverdue(now)} THEN greatest(a.updated_at, a.hold_expires_at) ELSE a.updated_at END)`,
          given
        )
      if (name === "_tag") {
        const wanted = values.some((value) => {
          const token = tokenOf(value)
          return matchesToken(token, TAG_SYSTEM, EXTERNAL_TAG)
        })
        return wanted
          ? sql`EXISTS (SELECT FROM fhir_bookings b WHERE b.organisation_uid = ${owner} AND b.appointment_uid = a.uid)`
          : sql`false`
      }
      if (name === "status") return hasStatus(given, now)
      if (name === "service-type") return isOfType(sql`a.appointment_type_uid`, given)
      if (name === "specialty") return hasSpecialty([sql`t.specialty_code`, sql`d.specialty_code`], given)
      if (name === "date") return within(sql`a.start_date`, given)
      if (name === "patient") return isOfTarget(given, ["Patient"])
      if (name === "actor") return isOfTarget(given, ["Patient", "Practitioner", "HealthcareService"])
      return either(
        given.targets.map(({ id }) => {
          const place = slotIn(id)
          return place === undefined
            ? sql`false`
            : sql`(a.start_date = to_timestamp(${place.start}) AND left(md5(a.doctor_uid), 16) = ${place.doctor}
                AND left(md5(a.appointment_type_uid), 16) = ${place.type})`
        })
      )
    }

    const searchAppointments = Effect.fnUntraced(function* (caller: FhirCaller, { given, count, after }: SearchQuery) {
      const { organisation_uid: owner } = caller
      const now = yield* clock.now
      const condition = sql.and([sql`true`, ...given.map((one) => appointmentConditions(owner, one, now))])
      const position = after === undefined ? undefined : ([Number(after[0]), String(after[1])] as const)
      const { found, total } = yield* lists.matching(owner, condition, count + 1, position)
      const shown = found.slice(0, count)
      const last = shown.at(-1)
      const records = shown.map(publicAppointment)
      const page: Page = {
        resources: records.length === 0 ? [] : records.map(yield* formFor(caller, records)),
        total: total ?? undefined,
        next: found.length > count && last !== undefined ? [last.start_date, last.uid] : undefined
      }
      return page
    })

    /** The uid of an appointment's id. Fails with `FhirRefused`. */
    const appointmentUid = Effect.fnUntraced(function* (owner: OrganisationUid, id: string) {
      const name = namedBy(id)
      if (name === undefined) return yield* notFound("Appointment", id)
      if ("uid" in name) return AppointmentUid.make(name.uid, true)
      const { found } = yield* lists.matching(owner, isNamed(sql`a.uid`, id), 1)
      const [one] = found
      return one === undefined ? yield* notFound("Appointment", id) : one.uid
    })

    const readAppointment = Effect.fnUntraced(function* (caller: FhirCaller, id: string) {
      const uid = yield* appointmentUid(caller.organisation_uid, id)
      return yield* appointments.find(caller, uid).pipe(
        Effect.catchTag("AppointmentNotFound", () => notFound("Appointment", id)),
        Effect.flatMap((stored) => formOf(caller, stored))
      )
    })

    // ── Records of other capabilities ──

    const offeredTypes = Effect.map(extensions.having("exchanged"), (all) =>
      resourceTypes.filter(
        (type) => !addedTypes.has(type) || all.some(({ exchanged }) => exchanged?.[type] !== undefined)
      )
    )
    const addressOf = (type: string, uid: string) => `${type}/${fhirId(uid)}`
    const recordsOf = (type: ResourceType) => (owner: OrganisationUid, of: Parameters<Exchanged>[1]) =>
      Effect.flatMap(extensions.having("exchanged"), (all) => {
        const read = all.map(({ exchanged }) => exchanged?.[type]).find((one) => one !== undefined)
        return Effect.map(read?.(owner, of, addressOf) ?? Effect.succeed([]), (found) =>
          found.map(({ uid, updated_at, content }): Resource => {
            const meta = { lastUpdated: instant(updated_at) }
            return { resourceType: type, id: fhirId(uid), meta, ...content }
          })
        )
      })

    const readAdded = (type: ResourceType) =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, id: string) {
        const named = namedBy(id)
        const [found] = named !== undefined && "uid" in named ? yield* recordsOf(type)(owner, named) : []
        return found ?? (yield* notFound(type, id))
      })

    const searchAdded = (type: ResourceType) =>
      Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, { given, count, after }: SearchQuery) {
        const [byId, byPatient] = ["_id", "patient"].map((name) => given.filter((one) => one.name === name))
        const ids = byId?.flatMap(({ values }) => values.map(textOf)) ?? []
        const targets = byPatient?.flatMap((one) => one.targets) ?? []
        if (ids.length + targets.length === 0) return yield* badParameter("_id", "or `patient` is required", "required")
        const patients = yield* Effect.forEach(targets, ({ id }) => findPatient(owner, id))
        const found =
          targets.length === 0
            ? yield* Effect.forEach(ids, (id) => {
                const named = namedBy(id)
                return named !== undefined && "uid" in named ? recordsOf(type)(owner, named) : Effect.succeed([])
              })
            : yield* Effect.forEach(patients.flatMap(Option.toArray), ({ uid }) =>
                recordsOf(type)(owner, { patient_uid: PatientUid.make(uid) })
              )
        const all = found.flat().filter(({ id }) => targets.length === 0 || ids.length === 0 || ids.includes(id))
        const from = Number(after?.[0] ?? 0)
        const page: Page = {
          resources: all.slice(from, from + count),
          total: all.length,
          next: from + count < all.length ? [from + count] : undefined
        }
        return page
      })

    return {
      offeredTypes,
      settingsOf,
      isOffered,
      base,
      schedulesOf,
      scheduleAt,
      scheduleRef,
      typesOf,
      doctorsOf,
      findPatient,
      findMerge,
      appointmentUid,
      formOf,
      readers: {
        Schedule: readSchedule,
        HealthcareService: reading(serviceKind),
        Practitioner: reading(practitionerKind),
        Patient: readPatient,
        Questionnaire: readAdded("Questionnaire"),
        QuestionnaireResponse: readAdded("QuestionnaireResponse"),
        Appointment: readAppointment
      },
      searchers: {
        Schedule: searching(scheduleKind),
        HealthcareService: searching(serviceKind),
        Practitioner: searching(practitionerKind),
        Patient: searching(patientKind),
        Questionnaire: searchAdded("Questionnaire"),
        QuestionnaireResponse: searchAdded("QuestionnaireResponse"),
        Appointment: searchAppointments
      }
    } as const
  }),
  dependencies: [AppointmentLists.Default, Appointments.Default]
}) {}
