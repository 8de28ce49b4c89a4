import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { inData } from "../../../http/inData.ts"
import { Statistics } from "../services/Statistics.ts"
import { StatisticsApi } from "./StatisticsApi.ts"

export const StatisticsHttp = groupOf(StatisticsApi)("management.statistics", (handlers) =>
  Effect.map(Statistics, (statistics) =>
    handlers
      .handle("statistics", ({ urlParams }) =>
        inOrganisation((owner) =>
          // Up to 30,000 rows, which encoding by their schema would not change
          Effect.map(statistics.list(owner, urlParams), (data) => HttpServerResponse.unsafeJson({ data }))
        )
      )
      .handle("resource_statistics", ({ urlParams }) =>
        inData(inOrganisation((owner) => statistics.resources(owner, urlParams)))
      )
  )
)
