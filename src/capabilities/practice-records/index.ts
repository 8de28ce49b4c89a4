/** The records of an organisation in the interface: itself, doctors, shops, patients, resources, keys and events. Section 12. */
import { Layer } from "effect"
import { capability } from "../../capability.ts"
import { RecordsApi } from "../shared/http/records/RecordsApi.ts"
import { ApiKeysHttp } from "./http/ApiKeysHttp.ts"
import { ConsentsHttp } from "./http/ConsentsHttp.ts"
import { DoctorsHttp } from "./http/DoctorsHttp.ts"
import { EventsHttp } from "./http/EventsHttp.ts"
import { OrganisationDoctorsHttp } from "./http/OrganisationDoctorsHttp.ts"
import { OrganisationHttp } from "./http/OrganisationHttp.ts"
import { PatientsHttp } from "./http/PatientsHttp.ts"
import { ResourceHoursHttp } from "./http/ResourceHoursHttp.ts"
import { ResourcesHttp } from "./http/ResourcesHttp.ts"
import { ShopsHttp } from "./http/ShopsHttp.ts"

export const practiceRecordsCapability = capability({
  name: "practice-records",
  switched: false,
  api: RecordsApi,
  http: Layer.mergeAll(
    ApiKeysHttp,
    ConsentsHttp,
    DoctorsHttp,
    EventsHttp,
    OrganisationDoctorsHttp,
    OrganisationHttp,
    PatientsHttp,
    ResourceHoursHttp,
    ResourcesHttp,
    ShopsHttp
  )
})
