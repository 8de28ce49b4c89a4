/**
 * The search parameters of each resource type: what the CapabilityStatement claims, and what a search may send. Anything else is refused.
 * Rule 20.5.
 */
import type { ResourceType } from "../schemas/rights.ts"

export type ParameterKind = "token" | "reference" | "date" | "string" | "number"

export interface SearchParameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly definition: string
  /** Modifiers without the colon. */
  readonly modifiers: ReadonlyArray<string>
  readonly documentation: string
}

const core = (owner: string, name: string) => `http://hl7.org/fhir/SearchParameter/${owner}-${name.replace(/^_/, "")}`

const parameter = (
  owner: string,
  name: string,
  kind: ParameterKind,
  documentation: string,
  modifiers: ReadonlyArray<string> = []
): SearchParameter => ({ name, kind, definition: core(owner, name), modifiers, documentation })

const PREFIXES = "Prefixes eq, gt, lt, ge, le, sa, eb; a time without an offset is in the organisation's zone."
const TOKEN = "`code`, `system|code` or `system|`."

const byId = parameter("Resource", "_id", "token", "One id or several, separated by commas.")
const common = [
  byId,
  parameter("Resource", "_lastUpdated", "date", PREFIXES),
  {
    ...parameter("Resource", "_count", "number", "Resources on a page: 1 to 1000, of slots to 10000; 100 by default."),
    definition: "http://hl7.org/fhir/SearchParameter/Resource-count"
  }
]

export const searchParameters: Readonly<Record<ResourceType, ReadonlyArray<SearchParameter>>> = {
  Schedule: [
    ...common,
    parameter("Schedule", "active", "token", "`true` or `false`.", ["not"]),
    parameter("Schedule", "service-type", "token", `${TOKEN} The code is the appointment type's uid.`, ["not"]),
    parameter("Schedule", "specialty", "token", TOKEN, ["not"]),
    parameter("Schedule", "actor", "reference", "A Practitioner.")
  ],
  Slot: [
    ...common,
    parameter("Slot", "schedule", "reference", "A Schedule; also chained, as `schedule.actor=Practitioner/id`."),
    parameter("Slot", "status", "token", "`free` or `busy`; not without `schedule` or `start`."),
    parameter("Slot", "start", "date", `${PREFIXES} One value; may be repeated. Without it: from now on.`)
  ],
  HealthcareService: [
    ...common,
    parameter("HealthcareService", "active", "token", "`true` or `false`.", ["not"]),
    parameter("HealthcareService", "service-type", "token", `${TOKEN} The code is the appointment type's uid.`, [
      "not"
    ]),
    parameter("HealthcareService", "specialty", "token", TOKEN, ["not"]),
    parameter("HealthcareService", "name", "string", "The beginning of the name, in upper or lower case.", [
      "contains",
      "exact"
    ])
  ],
  Practitioner: [
    ...common,
    parameter("Practitioner", "identifier", "token", "The uid."),
    parameter("Practitioner", "name", "string", "The beginning of a part of the name, in upper or lower case.", [
      "contains",
      "exact"
    ])
  ],
  Patient: [
    ...common,
    parameter("Patient", "identifier", "token", "The uid, or the shop's identifier of its customer."),
    parameter("Patient", "family", "string", "The beginning, in upper or lower case.", ["contains", "exact"]),
    parameter("Patient", "given", "string", "The beginning, in upper or lower case.", ["contains", "exact"]),
    parameter("Patient", "birthdate", "date", "A whole date, without a prefix.")
  ],
  Questionnaire: [{ ...byId, documentation: `${byId.documentation} Required.` }],
  QuestionnaireResponse: [
    byId,
    parameter("QuestionnaireResponse", "patient", "reference", "A Patient; this or `_id`.")
  ],
  Appointment: [
    ...common,
    parameter(
      "Resource",
      "_tag",
      "token",
      "Those booked by FHIR have `http://fhir.de/CodeSystem/common-meta-tag-de|external`."
    ),
    parameter("Appointment", "status", "token", "A status of FHIR.", ["not"]),
    parameter("Appointment", "service-type", "token", `${TOKEN} The code is the appointment type's uid.`, ["not"]),
    parameter("Appointment", "specialty", "token", TOKEN, ["not"]),
    parameter("Appointment", "date", "date", `The start. ${PREFIXES}`),
    parameter("Appointment", "slot", "reference", "A Slot."),
    parameter("Appointment", "actor", "reference", "A Patient, a Practitioner or a HealthcareService."),
    parameter("Appointment", "patient", "reference", "A Patient.")
  ]
}
