/** Contract: sent messages and mail previews (section 7.8). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../../http/problems.ts"
import { MessageUid } from "../../../../schemas/ids.ts"
import { NewMessageText } from "../../../../schemas/notifications/MessageText.ts"
import { Paged } from "../../../../schemas/paging.ts"
import { Invalid } from "../../../../schemas/problems.ts"
import { AppointmentTypeNotFound } from "../../../../schemas/scheduling/errors.ts"
import { MessageNotFound } from "../../schemas/errors.ts"
import { MessagePreview, MessagePreviewQuery, MessageTextPreview } from "../../schemas/MessagePreview.ts"
import { MessageQuery, SentMessage } from "../../schemas/SentMessage.ts"

addProblems(404, MessageNotFound)

export class ReportsApi extends apiGroup(
  "management.reports",
  HttpApiEndpoint.get("messages", "/messages")
    .setUrlParams(MessageQuery)
    .addSuccess(Paged(SentMessage))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listMessages")
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "List messages with their outcome")
    .annotate(OpenApi.Description, "Latest first, until retention deletes them. Their text is not stored."),
  HttpApiEndpoint.post("resend", "/messages/:message_uid/resend")
    .setPath(Schema.Struct({ message_uid: MessageUid }))
    .addSuccess(SentMessage)
    .addError(problem(MessageNotFound))
    .annotate(OpenApi.Identifier, "resendMessage")
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Summary, "Send a message again")
    .annotate(
      OpenApi.Description,
      "One that was sent, failed or was skipped, with what is true now; one that waits stays as it is."
    ),
  HttpApiEndpoint.post("tell", "/messages/:message_uid/told")
    .setPath(Schema.Struct({ message_uid: MessageUid }))
    .addSuccess(SentMessage)
    .addError(problem(MessageNotFound))
    .annotate(OpenApi.Identifier, "markMessageTold")
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Summary, "Note that somebody told the recipient otherwise")
    .annotate(
      OpenApi.Description,
      "Such as by telephone, where the message did not arrive. Sending it again takes that back."
    ),
  HttpApiEndpoint.get("preview", "/messages/preview")
    .setUrlParams(MessagePreviewQuery)
    .addSuccess(MessagePreview)
    .addError(problem(Invalid, AppointmentTypeNotFound))
    .annotate(OpenApi.Identifier, "previewMessage")
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(Recorded, "a made-up appointment")
    .annotate(OpenApi.Summary, "Preview a mail")
    .annotate(OpenApi.Description, "For a sample appointment; nothing is sent."),
  HttpApiEndpoint.post("preview_texts", "/messages/preview")
    .setPayload(NewMessageText)
    .addSuccess(MessageTextPreview)
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "previewMessageTexts")
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(OpenApi.Summary, "Preview own texts of a message")
    .annotate(OpenApi.Description, "As a patient would get them, with made-up facts; nothing is stored or sent.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(OpenApi.Title, "Management: reports")
  .annotate(OpenApi.Description, "Sent messages") {}
