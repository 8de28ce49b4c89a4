import { Effect, Layer } from "effect"
import { currentOrganisation, inOrganisation } from "../../../../http/credentials/credentials.ts"
import { groupOf } from "../../../../http/group.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { AppointmentTypeNotFound } from "../../../../schemas/scheduling/errors.ts"
import { AppointmentTypes } from "../../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { inLanguage } from "../../../../texts/inLanguage.ts"
import { Organisations } from "../../../shared/services/Organisations.ts"
import { MessagePreviews } from "../../services/previews/MessagePreviews.ts"
import { SentMessages } from "../../services/SentMessages.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

/** In a practice that has no types yet. */
const anyType = { name: "…", duration_minutes: 20, preparation: null }

export const ReportsHttp = groupOf(ConsoleApi)("management.reports", (handlers) =>
  Effect.gen(function* () {
    const messages = yield* SentMessages
    const previews = yield* MessagePreviews
    const types = yield* AppointmentTypes
    const doctors = yield* Doctors
    const organisations = yield* Organisations
    /** The first doctor, for a made-up appointment. */
    const doctorOf = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const { name, timezone } = yield* Effect.orDie(organisations.find(owner))
      const [doctor] = yield* doctors.list(owner, {})
      return { doctor_display_name: doctor?.display_name ?? name, timezone }
    })
    return handlers
      .handle("messages", ({ urlParams }) => inOrganisation((owner) => messages.list(owner, urlParams)))
      .handle("resend", ({ path: { message_uid } }) => inOrganisation((owner) => messages.resend(owner, message_uid)))
      .handle("tell", ({ path: { message_uid } }) => inOrganisation((owner) => messages.tell(owner, message_uid)))
      .handle("preview", ({ urlParams: { appointment_type_uid, ...query } }) =>
        Effect.gen(function* () {
          const owner = yield* currentOrganisation
          const type = (yield* types.list(owner, {})).find(({ uid }) => uid === appointment_type_uid)
          if (type === undefined) return yield* new AppointmentTypeNotFound()
          return yield* previews.preview(owner, query, {
            type: query.recipient_role === "patient" ? inLanguage(type, query.language) : type,
            ...(yield* doctorOf(owner))
          })
        })
      )
      .handle("preview_texts", ({ payload }) =>
        Effect.gen(function* () {
          const owner = yield* currentOrganisation
          const [type] = yield* types.list(owner, {})
          return yield* previews.previewTexts(owner, payload, {
            type: type === undefined ? anyType : inLanguage(type, payload.language),
            ...(yield* doctorOf(owner))
          })
        })
      )
  })
).pipe(
  Layer.provide([
    SentMessages.Default,
    MessagePreviews.Default,
    AppointmentTypes.Default,
    Doctors.Default,
    Organisations.Default
  ])
)
