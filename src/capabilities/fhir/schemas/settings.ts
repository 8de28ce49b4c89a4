/** What the interface adds to organisations: its switch. Rule 20.1.2. */
import { Schema } from "effect"
import type { AddedFields } from "../../../schemas/addedFields.ts"
import { Flag } from "../../../schemas/fields.ts"

const fhir = Schema.Struct({
  enabled: Flag.annotations({ description: "Whether it uses the FHIR interface" })
}).annotations({ identifier: "FhirSettings", description: "The FHIR interface; switched off, its paths are 404" })

export const fhirFields: AddedFields = { fhir: { schema: fhir, absent: { enabled: false } } }
export const settingsIn = Schema.decodeUnknown(Schema.Struct({ fhir }))
