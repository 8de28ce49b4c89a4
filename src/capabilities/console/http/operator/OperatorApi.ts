/** Contract: the operator API, for the whole installation (section 8.5). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BodyLimit, MIB, ValuesLimit } from "../../../../http/admission/bodyLimits.ts"
import { CostClass } from "../../../../http/admission/costClasses.ts"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { OperatorToken } from "../../../../http/credentials/credentials.ts"
import { addProblems, problem } from "../../../../http/problems.ts"
import { OrganisationNotFound, ShopNotFound } from "../../../../schemas/access/errors.ts"
import { WaitingOrderNotFound } from "../../../../schemas/checkout/errors.ts"
import { SubscriptionInactive, SubscriptionNotFound } from "../../../../schemas/events/errors.ts"
import { WebhookBacklog } from "../../../../schemas/events/WebhookBacklog.ts"
import { OrganisationUid, SubscriptionUid } from "../../../../schemas/ids.ts"
import { Listed, Paged } from "../../../../schemas/paging.ts"
import { Invalid, PreconditionFailed, Unavailable } from "../../../../schemas/problems.ts"
import { DeadLetterNotFound } from "../../schemas/errors.ts"
import {
  BacklogReplay,
  DeadLetter,
  DeadLetterUid,
  InstallationStatus,
  JobQueue,
  OrganisationState,
  Owner,
  OwnerQuery,
  ParkedPayout,
  PayoutResumption,
  ProvisioningRequest,
  ProvisioningResult,
  ReleasedOrder,
  ReplayedBacklog,
  ResumedPayouts,
  RetriedOrders,
  WaitingOrder
} from "../../schemas/Installation.ts"

addProblems(404, DeadLetterNotFound)

const letter = Schema.Struct({ dead_letter_uid: DeadLetterUid })
const letters = "/dead-letters"

export class OperatorApi extends apiGroup(
  "operator",
  HttpApiEndpoint.get("status", "/status")
    .addSuccess(InstallationStatus)
    .annotate(OpenApi.Identifier, "getInstallationStatus")
    .annotate(Recorded, "the installation, no patients and no secrets")
    .annotate(
      OpenApi.Summary,
      "Read health, versions, replicas, the master key's state, mails, disk, backup and errors"
    ),
  HttpApiEndpoint.get("owners", "/owners")
    .setUrlParams(OwnerQuery)
    .addSuccess(Paged(Owner))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listOwners")
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "Find organisations and pharmacies")
    .annotate(OpenApi.Description, "By name."),
  HttpApiEndpoint.get("organisation", "/organisations/:organisation_uid")
    .setPath(Schema.Struct({ organisation_uid: OrganisationUid }))
    .addSuccess(OrganisationState)
    .addError(problem(OrganisationNotFound))
    .annotate(OpenApi.Identifier, "getOrganisationState")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read what an organisation lacks, its mails and its members")
    .annotate(OpenApi.Description, "The read is recorded in the organisation's log."),
  HttpApiEndpoint.get("queues", "/queues")
    .addSuccess(Listed(JobQueue))
    .annotate(OpenApi.Identifier, "listJobQueues")
    .annotate(Recorded, "the installation, no patients and no secrets")
    .annotate(OpenApi.Summary, "List the queues with their job counts"),
  HttpApiEndpoint.get("dead_letters", letters)
    .addSuccess(Listed(DeadLetter))
    .annotate(OpenApi.Identifier, "listDeadLetters")
    .annotate(Recorded, "identifiers alone")
    .annotate(OpenApi.Summary, "List dead letters: jobs that have failed all attempts")
    .annotate(OpenApi.Description, "Latest first; at most 200. They are kept for 30 days."),
  HttpApiEndpoint.post("retry", `${letters}/:dead_letter_uid/retry`)
    .setPath(letter)
    .addSuccess(DeadLetter)
    .addError(problem(DeadLetterNotFound))
    .annotate(OpenApi.Identifier, "retryDeadLetter")
    .annotate(OpenApi.Summary, "Send a dead letter back to its queue, with a new set of attempts"),
  HttpApiEndpoint.del("settle", `${letters}/:dead_letter_uid`)
    .setPath(letter)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(DeadLetterNotFound))
    .annotate(OpenApi.Identifier, "deleteDeadLetter")
    .annotate(OpenApi.Summary, "Delete a dead letter"),
  HttpApiEndpoint.get("webhooks", "/webhooks")
    .addSuccess(Listed(WebhookBacklog))
    .annotate(OpenApi.Identifier, "listWebhookBacklog")
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "List the webhook backlog by subscription")
    .annotate(
      OpenApi.Description,
      "Subscriptions with pending or failed deliveries; the longest wait first, at most 500."
    ),
  HttpApiEndpoint.post("replay_webhooks", "/webhooks/:subscription_uid/replay")
    .setPath(Schema.Struct({ subscription_uid: SubscriptionUid }))
    .setPayload(BacklogReplay)
    .addSuccess(ReplayedBacklog)
    .addError(problem(Invalid, SubscriptionNotFound, SubscriptionInactive))
    .annotate(OpenApi.Identifier, "replayWebhookBacklog")
    .annotate(OpenApi.Summary, "Send a subscription's failed deliveries again")
    .annotate(OpenApi.Description, "With the same `webhook-id`, a new set of attempts, and in order."),
  HttpApiEndpoint.get("parked_payouts", "/parked-payouts")
    .addSuccess(Listed(ParkedPayout))
    .annotate(OpenApi.Identifier, "listParkedPayouts")
    .annotate(Recorded, "money, no patients")
    .annotate(OpenApi.Summary, "List payouts that wait for an operator")
    .annotate(OpenApi.Description, "By pharmacy, the oldest orders first; at most 1,000."),
  HttpApiEndpoint.post("resume_payouts", "/parked-payouts/resume")
    .setPayload(PayoutResumption)
    .addSuccess(ResumedPayouts)
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "resumeParkedPayouts")
    .annotate(OpenApi.Summary, "Route an order's parked payouts after their cause is fixed"),
  HttpApiEndpoint.get("waiting_orders", "/waiting-orders")
    .addSuccess(Listed(WaitingOrder))
    .annotate(OpenApi.Identifier, "listWaitingOrders")
    .annotate(Recorded, "numbers of orders, no patients and no secrets")
    .annotate(OpenApi.Summary, "List shop orders that could not be created yet")
    .annotate(OpenApi.Description, "The longest wait first. They are retried every five minutes."),
  HttpApiEndpoint.post("retry_orders", "/waiting-orders/retry")
    .addSuccess(RetriedOrders)
    .annotate(OpenApi.Identifier, "retryWaitingOrders")
    .annotate(OpenApi.Summary, "Retry the waiting orders now"),
  HttpApiEndpoint.post("release_order", "/waiting-orders/release")
    .setPayload(ReleasedOrder)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(WaitingOrderNotFound, ShopNotFound))
    .annotate(OpenApi.Identifier, "releaseWaitingOrder")
    .annotate(OpenApi.Summary, "Release an order that waits for an anamnesis, without one")
    .annotate(
      OpenApi.Description,
      "Somebody of the organisation has decided that the order needs none. Its prescription can then be signed externally."
    ),
  HttpApiEndpoint.post("provision", "/provisioning")
    .setHeaders(IfMatch)
    .setPayload(ProvisioningRequest)
    .addSuccess(ProvisioningResult)
    .addError(problem(Invalid, PreconditionFailed, Unavailable))
    .annotate(CostClass, "report")
    .annotate(BodyLimit, 4 * MIB)
    .annotate(ValuesLimit, 50_000)
    .annotate(OpenApi.Identifier, "applyProvisioningFile")
    .annotate(OpenApi.Summary, "Compare a provisioning file with the current records, or apply it")
    .annotate(
      OpenApi.Description,
      "`dry_run`, the default, changes nothing and returns the differences. Sent with the `ETag` of a dry run as `If-Match`, the file is applied only if the differences are still the same. Errors name their JSON path below `file`."
    )
)
  .middleware(OperatorToken)
  .prefix("/v1/operator")
  .annotate(OpenApi.Title, "Operator")
  .annotate(OpenApi.Description, "Health, queues, backlogs and provisioning of the whole installation") {}
