/** The records of an organisation in the interface: itself, doctors, shops, patients, resources, keys and events. Section 12. */
import { capability } from "../../capability.ts"
import { RecordsApi } from "../shared/http/records/RecordsApi.ts"
import { RecordsHttp } from "./http/RecordsHttp.ts"

export const practiceRecordsCapability = capability({
  name: "practice-records",
  switched: false,
  api: RecordsApi,
  http: RecordsHttp
})
