/** What `$book` is sent. Rule 20.7. */
import { Effect } from "effect"
import { type Booking, PRIORITY_EXTENSION, priorities, relatedPersonOf } from "./forms.ts"
import { type Json, listOf, recordOf, required, textOf, wrong } from "./json.ts"
import { refuse } from "./refused.ts"

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

/** Parameters that are taken; each once. */
const PARAMETERS = ["appt-resource", "cancelled-appt-id", "schedule", "patient", "related-person"]

/** The request in an Appointment, or in Parameters. */
export const bookRequestIn = Effect.fnUntraced(function* (body: Json) {
  if (body.resourceType === "Appointment") {
    const alone: BookRequest = {
      appointment: body,
      cancelled: undefined,
      schedule: undefined,
      patient: undefined,
      related: undefined
    }
    return alone
  }
  if (body.resourceType !== "Parameters")
    return yield* refuse(400, "structure", "The body must be an Appointment or Parameters", "resourceType")
  const all = listOf(body.parameter)
  const unknown = all.find(({ name }) => !PARAMETERS.includes(String(name)))
  if (unknown !== undefined)
    return yield* refuse(
      422,
      "not-supported",
      `Parameters.parameter: ${String(unknown.name).slice(0, 64)} is not supported`
    )
  const one = (name: string) => {
    const [first, ...more] = all.filter((parameter) => parameter.name === name)
    return more.length > 0
      ? refuse(400, "structure", `Parameters.parameter: ${name} is sent more than once`)
      : Effect.succeed(first)
  }
  const appointment = recordOf((yield* one("appt-resource"))?.resource)
  if (appointment.resourceType !== "Appointment") return yield* required("appt-resource")
  const cancelling = yield* one("cancelled-appt-id")
  const cancelled = textOf(cancelling?.valueUri ?? cancelling?.valueString ?? cancelling?.valueId)
  if (cancelling !== undefined && cancelled === undefined) return yield* required("cancelled-appt-id.valueUri")
  const scheduled = yield* one("schedule")
  const schedule = textOf(recordOf(scheduled?.valueReference).reference)
  if (scheduled !== undefined && schedule === undefined) return yield* required("schedule.valueReference.reference")
  const resourceIn = Effect.fnUntraced(function* (name: string, type: string) {
    const sent = yield* one(name)
    const resource = sent === undefined ? undefined : recordOf(sent.resource)
    if (resource !== undefined && resource.resourceType !== type) return yield* required(`${name}.resource`)
    return resource
  })
  const patient = yield* resourceIn("patient", "Patient")
  const related = yield* resourceIn("related-person", "RelatedPerson")
  const request: BookRequest = { appointment, cancelled, schedule, patient, related }
  return request
})

export const instantOf = Effect.fnUntraced(function* (appointment: Json, name: "start" | "end") {
  const text = textOf(appointment[name])
  if (text === undefined) return yield* required(`Appointment.${name}`)
  const millis = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(millis))
    return yield* refuse(400, "value", `Appointment.${name}: must be an instant with an offset`, `Appointment.${name}`)
  return millis / 1000
})

/** Longest instruction and longest version of a code system, characters. */
const [INSTRUCTION_MAX, VERSION_MAX] = [5_000, 255]
/** Most that is kept of a RelatedPerson, characters. */
const PERSON_MAX = 5_000

const priorityOf = Effect.fnUntraced(function* (appointment: Json) {
  const extension = listOf(recordOf(appointment._priority).extension).find(({ url }) => url === PRIORITY_EXTENSION)
  if (extension === undefined) return { priority_code: null, priority_version: null }
  const coding = listOf(recordOf(extension.valueCodeableConcept).coding)[0]
  const [code, version] = [textOf(coding?.code), textOf(coding?.version)]
  if (code === undefined || priorities[code] === undefined)
    return yield* wrong("Appointment.priority", "must be a code of the value set ISiKTerminPriority")
  return { priority_code: code, priority_version: version?.slice(0, VERSION_MAX) ?? null }
})

const instructionOf = Effect.fnUntraced(function* (appointment: Json) {
  const text = textOf(appointment.patientInstruction) ?? null
  if (text !== null && text.length > INSTRUCTION_MAX)
    return yield* wrong("Appointment.patientInstruction", `must have at most ${INSTRUCTION_MAX} characters`)
  return text
})

/** What is kept of who books for the patient. */
const relatedOf = Effect.fnUntraced(function* (related: Json | undefined) {
  if (related === undefined) return null
  if (listOf(related.name).length === 0) return yield* wrong("related-person.name", "is required")
  const text = relatedPersonOf(related)
  if (text.length > PERSON_MAX)
    return yield* wrong("related-person", `name, telecom and relationship must have at most ${PERSON_MAX} characters`)
  return text
})

/** What is kept beside the appointment. */
export const keptIn = Effect.fnUntraced(function* ({ appointment, related }: BookRequest) {
  const booking: Booking = {
    ...(yield* priorityOf(appointment)),
    instruction: yield* instructionOf(appointment),
    related_person: yield* relatedOf(related)
  }
  return booking
})
