/** What the FHIR interface offers: one table, which the router obeys and the CapabilityStatement states. Rule 20.1. */
import { byWord } from "../../../schemas/byWord.ts"
import type { Letter, ResourceType } from "../schemas/rights.ts"
import { PROFILES } from "../services/forms.ts"
import { searchParameters } from "../services/searches.ts"

export type Interaction = "read" | "search-type" | "patch"

export interface Offer {
  /** Canonical address of the ISiK profile; none where core FHIR applies. */
  readonly profile: string | undefined
  readonly interactions: Readonly<Partial<Record<Interaction, Letter>>>
  /** Operations on the type, with the right that they need. */
  readonly operations: Readonly<Record<string, { readonly letter: Letter; readonly definition: string }>>
  /** Whether reading is in the audit log. */
  readonly audited: boolean
}

const readable = { read: "r", "search-type": "s" } as const
const settings = (profile: string): Offer => ({
  profile: `${PROFILES}/${profile}`,
  interactions: readable,
  operations: byWord({}),
  audited: false
})

export const offers: Readonly<Record<ResourceType, Offer>> = {
  Schedule: settings("ISiKKalender"),
  Slot: settings("ISiKTerminblock"),
  HealthcareService: settings("ISiKMedizinischeBehandlungseinheit"),
  Practitioner: settings("ISiKPersonImGesundheitsberuf"),
  Patient: { profile: undefined, interactions: readable, operations: byWord({}), audited: true },
  Questionnaire: { profile: undefined, interactions: readable, operations: byWord({}), audited: false },
  QuestionnaireResponse: { profile: undefined, interactions: readable, operations: byWord({}), audited: true },
  Appointment: {
    profile: `${PROFILES}/ISiKTermin`,
    interactions: { ...readable, patch: "u" },
    operations: byWord({
      book: { letter: "c" as const, definition: "https://gematik.de/fhir/isik/OperationDefinition/AppointmentBook" }
    }),
    audited: true
  }
}

const documentation: Readonly<Record<Interaction, string>> = {
  read: "The current version; `ETag` names it.",
  "search-type": "By GET, or by POST to `_search` with the parameters as a form.",
  patch:
    "A JSON Patch or a FHIRPath Patch that sets `status` to `cancelled`, with `cancelationReason` if wanted; `If-Match` is obeyed."
}

const resourceOf = (type: ResourceType) => {
  const { profile, interactions, operations } = offers[type]
  const parameters = searchParameters[type].map(({ name, kind, definition, documentation: text, modifiers }) => ({
    name,
    definition,
    type: kind,
    documentation: modifiers.length === 0 ? text : `${text} Modifiers: ${modifiers.map((one) => `:${one}`).join(", ")}.`
  }))
  const named = Object.entries(operations).map(([name, { definition }]) => ({ name, definition }))
  return {
    type,
    ...(profile !== undefined && { supportedProfile: [profile] }),
    interaction: (Object.keys(interactions) as ReadonlyArray<Interaction>).map((code) => ({
      code,
      documentation: documentation[code]
    })),
    versioning: "no-version",
    searchParam: parameters,
    ...(named.length > 0 && { operation: named })
  }
}

/** `types`: those that are offered. */
export const capabilityStatement = (
  base: string,
  version: string,
  date: string,
  types: ReadonlyArray<ResourceType>
) => ({
  resourceType: "CapabilityStatement",
  url: `${base}/metadata`,
  version,
  name: "Sprechstunde",
  title: "Sprechstunde: appointments by FHIR",
  status: "active",
  experimental: false,
  date,
  publisher: "Sprechstunde",
  description: "Schedules, slots and appointments in the profiles of ISiK Terminplanung, stage 5.",
  kind: "instance",
  software: { name: "Sprechstunde", version },
  implementation: { description: "Sprechstunde", url: base },
  fhirVersion: "4.0.1",
  format: ["application/fhir+json", "application/fhir+xml"],
  patchFormat: ["application/json-patch+json", "application/fhir+json", "application/fhir+xml"],
  rest: [
    {
      mode: "server",
      documentation:
        "Parameters that are not listed are refused. `_summary` and `_elements` apply to every read and search.",
      security: {
        cors: false,
        service: [
          {
            coding: [
              {
                system: "http://terminology.hl7.org/CodeSystem/restful-security-service",
                code: "SMART-on-FHIR",
                display: "SMART-on-FHIR"
              }
            ],
            text: "SMART backend services; API keys in X-API-Key too"
          }
        ]
      },
      resource: types.map(resourceOf)
    }
  ]
})
