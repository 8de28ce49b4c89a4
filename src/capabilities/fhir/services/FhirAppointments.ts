/** Appointments, which are paged by their start. */
import { Array, Effect } from "effect"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import {
  AppointmentLists,
  type SearchFields as Fields
} from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../../services/scheduling/appointments/Appointments.ts"
import {
  publicAppointment,
  type StoredAppointment
} from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { conditionsOf } from "./conditions.ts"
import { appointmentForm, BookingRow, EXTERNAL_TAG, statuses, TAG_SYSTEM } from "./forms.ts"
import { namedBy, slotId, slotIn } from "./ids.ts"
import type { FhirCaller, Interactions, Page, SearchQuery } from "./kinds.ts"
import { type Given, matchesToken, textOf, tokenOf } from "./parameters.ts"
import { notFound } from "./refused.ts"

/** Names and reasons are for those who may read appointments. */
const seesPatients = ({ rights }: FhirCaller) => rights.has("Appointment.r")

export class FhirAppointments extends Service<FhirAppointments>()("fhir/FhirAppointments", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const { either, isNamed, isAmong, isAt, within, negated, isOfType, hasSpecialty } = conditionsOf(sql)
    const bookings = rowsOf(
      BookingRow,
      (yield* Envelope).openRows("fhir_bookings", ["organisation_uid", "appointment_uid"])
    )

    // ── Forms ──

    /** Makes the forms of these appointments, by what is read once of their doctors, types and FHIR bookings. */
    const formFor = Effect.fnUntraced(function* (caller: FhirCaller, records: ReadonlyArray<Appointment>) {
      const { organisation_uid: owner } = caller
      const [doctorRows, typeRows, booked] = yield* Effect.all([
        doctors.matching.all(owner, ({ uid }) => isAmong(uid, new Set(records.map(({ doctor_uid }) => doctor_uid)))),
        types.matching.all(owner, ({ uid }) =>
          isAmong(uid, new Set(records.flatMap(({ appointment_type_uid }) => appointment_type_uid ?? [])))
        ),
        bookings.all(sql`SELECT organisation_uid, appointment_uid, priority_code, priority_version, instruction_encrypted,
            related_person_encrypted FROM fhir_bookings
          WHERE organisation_uid = ${owner} AND ${isAmong(sql`appointment_uid`, new Set(records.map(({ uid }) => uid)))}`)
      ])
      const doctorBy = new Map(doctorRows.map((row) => [row.uid, row]))
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

    // ── Conditions ──

    const hasStatus = ({ stored_status, status }: Fields, given: Given) => {
      const codes = given.values.map((value) => tokenOf(value).code)
      const own = Object.entries(statuses).flatMap(([one, code]) => (codes.includes(code) ? [one] : []))
      const [lasting, ofHolds] = Array.partition(own, (one) => one === "held" || one === "expired")
      // by what is in indexes alone, where time changes nothing
      const stored = ofHolds.includes("expired") ? ["held", "expired"] : ofHolds
      return negated(
        given,
        either([
          ...(lasting.length === 0 ? [] : [isAmong(stored_status, lasting)]),
          ...(stored.length === 0 ? [] : [sql`(${isAmong(stored_status, stored)} AND ${isAmong(status, ofHolds)})`])
        ])
      )
    }

    const hasDoctor = ({ doctor_uid, further_doctor_uids }: Fields, id: string) =>
      sql`(${isNamed(doctor_uid, id)}
        OR EXISTS (SELECT FROM unnest(${further_doctor_uids}) AS f (uid) WHERE ${isNamed(sql`f.uid`, id)}))`
    const actors = {
      Patient: ({ patient_uid }: Fields, id: string) => isNamed(patient_uid, id),
      Practitioner: hasDoctor,
      HealthcareService: ({ appointment_type_uid }: Fields, id: string) => isNamed(appointment_type_uid, id)
    }

    const hasActor = (fields: Fields, { targets }: Given, allowed: Partial<typeof actors>) =>
      either(
        targets.flatMap((target) =>
          Object.entries(allowed).flatMap(([type, isIt]) =>
            target.type === undefined || target.type === type ? [isIt(fields, target.id)] : []
          )
        )
      )

    const isTagged = ({ uid }: Fields, owner: OrganisationUid, { values }: Given) =>
      values.some((value) => matchesToken(tokenOf(value), TAG_SYSTEM, EXTERNAL_TAG))
        ? sql`EXISTS (SELECT FROM fhir_bookings b WHERE b.organisation_uid = ${owner} AND b.appointment_uid = ${uid})`
        : sql`false`

    const isOfSlot = ({ start_date, doctor_uid, appointment_type_uid }: Fields, { targets }: Given) =>
      either(
        targets.flatMap(({ id }) => {
          const place = slotIn(id)
          if (place === undefined) return []
          return [
            sql`(${start_date} = to_timestamp(${place.start}) AND ${isAt(doctor_uid, appointment_type_uid, place)})`
          ]
        })
      )

    const conditionOf = (fields: Fields, owner: OrganisationUid, given: Given) => {
      const { name, values } = given
      if (name === "_id") return either(values.map((id) => isNamed(fields.uid, textOf(id))))
      if (name === "_lastUpdated") return within(fields.updated_at, given)
      if (name === "_tag") return isTagged(fields, owner, given)
      if (name === "status") return hasStatus(fields, given)
      if (name === "service-type") return isOfType(fields.appointment_type_uid, given)
      if (name === "specialty") return hasSpecialty([fields.type_specialty, fields.doctor_specialty], given)
      if (name === "date") return within(fields.start_date, given)
      if (name === "patient") return hasActor(fields, given, { Patient: actors.Patient })
      if (name === "actor") return hasActor(fields, given, actors)
      return isOfSlot(fields, given)
    }

    // ── Reads ──

    const search: Interactions["search"] = Effect.fnUntraced(function* (
      caller: FhirCaller,
      { given, count, after }: SearchQuery
    ) {
      const { organisation_uid: owner } = caller
      const position = after === undefined ? undefined : ([Number(after[0]), String(after[1])] as const)
      const { found, total } = yield* lists.matching(
        owner,
        (fields) => sql.and([sql`true`, ...given.map((one) => conditionOf(fields, owner, one))]),
        count + 1,
        position
      )
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
    const uidOf = Effect.fnUntraced(function* (owner: OrganisationUid, id: string) {
      const name = namedBy(id)
      if (name === undefined) return yield* notFound("Appointment", id)
      if ("uid" in name) return AppointmentUid.make(name.uid, true)
      const { found } = yield* lists.matching(owner, ({ uid }) => isNamed(uid, id), 1)
      const [one] = found
      return one === undefined ? yield* notFound("Appointment", id) : one.uid
    })

    /** Fails with `FhirRefused`. */
    const find = Effect.fnUntraced(function* (caller: FhirCaller, id: string) {
      const uid = yield* uidOf(caller.organisation_uid, id)
      return yield* Effect.catchTag(appointments.find(caller, uid), "AppointmentNotFound", () =>
        notFound("Appointment", id)
      )
    })

    const read: Interactions["read"] = (caller, id) =>
      Effect.flatMap(find(caller, id), (stored) => formOf(caller, stored))

    return { search, read, find, uidOf, formOf } as const
  }),
  dependencies: [AppointmentLists.Default, Appointments.Default, AppointmentTypes.Default, Doctors.Default]
}) {}
