/**
 * Mails a code that verifies an address. Sent synchronously, since the user waits for it. Contains none of the user's input, so that it
 * cannot be abused to send text to strangers in the practice's name.
 */
import { Effect } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"
import { Mailer } from "./Mailer.ts"
import { type MailContent, MailTemplate } from "./MailTemplate.ts"
import { asText } from "./mail.ts"
import { Recipients } from "./Recipients.ts"

interface CodeMail {
  readonly organisation_uid: OrganisationUid
  readonly message_id: string
  readonly address: string
  readonly code: string
  readonly language: Language
}

export class CodeMails extends Effect.Service<CodeMails>()("notifications/CodeMails", {
  effect: Effect.gen(function* () {
    const mailer = yield* Mailer
    const template = yield* MailTemplate
    const recipients = yield* Recipients

    /** Fails as the mailer does. */
    const send = Effect.fn("CodeMails.send")(function* ({
      organisation_uid,
      message_id,
      address,
      code,
      language
    }: CodeMail) {
      const { name, branding } = yield* recipients.sender(organisation_uid)
      const texts = catalogue[language].messages
      const content: MailContent = {
        language,
        subject: fill(texts.code.subject, { code, organisation: name }),
        practice: { name, branding: { ...branding, logo: null } },
        greeting: texts.code.greeting,
        opening: texts.code.opening,
        facts: [[texts.code.label, code]],
        links: [],
        hint: texts.code.hint,
        closing: fill(texts.closing, { organisation: name })
      }
      yield* mailer.send({
        message_id,
        to: { name: "", address },
        subject: content.subject,
        text: asText(content),
        html: template.html(content),
        ...(branding.sender_name !== null && { from_name: branding.sender_name }),
        ...(branding.reply_to !== null && { reply_to: branding.reply_to })
      })
    })
    return { send } as const
  }),
  dependencies: [Recipients.Default]
}) {}
