import { groupOf } from "../../../http/group.ts"
import { RecordsApi } from "../../shared/http/records/RecordsApi.ts"

export const group = groupOf(RecordsApi)
