/** Moving many appointments at once, each to its first free time. Rule 7.2.8. */
import { capability } from "../../capability.ts"
import { BulkMovesApi } from "../shared/http/BulkMovesApi.ts"
import { BulkMovesHttp } from "./http/BulkMovesHttp.ts"

export const bulkMovesCapability = capability({
  name: "bulk-moves",
  switched: false,
  api: BulkMovesApi,
  http: BulkMovesHttp,
  deskOperations: ["management.bulk_moves."]
})
