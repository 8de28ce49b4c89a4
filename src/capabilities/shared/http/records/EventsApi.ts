/** Contract: the feed of an organisation's events (Rule 6.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../../http/problems.ts"
import { EventFeed, EventFeedQuery } from "../../../../schemas/events/EventFeed.ts"
import { Invalid } from "../../../../schemas/problems.ts"

export class EventsApi extends apiGroup(
  "management.events",
  HttpApiEndpoint.get("feed", "/events")
    .setUrlParams(EventFeedQuery)
    .addSuccess(EventFeed)
    .addError(problem(Invalid))
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(OpenApi.Identifier, "listEvents")
    .annotate(OpenApi.Summary, "Read events in order")
    .annotate(
      OpenApi.Description,
      "The organisation's events, the same as webhooks deliver, kept for 30 days: also those that a webhook has missed. For the next page send `after` with the last id; an unknown or deleted id is 400."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: events")
  .annotate(OpenApi.Description, "The feed of the organisation's events, kept for 30 days") {}
