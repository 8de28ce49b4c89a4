/** Booking, moving and cancelling by FHIR: the same services as by interface, in another form. Rule 20.7. */
import { Effect, Option, Predicate, Schema } from "effect"
import { invalidOf } from "../../../schemas/faults.ts"
import { type OrganisationUid, type PatientUid, ShopUid } from "../../../schemas/ids.ts"
import { NewKeyBooking } from "../../../schemas/scheduling/KeyHold.ts"
import { Rebooking } from "../../../schemas/scheduling/Rebooking.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Appointments } from "../../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../../services/scheduling/appointments/Rebookings.ts"
import {
  publicAppointment,
  type StoredAppointment
} from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { KeyHolds } from "../../../services/scheduling/booking/KeyHolds.ts"
import { Envelope, type SealedPlace } from "../../../services/sealing/Envelope.ts"
import { ExportedInstruction } from "../schemas/ExportedInstruction.ts"
import { type FhirCaller, FhirRecords } from "./FhirRecords.ts"
import {
  type Booking,
  type CancellationCode,
  customerOf,
  isCancellationCode,
  PRIORITY_EXTENSION,
  priorities,
  profileOf,
  type Resource,
  relatedPersonOf,
  type ScheduleOf,
  storedReason,
  TYPE_SYSTEM,
  versionIn
} from "./forms.ts"
import { fhirId, scheduleIn, slotIn } from "./ids.ts"
import { targetOf } from "./parameters.ts"
import { type FhirRefused, notFound, refuse } from "./refused.ts"

type Json = Readonly<Record<string, unknown>>
const listOf = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter((one): one is Json => Predicate.isRecord(one)) : []
const recordOf = (value: unknown): Json => (Predicate.isRecord(value) ? value : {})
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)

/** What `$book` was sent. */
export interface BookRequest {
  readonly appointment: Json
  readonly cancelled: string | undefined
  readonly schedule: string | undefined
  /** A Patient who may not be known yet. */
  readonly patient: Json | undefined
  /** A RelatedPerson who books for the patient. */
  readonly related: Json | undefined
}

const required = (at: string) => refuse(400, "required", `${at}: is required`, at)
const wrong = (at: string, text: string) => refuse(422, "value", `${at}: ${text}`, at)

/** Parameters that are taken; each once. */
const PARAMETERS = ["appt-resource", "cancelled-appt-id", "schedule", "patient", "related-person"]

/** The request in an Appointment, or in Parameters. Throws `FhirRefused`. */
export const bookRequestIn = (body: Json): BookRequest => {
  if (body.resourceType === "Appointment")
    return { appointment: body, cancelled: undefined, schedule: undefined, patient: undefined, related: undefined }
  if (body.resourceType !== "Parameters")
    throw refuse(400, "structure", "The body must be an Appointment or Parameters", "resourceType")
  const all = listOf(body.parameter)
  const unknown = all.find(({ name }) => !PARAMETERS.includes(String(name)))
  if (unknown !== undefined)
    throw refuse(422, "not-supported", `Parameters.parameter: ${String(unknown.name).slice(0, 64)} is not supported`)
  const one = (name: string) => {
    const [first, ...more] = all.filter((parameter) => parameter.name === name)
    if (more.length > 0) throw refuse(400, "structure", `Parameters.parameter: ${name} is sent more than once`)
    return first
  }
  const appointment = recordOf(one("appt-resource")?.resource)
  if (appointment.resourceType !== "Appointment") throw required("appt-resource")
  const cancelling = one("cancelled-appt-id")
  const cancelled = textOf(cancelling?.valueUri ?? cancelling?.valueString ?? cancelling?.valueId)
  if (cancelling !== undefined && cancelled === undefined) throw required("cancelled-appt-id.valueUri")
  const scheduled = one("schedule")
  const schedule = textOf(recordOf(scheduled?.valueReference).reference)
  if (scheduled !== undefined && schedule === undefined) throw required("schedule.valueReference.reference")
  const resourceIn = (name: string, type: string) => {
    const sent = one(name)
    const resource = sent === undefined ? undefined : recordOf(sent.resource)
    if (resource !== undefined && resource.resourceType !== type) throw required(`${name}.resource`)
    return resource
  }
  const [patient, related] = [resourceIn("patient", "Patient"), resourceIn("related-person", "RelatedPerson")]
  return { appointment, cancelled, schedule, patient, related }
}

const instantOf = (appointment: Json, name: "start" | "end") => {
  const text = textOf(appointment[name])
  if (text === undefined) throw required(`Appointment.${name}`)
  const millis = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(millis))
    throw refuse(400, "value", `Appointment.${name}: must be an instant with an offset`, `Appointment.${name}`)
  return millis / 1000
}

/** Longest instruction and longest version of a code system, characters. */
const [INSTRUCTION_MAX, VERSION_MAX] = [5_000, 255]
/** Most that is kept of a RelatedPerson, characters. */
const PERSON_MAX = 5_000

const priorityOf = (appointment: Json) => {
  const extension = listOf(recordOf(appointment._priority).extension).find(({ url }) => url === PRIORITY_EXTENSION)
  if (extension === undefined) return { priority_code: null, priority_version: null }
  const coding = listOf(recordOf(extension.valueCodeableConcept).coding)[0]
  const [code, version] = [textOf(coding?.code), textOf(coding?.version)]
  if (code === undefined || priorities[code] === undefined)
    throw wrong("Appointment.priority", "must be a code of the value set ISiKTerminPriority")
  return { priority_code: code, priority_version: version?.slice(0, VERSION_MAX) ?? null }
}

const instructionOf = (appointment: Json) => {
  const text = textOf(appointment.patientInstruction) ?? null
  if (text !== null && text.length > INSTRUCTION_MAX)
    throw wrong("Appointment.patientInstruction", `must have at most ${INSTRUCTION_MAX} characters`)
  return text
}

/** What is kept of who books for the patient. */
const relatedOf = (related: Json | undefined) => {
  if (related === undefined) return null
  if (listOf(related.name).length === 0) throw wrong("related-person.name", "is required")
  const text = relatedPersonOf(related)
  if (text.length > PERSON_MAX)
    throw wrong("related-person", `name, telecom and relationship must have at most ${PERSON_MAX} characters`)
  return text
}

interface Cancelling {
  readonly code: CancellationCode
  readonly text: string | undefined
}

/** One operation of a JSON Patch. */
const PatchOperation = Schema.Struct({
  op: Schema.Literal("add", "replace", "test"),
  path: Schema.String,
  value: Schema.Unknown
})
const decodePatch = Schema.decodeUnknownOption(Schema.Array(PatchOperation))
type PatchOperation = typeof PatchOperation.Type

/** The value at a JSON pointer; undefined if there is none. */
const valueAt = (resource: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, part) ? (value as Json)[part] : undefined,
      resource
    )

const concept = (value: unknown): Partial<Cancelling> => {
  const code = listOf(recordOf(value).coding)[0]?.code
  if (!isCancellationCode(code))
    throw wrong("Appointment.cancelationReason", "must be a code of the value set ISiKTerminCancelationReason")
  return { code, text: textOf(recordOf(value).text) }
}

/** The path of an element in FHIRPath, such as `Appointment.cancelationReason.text`, as a JSON pointer. Throws `FhirRefused`. */
const pointerOf = (path: string) => {
  if (!/^Appointment(\.[A-Za-z]+(\[\d+\])?)*$/.test(path))
    throw refuse(422, "not-supported", `${path.slice(0, 128)}: only paths of names below Appointment are supported`)
  return path.slice("Appointment".length).replaceAll(/[.[]/g, "/").replaceAll("]", "")
}

/** The operations of a FHIRPath Patch, as those of a JSON Patch. Throws `FhirRefused`. */
const operationsIn = (parameters: Json): ReadonlyArray<unknown> =>
  listOf(parameters.parameter).map(({ name, part }) => {
    if (name !== "operation") throw refuse(400, "structure", "Parameters.parameter: each must be an operation")
    const parts = new Map(
      listOf(part).map((one) => [
        String(one.name),
        Object.entries(one).find(([key]) => key.startsWith("value"))?.[1] ?? null
      ])
    )
    const at = pointerOf(String(parts.get("path")))
    const added = parts.has("name") ? `/${String(parts.get("name"))}` : ""
    return { op: parts.get("type"), path: at + added, value: parts.get("value") }
  })

/** Elements that only a booking changes. */
const BOOKED = /^\/(slot|start|end|participant)(\/|$)/

/** The cancellation in a JSON Patch, or in a FHIRPath Patch; tests are checked against the resource as it is. Throws `FhirRefused`. */
export const cancellationIn = (patch: unknown, current: Resource): Cancelling => {
  const operations = decodePatch(Predicate.isRecord(patch) ? operationsIn(patch) : patch)
  if (Option.isNone(operations) || operations.value.length === 0 || operations.value.length > 20)
    throw refuse(400, "structure", "The body must be a JSON Patch or a FHIRPath Patch with add, replace and test")
  let isCancelled = false
  let reason: Partial<Cancelling> = {}
  const apply = ({ op, path, value }: PatchOperation) => {
    if (op === "test") {
      if (!Bun.deepEquals(valueAt(current, path), value))
        throw refuse(422, "processing", `test: ${path} has another value`)
    } else if (path === "/status") {
      if (value !== "cancelled")
        throw refuse(
          422,
          "not-supported",
          "Appointment.status: can be changed to cancelled alone",
          "Appointment.status"
        )
      isCancelled = true
    } else if (path === "/cancelationReason") reason = concept(value)
    else if (path === "/cancelationReason/text" && typeof value === "string") reason = { ...reason, text: value }
    else if (BOOKED.test(path)) throw refuse(400, "business-rule", `${path.slice(0, 128)}: is changed by $book alone`)
    else throw refuse(422, "not-supported", `${path.slice(0, 128)}: cannot be changed`)
  }
  for (const operation of operations.value) apply(operation)
  if (!isCancelled)
    throw refuse(422, "not-supported", "A patch cancels: it sets the status to cancelled", "Appointment.status")
  return { code: reason.code ?? "other", text: reason.text }
}

const decodeBooking = Schema.decodeUnknown(NewKeyBooking, { errors: "all" })
const decodeMove = Schema.decodeUnknown(Rebooking, { errors: "all" })

export class FhirBookings extends Effect.Service<FhirBookings>()("fhir/FhirBookings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const records = yield* FhirRecords
    const holds = yield* KeyHolds
    const rebookings = yield* Rebookings
    const appointments = yield* Appointments
    const envelope = yield* Envelope
    const instructions = rowsOf(
      ExportedInstruction,
      envelope.openRows("fhir_bookings", ["organisation_uid", "appointment_uid"])
    )
    const shops = rowsOf(Schema.Struct({ shop_uid: ShopUid }))

    /** Instructions for the patient, and who booked for them. */
    const instructionsOf = Effect.fn("FhirBookings.instructionsOf")((owner: OrganisationUid, patient: PatientUid) =>
      instructions.all(sql`SELECT f.organisation_uid, f.appointment_uid, f.instruction_encrypted, f.related_person_encrypted
        FROM fhir_bookings f
        JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = f.appointment_uid
        WHERE f.organisation_uid = ${owner} AND a.patient_uid = ${patient}
          AND num_nonnulls(f.instruction_encrypted, f.related_person_encrypted) > 0
        ORDER BY a.start_date, a.uid`)
    )

    /** The doctor and the type that the request names by a slot or a schedule, and the slot's start. */
    const placeOf = Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, request: BookRequest) {
      const slots = listOf(request.appointment.slot)
      if (slots.length > 1) return yield* wrong("Appointment.slot", "must be one slot: an appointment has one")
      const slot = textOf(slots[0]?.reference)
      if (slot !== undefined) {
        const target = targetOf(slot, records.base)
        const place = target === undefined ? undefined : slotIn(target.id)
        if (place === undefined) return yield* wrong("Appointment.slot", "there is no such Slot")
        const found = yield* records.scheduleAt(owner, place)
        if (Option.isNone(found)) return yield* wrong("Appointment.slot", "there is no such Slot")
        return { schedule: found.value, start: place.start }
      }
      if (request.schedule === undefined)
        return yield* refuse(
          400,
          "required",
          "Appointment.slot: is required, or the parameter schedule",
          "Appointment.slot"
        )
      const target = targetOf(request.schedule, records.base)
      const place = target === undefined ? undefined : scheduleIn(target.id)
      const found = place === undefined ? Option.none() : yield* records.scheduleAt(owner, place)
      if (Option.isNone(found)) return yield* wrong("schedule", "there is no such Schedule")
      return { schedule: found.value, start: undefined }
    })

    /** Fails if participants or the service name something else than the slot does. */
    const ensureConsistent = Effect.fnUntraced(function* (appointment: Json, schedule: ScheduleOf) {
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
        const target = targetOf(textOf(recordOf(actor).reference) ?? "", records.base)
        return target?.type === "Patient" ? [target.id] : []
      })
      const [id, ...others] = [...new Set(ids)]
      if (id === undefined && patient !== undefined) return undefined
      if (id === undefined) return yield* required("Appointment.participant.actor of type Patient")
      if (others.length > 0) return yield* wrong("Appointment.participant", "must name one Patient")
      const found = yield* records.findPatient(owner, id)
      if (Option.isNone(found)) {
        const merged = Option.getOrUndefined(yield* records.findMerge(owner, id))
        return yield* wrong(
          "Appointment.participant",
          merged === undefined ? "there is no such Patient" : `is merged into Patient/${fhirId(merged.patient_uid)}`
        )
      }
      if (found.value.erased) return yield* wrong("Appointment.participant", "there is no such Patient")
      return found.value.uid
    })

    const shopOf = (owner: string, patient_uid: string) =>
      Effect.map(
        shops.one(sql`SELECT shop_uid FROM patients WHERE organisation_uid = ${owner} AND uid = ${patient_uid}`),
        ({ shop_uid }) => shop_uid
      )

    /** A patient who is made, or updated, with the booking: one of the organisation's only shop, known by an identifier. */
    const newPatientOf = Effect.fnUntraced(function* ({ organisation_uid: owner, rights }: FhirCaller, patient: Json) {
      if (!rights.has("Patient.c"))
        return yield* refuse(403, "forbidden", "Sending a patient needs the right to create Patient")
      const customer = listOf(patient.identifier).flatMap(({ system, value }) =>
        typeof value === "string" && value !== "" ? customerOf(textOf(system), value) : []
      )[0]
      if (customer === undefined)
        return yield* wrong("patient.identifier", "is required, so that the patient is known again")
      const [shop, ...others] = yield* shops.all(
        sql`SELECT uid AS shop_uid FROM shops WHERE organisation_uid = ${owner} ORDER BY uid LIMIT 2`
      )
      if (shop === undefined || others.length > 0)
        return yield* wrong("patient", "the organisation has several shops: book for a Patient who is known")
      return {
        shop_uid: shop.shop_uid,
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

    const shown = Effect.fnUntraced(function* (caller: FhirCaller, stored: StoredAppointment) {
      const [form] = yield* records.formsOf(caller, [publicAppointment(stored)])
      return form ?? (yield* Effect.dieMessage("an appointment has one form"))
    })

    const move = Effect.fnUntraced(function* (
      caller: FhirCaller,
      original: StoredAppointment,
      wanted: { readonly schedule: ScheduleOf; readonly start: number; readonly patient_uid: string | undefined },
      comment: string | undefined,
      key: string | undefined
    ) {
      if (original.patient_uid !== wanted.patient_uid)
        return yield* wrong("Appointment.participant", "must name the patient of the appointment that is moved")
      const { doctor_uid, type_uid } = wanted.schedule
      const request = yield* Effect.mapError(
        decodeMove({ new_start_date: wanted.start, new_doctor_uid: doctor_uid, appointment_type_uid: type_uid }),
        (error) => invalidOf(error)
      )
      const moving = comment === undefined ? request : { ...request, visit_reason: comment }
      const { appointment_uid } = yield* rebookings.rebook(caller, original.uid, moving, key)
      return appointment_uid
    })

    /** The appointment that the request replaces: named by `cancelled-appt-id`, or by its own id. */
    const originalOf = Effect.fnUntraced(function* (caller: FhirCaller, { appointment, cancelled }: BookRequest) {
      if (cancelled !== undefined) {
        const target = targetOf(cancelled, records.base)
        if (target === undefined || (target.type !== undefined && target.type !== "Appointment"))
          return yield* wrong("cancelled-appt-id", "must name an Appointment of this server")
        const uid = yield* records.appointmentUid(caller.organisation_uid, target.id)
        return Option.some(
          yield* Effect.catchTag(appointments.find(caller, uid), "AppointmentNotFound", () =>
            notFound("Appointment", target.id)
          )
        )
      }
      const id = textOf(appointment.id)
      const target = id === undefined ? undefined : targetOf(id, records.base)
      if (target === undefined) return Option.none<StoredAppointment>()
      return yield* records.appointmentUid(caller.organisation_uid, target.id).pipe(
        Effect.flatMap((uid) => appointments.find(caller, uid)),
        Effect.asSome,
        Effect.catchTags({
          AppointmentNotFound: () => Effect.succeed(Option.none<StoredAppointment>()),
          FhirRefused: () => Effect.succeed(Option.none<StoredAppointment>())
        })
      )
    })

    /**
     * Books, or moves in one transaction. Fails with `FhirRefused`, and as a booking or a rebooking by API key. With an idempotency key a
     * replay returns the first appointment.
     */
    const book = Effect.fn("FhirBookings.book")(function* (
      caller: FhirCaller,
      request: BookRequest,
      key: string | undefined
    ) {
      const { organisation_uid } = caller
      const { appointment } = request
      const [start, end, kept] = yield* Effect.try({
        try: () => {
          const booking: Booking = {
            ...priorityOf(appointment),
            instruction: instructionOf(appointment),
            related_person: relatedOf(request.related)
          }
          return [instantOf(appointment, "start"), instantOf(appointment, "end"), booking] as const
        },
        catch: (error) => error as FhirRefused // what these functions throw
      })
      if (appointment.status !== "proposed") return yield* wrong("Appointment.status", "must be proposed")
      const place = yield* placeOf(caller, request)
      const patient_uid = yield* patientOf(caller, request)
      if (place.start !== undefined && place.start !== start)
        return yield* wrong("Appointment.start", "is not the start of the slot")
      yield* ensureConsistent(appointment, place.schedule)
      const { doctor_uid, type_uid } = place.schedule
      const [offered] = yield* records.typesOf(organisation_uid, [type_uid])
      if (end <= start) return yield* wrong("Appointment.end", "must be after the start")
      if (offered !== undefined && end - start !== offered.duration_minutes * 60)
        return yield* wrong("Appointment.end", `must be ${offered.duration_minutes} minutes after the start`)
      const comment = textOf(appointment.comment)
      const original = yield* originalOf(caller, request)
      if (Option.isSome(original) && !caller.rights.has("Appointment.u"))
        return yield* refuse(403, "forbidden", "Moving an appointment needs the right to change it")
      const uid = Option.isSome(original)
        ? yield* move(caller, original.value, { schedule: place.schedule, start, patient_uid }, comment, key)
        : yield* Effect.mapError(
            decodeBooking({
              ...(patient_uid === undefined
                ? yield* newPatientOf(caller, request.patient ?? {})
                : { patient_uid, shop_uid: yield* shopOf(organisation_uid, patient_uid) }),
              doctor_uid,
              appointment_type_uid: type_uid,
              start_date: start,
              visit_reason: comment ?? null
            }),
            (error) => invalidOf(error)
          ).pipe(
            Effect.flatMap((booking) => holds.book(caller, booking, key)),
            Effect.map((booked) => booked.uid)
          )
      yield* remember(organisation_uid, uid, kept)
      return yield* Effect.flatMap(appointments.find(caller, uid), (stored) => shown(caller, stored))
    })

    /** Cancels by a JSON Patch or a FHIRPath Patch, if the version is the one given. An appointment that is cancelled already stays as it is. */
    const patch = Effect.fn("FhirBookings.patch")(function* (
      caller: FhirCaller,
      id: string,
      body: unknown,
      ifMatch: string | undefined
    ) {
      const uid = yield* records.appointmentUid(caller.organisation_uid, id)
      return yield* transaction(
        Effect.gen(function* () {
          const now = yield* clock.now
          const stored = yield* appointments
            .lock(caller, uid, now)
            .pipe(Effect.catchTag("AppointmentNotFound", () => notFound("Appointment", id)))
          // As this caller sees it, with the version that this caller was given
          const [whole] = yield* records.formsOf(caller, [publicAppointment(stored)])
          if (whole === undefined) return yield* notFound("Appointment", id)
          if (ifMatch !== undefined && ifMatch !== versionIn(whole))
            return yield* refuse(412, "conflict", "The appointment has changed since it was read: read it again")
          const { code, text } = yield* Effect.try({
            try: () => cancellationIn(body, whole),
            catch: (error) => error as FhirRefused // what it throws
          })
          if (stored.status !== "cancelled") yield* appointments.cancel(caller, uid, storedReason(code, text))
          return yield* shown(caller, yield* appointments.find(caller, uid))
        })
      )
    })

    return { book, patch, instructionsOf } as const
  }),
  dependencies: [Appointments.Default, FhirRecords.Default, KeyHolds.Default, Rebookings.Default]
}) {}
