/** What is kept beside an appointment that was booked by FHIR, in an export. */
import { Schema } from "effect"
import { described } from "../../../schemas/fields.ts"
import { AppointmentUid } from "../../../schemas/ids.ts"

export const ExportedInstruction = Schema.Struct({
  appointment_uid: AppointmentUid,
  instruction: described(Schema.NullOr(Schema.String), "As sent; null: none was"),
  related_person: Schema.NullOr(Schema.String).annotations({
    description: "Who booked for the patient: a RelatedPerson, as JSON; null: nobody else",
    examples: ['{"resourceType":"RelatedPerson","name":[{"family":"Example","given":["Erika"]}]}']
  })
}).annotations({ identifier: "ExportedInstruction" })
