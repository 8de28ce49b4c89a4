/** The FHIR interface: schedules, slots and appointments in the profiles of ISiK Terminplanung. Section 20 of the specification. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { dataBody } from "../../http/admission/bodyLimits.ts"
import { extension } from "../../services/Extensions.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList, ownerCheck } from "../shared/services/provisioning/entry.ts"
import { FhirApi } from "./http/FhirClientsApi.ts"
import { FhirClientsHttp } from "./http/FhirClientsHttp.ts"
import { FhirHttp } from "./http/FhirHttp.ts"
import { SmartHttp } from "./http/SmartHttp.ts"
import { fhirPage } from "./pages/consolePage.tsx"
import { ExportedInstruction } from "./schemas/ExportedInstruction.ts"
import { FhirClientEntry } from "./schemas/FhirClient.ts"
import { fhirFields } from "./schemas/settings.ts"
import { FhirBookings } from "./services/FhirBookings.ts"
import { FhirClients } from "./services/FhirClients.ts"

export const manifest = capability({
  name: "fhir",
  services: Layer.merge(FhirClients.Default, FhirBookings.Default),
  api: FhirApi,
  http: Layer.mergeAll(FhirClientsHttp, FhirHttp, SmartHttp),
  credentialRoutes: { "/fhir/r4": dataBody },
  lists: {
    fhir_clients: {
      entry: FhirClientEntry,
      example: [
        {
          client_id: "hospital-portal",
          organisation_uid: exampleUids.organisation_uid,
          name: "Portal of the hospital",
          jwks_uri: "https://portal.example.org/jwks.json",
          scopes: ["system/Schedule.rs", "system/Slot.rs", "system/Appointment.crus"]
        }
      ]
    }
  },
  organisationFields: fhirFields,
  tables: { fhir_clients: "copied", fhir_assertions: "organisation_uid", fhir_bookings: "organisation_uid" },
  staffPages: { pages: [fhirPage] },
  appointmentRecords: {
    fhir_bookings: {
      name: "instructions",
      description: "Instructions for the patient, and who booked for them, as booked by FHIR",
      record: ExportedInstruction,
      blanked: ["instruction_encrypted", "related_person_encrypted"]
    }
  },
  extension: Effect.gen(function* () {
    const clients = yield* FhirClients
    const bookings = yield* FhirBookings
    const ensureOwner = yield* ownerCheck
    return extension({
      ofPatient: (owner, patient) => ({ instructions: bookings.instructionsOf(owner, patient) }),
      provisioning: [
        addedList<FhirClientEntry>("fhir_clients", {
          key: ({ client_id }) => client_id,
          named: "client_id",
          // A file is applied at each start, also while a name server is away
          examine: (client) => clients.examine(client, true),
          write: (client, path) =>
            Effect.zipRight(
              ensureOwner("fhir_clients", "client_id", client.client_id, client.organisation_uid, path),
              clients.provision(client)
            ),
          rows: ({ client_id, organisation_uid }) => [["fhir_clients", { organisation_uid, client_id }]]
        })
      ]
    })
  })
})
