/** Contract: what happened, as a feed to be read at leisure (Rule 6.5). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { EventFeed, EventFeedQuery } from "../../schemas/events/EventFeed.ts"
import { Invalid } from "../../schemas/problems.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { RequiredPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"

export class EventsApi extends HttpApiGroup.make("management.events")
  .add(
    HttpApiEndpoint.get("feed", "/events")
      .setUrlParams(EventFeedQuery)
      .addSuccess(EventFeed)
      .addError(problem(Invalid))
      .annotate(RequiredPermissions, ["scheduling:read"])
      .annotate(OpenApi.Summary, "Read events in order")
      .annotate(
        OpenApi.Description,
        "The organisation's events, the same as webhooks tell, kept for 30 days: what a webhook missed is here. Read on with `after` = the last id you have; an id that is not kept (any more) is 400."
      )
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(OpenApi.Title, "Management: events")
  .annotate(OpenApi.Description, "The feed of the organisation's events, kept for 30 days") {}
