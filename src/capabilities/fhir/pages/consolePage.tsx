/** The console's page of the FHIR interface. */
import { Effect } from "effect"
import type { AddedPage } from "../../shared/http/pages.ts"
import { FhirApi } from "../http/FhirClientsApi.ts"
import { settingsIn } from "../schemas/settings.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { FhirPage } from "./FhirPage.tsx"

export const fhirPage: AddedPage = {
  path: "fhir",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/settings" },
  hiddenFrom: ["reception", "assistant", "doctor_assistant", "billing", "read_only"],
  show: Effect.fn("console.fhir")(function* ({ api, clientOf, baseUrl, language }) {
    const own = { api: yield* clientOf(FhirApi) }
    const { data } = yield* own.api["admin.fhir_clients"].list({ urlParams: {} })
    const { fhir } = yield* settingsIn(yield* api["organisation.settings"].one({}))
    return {
      title: deskTextsOf(language).title,
      live: false,
      body: <FhirPage enabled={fhir.enabled} clients={data} base={baseUrl} />
    }
  })
}
