/** `_summary` and `_elements`: a resource with some of its elements. */
import type { ResourceType } from "../schemas/rights.ts"
import type { Json } from "./serialise.ts"

export interface View {
  readonly summary: "true" | "false" | "text" | "data" | "count"
  readonly elements: ReadonlyArray<string> | undefined
}

/** The elements that FHIR marks for summaries. */
const summaries: Readonly<Record<ResourceType, ReadonlyArray<string>>> = {
  Schedule: ["identifier", "active", "serviceType", "specialty", "actor"],
  Slot: ["identifier", "serviceType", "specialty", "schedule", "status", "start", "end"],
  HealthcareService: ["identifier", "active", "type", "specialty", "name", "comment"],
  Practitioner: ["identifier", "active", "name", "telecom", "address", "gender", "birthDate"],
  Patient: ["identifier", "active", "name", "telecom", "gender", "birthDate", "address"],
  Questionnaire: ["url", "version", "title", "status", "subjectType"],
  QuestionnaireResponse: ["questionnaire", "status", "subject", "authored"],
  Appointment: [
    "contained",
    "identifier",
    "status",
    "cancelationReason",
    "serviceType",
    "specialty",
    "start",
    "end",
    "participant"
  ]
}

/** Elements that are always there, since FHIR or the profile requires them. */
const mandatory: Readonly<Record<ResourceType, ReadonlyArray<string>>> = {
  Schedule: ["active", "serviceType", "specialty", "actor"],
  Slot: ["schedule", "status", "start", "end"],
  HealthcareService: ["active", "type", "specialty", "name"],
  Practitioner: [],
  Patient: [],
  Questionnaire: ["status"],
  QuestionnaireResponse: ["status"],
  // A participant may be a contained resource
  Appointment: ["contained", "status", "serviceType", "start", "end", "participant"]
}

const SUBSETTED = {
  system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
  code: "SUBSETTED"
}

const subset = (resource: Json, names: ReadonlyArray<string>): Json => {
  const kept = Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => ["resourceType", "id", "meta"].includes(name) || names.includes(name.replace(/^_/, ""))
    )
  )
  const meta = resource.meta as { readonly tag?: ReadonlyArray<unknown> } | undefined // every resource of ours has one
  return { ...kept, meta: { ...meta, tag: [...(meta?.tag ?? []), SUBSETTED] } }
}

export const viewed = (type: ResourceType, resource: Json, { summary, elements }: View): Json => {
  if (elements !== undefined) return subset(resource, [...elements, ...mandatory[type]])
  if (summary === "true") return subset(resource, summaries[type])
  if (summary === "text") return subset(resource, mandatory[type])
  return resource
}
