/** Mails to people who work here. They are sent after the answer, which does not wait for the mail server. */
import { Duration, Effect, Schedule } from "effect"
import type { Branding } from "../../../schemas/access/Branding.ts"
import { Mailer } from "../../../services/notifications/Mailer.ts"
import { type MailContent, MailTemplate } from "../../../services/notifications/MailTemplate.ts"
import { rendered } from "../../../services/notifications/mail.ts"
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import { noBranding } from "../../shared/schemas/BrandingBodies.ts"
import { staffMailTexts } from "../texts/mails.ts"

interface StaffMail
  extends Pick<MailContent, "language" | "subject" | "greeting" | "opening" | "facts" | "links" | "hint"> {
  readonly message_id: string
  readonly to: string
  readonly name: string
  readonly practice: string
  readonly branding?: Branding
}

/** Attempts while the mail server does not answer; after them the person asks again. */
const attempts = Schedule.exponential(Duration.seconds(2)).pipe(Schedule.intersect(Schedule.recurs(5)))

export class StaffMails extends Effect.Service<StaffMails>()("console/StaffMails", {
  effect: Effect.gen(function* () {
    const mailer = yield* Mailer
    const template = yield* MailTemplate

    const send = ({ message_id, to, name, practice, branding = noBranding, ...content }: StaffMail) => {
      const { closing } = staffMailTexts(content.language)
      const shown = { name: practice, branding: { ...branding, logo: null } }
      return mailer
        .send({
          message_id,
          to: { name, address: to },
          ...rendered({ ...content, practice: shown, closing }, template.html),
          ...(branding.sender_name !== null && { from_name: branding.sender_name }),
          ...(branding.reply_to !== null && { reply_to: branding.reply_to })
        })
        .pipe(
          Effect.retry({ schedule: attempts, while: ({ _tag }) => _tag === "MailDelayed" }),
          Effect.catchAll((error) => Effect.logWarning("a mail to staff was not sent", error)),
          Effect.forkDaemon,
          Effect.asVoid
        )
    }

    const invitation = (invited: {
      readonly to: string
      readonly name: string
      readonly practice: string
      readonly branding: Branding
      readonly url: string
      readonly language: Language
      readonly message_id: string
    }) => {
      const { invitation: texts } = staffMailTexts(invited.language)
      const values = { practice: invited.practice, name: invited.name }
      return send({
        ...invited,
        subject: fill(texts.subject, values),
        greeting: fill(texts.greeting, values),
        opening: fill(texts.opening, values),
        facts: [],
        links: [[texts.accept, invited.url]],
        hint: texts.hint
      })
    }

    const code = (asked: {
      readonly to: string
      readonly code: string
      readonly language: Language
      readonly message_id: string
    }) => {
      const { code: texts } = staffMailTexts(asked.language)
      return send({
        ...{ to: asked.to, language: asked.language, message_id: asked.message_id, name: "", practice: "Sprechstunde" },
        subject: fill(texts.subject, { code: asked.code }),
        greeting: texts.greeting,
        opening: texts.opening,
        facts: [[texts.label, asked.code]],
        links: [],
        hint: texts.hint
      })
    }
    return { invitation, code } as const
  })
}) {}
