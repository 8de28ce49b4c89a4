/** Contract: recent requests of an API key (section 2.11). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { AnyKey } from "../../../http/credentials/credentials.ts"
import { problem } from "../../../http/problems.ts"
import { Listed } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { RequestEntry, RequestsQuery } from "../schemas/RequestEntry.ts"

class RequestsGroup extends apiGroup(
  "requests",
  HttpApiEndpoint.get("list", "/requests")
    .setUrlParams(RequestsQuery)
    .addSuccess(Listed(RequestEntry))
    .addError(problem(Invalid))
    .annotate(OpenApi.Summary, "List the key's latest requests")
    .annotate(
      OpenApi.Description,
      "Requests of the last hour, newest first, at most 100, without bodies and queries; requests for this list are not " +
        "included. Each process lists only the requests that it has answered itself since it started."
    )
)
  .middleware(AnyKey)
  .prefix("/v1")
  .annotate(Noun, "Request")
  .annotate(Recorded, "addresses and outcomes, no bodies")
  .annotate(OpenApi.Title, "Requests")
  .annotate(OpenApi.Description, "Recent requests of the calling API key, for debugging") {}

export const RequestsApi = HttpApi.make("request-log").add(RequestsGroup)
