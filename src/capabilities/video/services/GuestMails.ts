/** Tells a guest the link: by mail, else by SMS, in their language. It says nothing about the patient. Rule 5.7.9. */
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { e164Of } from "../../../services/e164.ts"
import { Mailer } from "../../../services/notifications/Mailer.ts"
import { MailTemplate } from "../../../services/notifications/MailTemplate.ts"
import { rendered } from "../../../services/notifications/mail.ts"
import { Recipients } from "../../../services/notifications/Recipients.ts"
import { SmsGateway, SmsRefused } from "../../../services/notifications/SmsGateway.ts"
import { shortTime } from "../../../services/notifications/times.ts"
import { Service } from "../../../services/Service.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { fill } from "../../../texts/fill.ts"
import { languageOfProfile } from "../../../texts/language.ts"
import type { Guest } from "../schemas/Guest.ts"
import { guestTexts } from "../texts/guest.ts"

interface Invitation extends Pick<Guest, "uid" | "role" | "name" | "email" | "phone" | "language"> {
  readonly organisation_uid: OrganisationUid
  readonly timezone: string
  readonly start_date: number
  readonly url: string
}

export class GuestMails extends Service<GuestMails>()("video/GuestMails", {
  effect: Effect.gen(function* () {
    const mailer = yield* Mailer
    const template = yield* MailTemplate
    const recipients = yield* Recipients
    const gateway = yield* SmsGateway

    /** One that is refused for good is logged and not tried again. Fails with `MailDelayed` and `SmsDelayed`. */
    const send = Effect.fn("GuestMails.send")(function* (guest: Invitation) {
      const { organisation_uid, email, phone, url, start_date, timezone } = guest
      const language = languageOfProfile(guest.language)
      const { name, branding, country_code } = yield* recipients.sender(organisation_uid)
      const texts = guestTexts(language)
      const { closing, greeting } = catalogue[language].messages
      const when = shortTime({ language, timezone }, start_date)
      const values = { organisation: name, when, role: texts.roles[guest.role], name: guest.name }
      const message_id = `${guest.uid}-${start_date}`
      const message = Effect.gen(function* () {
        if (email !== null) {
          const content = {
            language,
            subject: fill(texts.subject, values),
            practice: { name, branding: { ...branding, logo: null } },
            greeting: fill(greeting, values),
            opening: fill(texts.opening, values),
            facts: [[catalogue[language].messages.when, when]] as const,
            links: [[texts.open, url]] as const,
            hint: texts.secrecy,
            closing: fill(closing, values)
          }
          return yield* mailer.send({
            message_id,
            to: { name: guest.name, address: email },
            ...rendered(content, template.html),
            ...(branding.sender_name !== null && { from_name: branding.sender_name }),
            ...(branding.reply_to !== null && { reply_to: branding.reply_to })
          })
        }
        if (phone === null) return
        const to = e164Of(phone, country_code)
        if (to === undefined)
          return yield* new SmsRefused({ reason: "the telephone number cannot be brought to E.164" })
        yield* gateway.send({ message_id, to, text: `${fill(texts.opening, values)}\n${url}\n${name}` })
      })
      const refused = ({ reason }: { readonly reason: string }) =>
        Effect.logWarning(`A guest's invitation was refused: ${reason}`)
      yield* Effect.catchTags(message, { MailRefused: refused, SmsRefused: refused })
    })

    return { send } as const
  }),
  dependencies: [Recipients.Default]
}) {}
