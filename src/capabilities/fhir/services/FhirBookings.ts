/** Booking, moving and cancelling by FHIR: the same services as by interface, in another form. Rule 20.7. */
import { Effect, Option, Schema } from "effect"
import { invalidOf } from "../../../schemas/faults.ts"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { NewKeyBooking } from "../../../schemas/scheduling/KeyHold.ts"
import { Rebooking } from "../../../schemas/scheduling/Rebooking.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../../services/scheduling/appointments/Rebookings.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { KeyHolds } from "../../../services/scheduling/booking/KeyHolds.ts"
import { Envelope, type SealedPlace } from "../../../services/sealing/Envelope.ts"
import type { DoctorWithType } from "../../shared/services/DoctorSettings.ts"
import { ShopsRepo } from "../../shared/services/ShopsRepo.ts"
import { ExportedInstruction } from "../schemas/ExportedInstruction.ts"
import { type BookRequest, instantOf, keptIn } from "./bookRequest.ts"
import { cancellationIn } from "./cancellation.ts"
import { conditionsOf } from "./conditions.ts"
import { FhirAppointments } from "./FhirAppointments.ts"
import { FhirPatients } from "./FhirPatients.ts"
import { FhirSchedules } from "./FhirSchedules.ts"
import { FhirSettings } from "./FhirSettings.ts"
import { type Booking, customerOf, profileOf, storedReason, TYPE_SYSTEM, versionIn } from "./forms.ts"
import { fhirId, scheduleIn, slotIn } from "./ids.ts"
import { type Json, listOf, recordOf, required, textOf, wrong } from "./json.ts"
import type { FhirCaller } from "./kinds.ts"
import { targetOf } from "./parameters.ts"
import { notFound, refuse } from "./refused.ts"

const decodeBooking = Schema.decodeUnknown(NewKeyBooking, { errors: "all" })
const decodeMove = Schema.decodeUnknown(Rebooking, { errors: "all" })

export class FhirBookings extends Service<FhirBookings>()("fhir/FhirBookings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const { base } = yield* FhirSettings
    const schedules = yield* FhirSchedules
    const patients = yield* FhirPatients
    const booked = yield* FhirAppointments
    const shops = yield* ShopsRepo
    const lists = yield* AppointmentLists
    const { isAmong } = conditionsOf(sql)
    const holds = yield* KeyHolds
    const rebookings = yield* Rebookings
    const appointments = yield* Appointments
    const envelope = yield* Envelope
    const instructions = rowsOf(
      ExportedInstruction,
      envelope.openRows("fhir_bookings", ["organisation_uid", "appointment_uid"])
    )

    /** Instructions for the patient, and who booked for them. */
    const instructionsOf = Effect.fn("FhirBookings.instructionsOf")(function* (
      owner: OrganisationUid,
      patient: PatientUid
    ) {
      const uids = (yield* lists.ofPatient(owner, patient)).map(({ uid }) => uid)
      const found =
        yield* instructions.all(sql`SELECT organisation_uid, appointment_uid, instruction_encrypted, related_person_encrypted
          FROM fhir_bookings WHERE organisation_uid = ${owner} AND ${isAmong(sql`appointment_uid`, uids)}
            AND num_nonnulls(instruction_encrypted, related_person_encrypted) > 0`)
      return found.toSorted((a, b) => uids.indexOf(a.appointment_uid) - uids.indexOf(b.appointment_uid))
    })

    /** The doctor and the type that the request names by a slot or a schedule, and the slot's start. */
    const placeOf = Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, request: BookRequest) {
      const slots = listOf(request.appointment.slot)
      if (slots.length > 1) return yield* wrong("Appointment.slot", "must be one slot: an appointment has one")
      const slot = textOf(slots[0]?.reference)
      if (slot !== undefined) {
        const place = slotIn(targetOf(slot, base)?.id ?? "")
        const schedule = yield* schedules.at(owner, place)
        if (place === undefined || schedule === undefined)
          return yield* wrong("Appointment.slot", "there is no such Slot")
        return { schedule, start: place.start }
      }
      if (request.schedule === undefined)
        return yield* refuse(
          400,
          "required",
          "Appointment.slot: is required, or the parameter schedule",
          "Appointment.slot"
        )
      const schedule = yield* schedules.at(owner, scheduleIn(targetOf(request.schedule, base)?.id ?? ""))
      if (schedule === undefined) return yield* wrong("schedule", "there is no such Schedule")
      return { schedule, start: undefined }
    })

    /** Fails if participants or the service name something else than the slot does. */
    const ensureConsistent = Effect.fnUntraced(function* (appointment: Json, schedule: DoctorWithType) {
      const codes = listOf(appointment.serviceType)
        .flatMap(({ coding }) => listOf(coding))
        .filter(({ system }) => system === TYPE_SYSTEM)
      if (codes.some(({ code }) => code !== schedule.type_uid))
        return yield* wrong("Appointment.serviceType", "is not the service of the slot or schedule")
    })

    /** The patient among the participants; undefined if there is none, and one is sent. */
    const patientOf = Effect.fnUntraced(function* (
      { organisation_uid: owner }: FhirCaller,
      { appointment, patient }: BookRequest
    ) {
      const participants = listOf(appointment.participant)
      if (participants.length === 0 && patient === undefined) return yield* required("Appointment.participant")
      const ids = participants.flatMap(({ actor }) => {
        const target = targetOf(textOf(recordOf(actor).reference) ?? "", base)
        return target?.type === "Patient" ? [target.id] : []
      })
      const [id, ...others] = [...new Set(ids)]
      if (id === undefined && patient !== undefined) return undefined
      if (id === undefined) return yield* required("Appointment.participant.actor of type Patient")
      if (others.length > 0) return yield* wrong("Appointment.participant", "must name one Patient")
      const found = yield* patients.find(owner, id)
      if (found === undefined) {
        const merged = yield* patients.findMerge(owner, id)
        return yield* wrong(
          "Appointment.participant",
          merged === undefined ? "there is no such Patient" : `is merged into Patient/${fhirId(merged.patient_uid)}`
        )
      }
      if (found.deleted) return yield* wrong("Appointment.participant", "there is no such Patient")
      return { patient_uid: found.uid, shop_uid: found.shop_uid }
    })

    /** A patient who is made, or updated, with the booking: one of the organisation's only shop, known by an identifier. */
    const newPatientOf = Effect.fnUntraced(function* ({ organisation_uid: owner, rights }: FhirCaller, patient: Json) {
      if (!rights.has("Patient.c"))
        return yield* refuse(403, "forbidden", "Sending a patient needs the right to create Patient")
      const customer = listOf(patient.identifier).flatMap(({ system, value }) =>
        typeof value === "string" && value !== "" ? customerOf(textOf(system), value) : []
      )[0]
      if (customer === undefined)
        return yield* wrong("patient.identifier", "is required, so that the patient is known again")
      const [shop, ...others] = (yield* shops.list(owner, { page: 0, limit: 2 })).rows
      if (shop === undefined || others.length > 0)
        return yield* wrong("patient", "the organisation has several shops: book for a Patient who is known")
      return {
        shop_uid: shop.uid,
        shop_customer_id: customer,
        patient_profile_fields: Object.entries(profileOf(patient)).map(([field, value]) => ({ field, value }))
      }
    })

    /** Keeps what has no place in the appointment. A replayed booking keeps the first. */
    const remember = Effect.fnUntraced(function* (
      owner: string,
      appointment_uid: string,
      { instruction, related_person, ...priority }: Booking
    ) {
      const sealed = (column: SealedPlace["column"], text: string | null) =>
        envelope.seal({ table: "fhir_bookings", column, row: [owner, appointment_uid] }, text)
      const row = {
        organisation_uid: owner,
        appointment_uid,
        ...priority,
        instruction_encrypted: yield* sealed("instruction_encrypted", instruction),
        related_person_encrypted: yield* sealed("related_person_encrypted", related_person)
      }
      yield* Effect.orDie(sql`INSERT INTO fhir_bookings ${sql.insert(row)} ON CONFLICT DO NOTHING`)
    })

    const move = Effect.fnUntraced(function* (
      caller: FhirCaller,
      original: StoredAppointment,
      wanted: { readonly schedule: DoctorWithType; readonly start: number; readonly patient_uid: string | undefined },
      comment: string | undefined
    ) {
      if (original.patient_uid !== wanted.patient_uid)
        return yield* wrong("Appointment.participant", "must name the patient of the appointment that is moved")
      const { doctor_uid, type_uid } = wanted.schedule
      const request = yield* Effect.mapError(
        decodeMove({ new_start_date: wanted.start, new_doctor_uid: doctor_uid, appointment_type_uid: type_uid }),
        (error) => invalidOf(error)
      )
      const moving = comment === undefined ? request : { ...request, visit_reason: comment }
      const { appointment_uid } = yield* rebookings.rebook(caller, original.uid, moving)
      return appointment_uid
    })

    /** The appointment that the request replaces: named by `cancelled-appt-id`, or by its own id. */
    const originalOf = Effect.fnUntraced(function* (caller: FhirCaller, { appointment, cancelled }: BookRequest) {
      if (cancelled !== undefined) {
        const target = targetOf(cancelled, base)
        if (target === undefined || (target.type !== undefined && target.type !== "Appointment"))
          return yield* wrong("cancelled-appt-id", "must name an Appointment of this server")
        return yield* Effect.asSome(booked.find(caller, target.id))
      }
      const id = textOf(appointment.id)
      const target = id === undefined ? undefined : targetOf(id, base)
      return target === undefined
        ? Option.none<StoredAppointment>()
        : yield* Effect.option(booked.find(caller, target.id))
    })

    /**
     * Books, or moves in one transaction. Fails with `FhirRefused`, and as a booking or a rebooking by API key. A replay of the
     * request's key returns the first appointment.
     */
    const book = Effect.fn("FhirBookings.book")(function* (caller: FhirCaller, request: BookRequest) {
      const { organisation_uid } = caller
      const { appointment } = request
      const kept = yield* keptIn(request)
      const [start, end] = [yield* instantOf(appointment, "start"), yield* instantOf(appointment, "end")]
      if (appointment.status !== "proposed") return yield* wrong("Appointment.status", "must be proposed")
      const place = yield* placeOf(caller, request)
      const known = yield* patientOf(caller, request)
      if (place.start !== undefined && place.start !== start)
        return yield* wrong("Appointment.start", "is not the start of the slot")
      yield* ensureConsistent(appointment, place.schedule)
      const { doctor_uid, type_uid, duration_minutes } = place.schedule
      if (end <= start) return yield* wrong("Appointment.end", "must be after the start")
      if (end - start !== duration_minutes * 60)
        return yield* wrong("Appointment.end", `must be ${duration_minutes} minutes after the start`)
      const comment = textOf(appointment.comment)
      const original = yield* originalOf(caller, request)
      if (Option.isSome(original) && !caller.rights.has("Appointment.u"))
        return yield* refuse(403, "forbidden", "Moving an appointment needs the right to change it")
      const uid = Option.isSome(original)
        ? yield* move(
            caller,
            original.value,
            { schedule: place.schedule, start, patient_uid: known?.patient_uid },
            comment
          )
        : yield* Effect.mapError(
            decodeBooking({
              ...(known ?? (yield* newPatientOf(caller, request.patient ?? {}))),
              doctor_uid,
              appointment_type_uid: type_uid,
              start_date: start,
              visit_reason: comment ?? null
            }),
            (error) => invalidOf(error)
          ).pipe(
            Effect.flatMap((booking) => holds.book(caller, booking)),
            Effect.map((hold) => hold.uid)
          )
      yield* remember(organisation_uid, uid, kept)
      return yield* Effect.flatMap(appointments.find(caller, uid), (stored) => booked.formOf(caller, stored))
    })

    /** Cancels by a JSON Patch or a FHIRPath Patch, if the version is the one given. An appointment that is cancelled already stays as it is. */
    const patch = Effect.fn("FhirBookings.patch")(function* (
      caller: FhirCaller,
      id: string,
      body: unknown,
      ifMatch: string | undefined
    ) {
      const uid = yield* booked.uidOf(caller.organisation_uid, id)
      return yield* transaction(
        Effect.gen(function* () {
          const now = yield* clock.now
          const stored = yield* appointments
            .lock(caller, uid, now)
            .pipe(Effect.catchTag("AppointmentNotFound", () => notFound("Appointment", id)))
          // As this caller sees it, with the version that this caller was given
          const whole = yield* booked.formOf(caller, stored)
          if (ifMatch !== undefined && ifMatch !== versionIn(whole))
            return yield* refuse(412, "conflict", "The appointment has changed since it was read: read it again")
          const { code, text } = yield* cancellationIn(body, whole)
          if (stored.status !== "cancelled") yield* appointments.cancel(caller, uid, storedReason(code, text))
          return yield* booked.formOf(caller, yield* appointments.find(caller, uid))
        })
      )
    })

    return { book, patch, instructionsOf } as const
  }),
  dependencies: [
    AppointmentLists.Default,
    Appointments.Default,
    FhirAppointments.Default,
    FhirPatients.Default,
    FhirSchedules.Default,
    FhirSettings.Default,
    KeyHolds.Default,
    Rebookings.Default,
    ShopsRepo.Default
  ]
}) {}
