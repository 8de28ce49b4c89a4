/** Contract: what an API key asked lately (section 2.11). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { RequestEntry, RequestsQuery } from "../../schemas/access/RequestEntry.ts"
import { Listed } from "../../schemas/paging.ts"
import { Invalid } from "../../schemas/problems.ts"
import { AnyKey } from "../credentials/credentials.ts"
import { problem } from "../problems.ts"

export class RequestsApi extends HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.get("list", "/requests")
      .setUrlParams(RequestsQuery)
      .addSuccess(Listed(RequestEntry))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List the key's latest requests")
      .annotate(
        OpenApi.Description,
        "Those of the last hour, the newest first, at most 100, without bodies and queries; asking for them is none of them. " +
          "Each process tells of those that it has answered itself since it started."
      )
  )
  .middleware(AnyKey)
  .prefix("/v1")
  .annotate(OpenApi.Title, "Requests")
  .annotate(OpenApi.Description, "What the calling API key asked lately, for finding out what went wrong") {}
