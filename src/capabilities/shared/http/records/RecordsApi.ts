/** Contract: what an organisation reads and changes of its records beyond types, hours and reminders (section 12). */
import { HttpApi } from "@effect/platform"
import {
  ApiKeysApi,
  ConsentsApi,
  EventsApi,
  OrganisationApi,
  OrganisationDoctorsApi,
  PatientsApi,
  ShopsApi
} from "./OrganisationApi.ts"
import { DoctorsApi, ResourceHoursApi, ResourcesApi } from "./PracticeApi.ts"

export const RecordsApi = HttpApi.make("practice-records")
  .add(DoctorsApi)
  .add(ResourcesApi)
  .add(ResourceHoursApi)
  .add(OrganisationApi)
  .add(OrganisationDoctorsApi)
  .add(ShopsApi)
  .add(PatientsApi)
  .add(ConsentsApi)
  .add(EventsApi)
  .add(ApiKeysApi)
