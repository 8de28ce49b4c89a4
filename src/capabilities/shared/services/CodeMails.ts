/**
 * Mails for which the user of a page waits: a code that verifies an address, a link that books. They contain none of the user's input,
 * so that they cannot be abused to send text to strangers in the practice's name.
 */
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Mailer } from "../../../services/notifications/Mailer.ts"
import { MailTemplate } from "../../../services/notifications/MailTemplate.ts"
import { rendered } from "../../../services/notifications/mail.ts"
import { Recipients } from "../../../services/notifications/Recipients.ts"
import { Service } from "../../../services/Service.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import type { Texts } from "../../../texts/de.ts"
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"

interface AwaitedMail {
  readonly organisation_uid: OrganisationUid
  readonly message_id: string
  readonly address: string
  readonly language: Language
  /** Its texts; `subject` may name `{organisation}` and `{code}`. */
  readonly about: Texts["messages"]["again"]
}

export class CodeMails extends Service<CodeMails>()("notifications/CodeMails", {
  effect: Effect.gen(function* () {
    const mailer = yield* Mailer
    const template = yield* MailTemplate
    const recipients = yield* Recipients

    /** Mails a code, or a link. Fails as the mailer does. */
    const send = Effect.fn("CodeMails.send")(function* ({
      organisation_uid,
      message_id,
      address,
      language,
      about,
      ...what
    }: AwaitedMail & ({ readonly code: string } | { readonly url: string })) {
      const { name, branding } = yield* recipients.sender(organisation_uid)
      const code = "code" in what ? what.code : ""
      const { greeting, opening, hint } = about
      const content = {
        subject: fill(about.subject, { code, organisation: name }),
        facts: "code" in what ? [[about.label, code] as const] : [],
        links: "url" in what ? [[about.label, what.url] as const] : [],
        practice: { name, branding: { ...branding, logo: null } },
        closing: fill(catalogue[language].messages.closing, { organisation: name })
      }
      yield* mailer.send({
        message_id,
        to: { name: "", address },
        ...rendered({ ...content, language, greeting, opening, hint }, template.html),
        ...(branding.sender_name !== null && { from_name: branding.sender_name }),
        ...(branding.reply_to !== null && { reply_to: branding.reply_to })
      })
    })
    return { send } as const
  }),
  dependencies: [Recipients.Default]
}) {}
