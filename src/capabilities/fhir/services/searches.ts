/**
 * The search parameters of each resource type: what the CapabilityStatement claims, and what a search may send. Anything else is refused.
 * Rule 20.5.
 */
import { Effect } from "effect"
import type { ResourceType } from "../schemas/rights.ts"
import { appointmentStatuses } from "./forms.ts"
import { type Given, givenOf, type ParameterKind, type ReadBy, type SearchParameter } from "./parameters.ts"
import { badParameter } from "./refused.ts"

const core = (owner: string, name: string) => `http://hl7.org/fhir/SearchParameter/${owner}-${name.replace(/^_/, "")}`

const parameter = (
  owner: string,
  name: string,
  kind: ParameterKind,
  documentation: string,
  modifiers: ReadonlyArray<string> = [],
  values: Pick<SearchParameter, "codes" | "isDay" | "isSingle"> = {}
): SearchParameter => ({ name, kind, definition: core(owner, name), modifiers, documentation, ...values })

const reference = (owner: string, name: string, documentation: string, ...targets: ReadonlyArray<string>) => ({
  ...parameter(owner, name, "reference", documentation),
  targets
})

const active = (owner: string) =>
  parameter(owner, "active", "token", "`true` or `false`.", ["not"], { codes: ["true", "false"] })
const slotStatuses = ["free", "busy", "busy-unavailable", "busy-tentative", "entered-in-error"]

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
    active("Schedule"),
    parameter("Schedule", "service-type", "token", `${TOKEN} The code is the appointment type's uid.`, ["not"]),
    parameter("Schedule", "specialty", "token", TOKEN, ["not"]),
    reference("Schedule", "actor", "A Practitioner.", "Practitioner")
  ],
  Slot: [
    ...common,
    reference("Slot", "schedule", "A Schedule; also chained, as `schedule.actor=Practitioner/id`.", "Schedule"),
    parameter("Slot", "status", "token", "`free` or `busy`; not without `schedule` or `start`.", [], {
      codes: slotStatuses
    }),
    parameter("Slot", "start", "date", `${PREFIXES} One value; may be repeated. Without it: from now on.`, [], {
      isSingle: true
    })
  ],
  HealthcareService: [
    ...common,
    active("HealthcareService"),
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
    parameter("Patient", "birthdate", "date", "A whole date, without a prefix.", [], { isDay: true })
  ],
  Questionnaire: [{ ...byId, documentation: `${byId.documentation} Required.` }],
  QuestionnaireResponse: [byId, reference("QuestionnaireResponse", "patient", "A Patient; this or `_id`.", "Patient")],
  Appointment: [
    ...common,
    parameter(
      "Resource",
      "_tag",
      "token",
      "Those booked by FHIR have `http://fhir.de/CodeSystem/common-meta-tag-de|external`."
    ),
    parameter("Appointment", "status", "token", "A status of FHIR.", ["not"], { codes: appointmentStatuses }),
    parameter("Appointment", "service-type", "token", `${TOKEN} The code is the appointment type's uid.`, ["not"]),
    parameter("Appointment", "specialty", "token", TOKEN, ["not"]),
    parameter("Appointment", "date", "date", `The start. ${PREFIXES}`),
    reference("Appointment", "slot", "A Slot.", "Slot"),
    reference(
      "Appointment",
      "actor",
      "A Patient, a Practitioner or a HealthcareService.",
      ...["Patient", "Practitioner", "HealthcareService"]
    ),
    reference("Appointment", "patient", "A Patient.", "Patient")
  ]
}

/** Chained, so in no CapabilityStatement. */
const byActor = reference("Slot", "schedule.actor", "A Practitioner.", "Practitioner")

/** Parameters of the answer's form, not of the search. */
const FORM_PARAMETERS = ["_format", "_pretty", "_summary", "_elements", "_count", "_cursor"]

/** The parameters of a search of the type that have a value. Fails with `FhirRefused` for what the type does not have. */
export const searchGiven = Effect.fnUntraced(function* (type: ResourceType, query: URLSearchParams, by: ReadBy) {
  const all: Array<Given> = []
  for (const [key, text] of query) {
    if (FORM_PARAMETERS.includes(key) || /^,*$/.test(text)) continue
    const [name = "", ...modifier] = key.split(":")
    const known = [...searchParameters[type], ...(type === "Slot" ? [byActor] : [])].find((one) => one.name === name)
    if (known === undefined)
      return yield* badParameter(name.slice(0, 64), `is no search parameter of ${type}`, "not-supported")
    all.push(yield* givenOf(known, modifier.length === 0 ? undefined : modifier.join(":"), text, by))
  }
  return all
})
