/** Contract: what an organisation reads and changes of its records beyond types, hours and reminders (section 12). */
import { HttpApi } from "@effect/platform"
import { ApiKeysApi } from "./ApiKeysApi.ts"
import { ConsentsApi } from "./ConsentsApi.ts"
import { DoctorsApi } from "./DoctorsApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { OrganisationApi } from "./OrganisationApi.ts"
import { OrganisationDoctorsApi } from "./OrganisationDoctorsApi.ts"
import { PatientsApi } from "./PatientsApi.ts"
import { ResourceHoursApi } from "./ResourceHoursApi.ts"
import { ResourcesApi } from "./ResourcesApi.ts"
import { ShopsApi } from "./ShopsApi.ts"

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
