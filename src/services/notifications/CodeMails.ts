/**
 * Mails for which the user of a page waits: a code that verifies an address, a link that books. They contain none of the user's input,
 * so that they cannot be abused to send text to strangers in the practice's name.
 */
import { Effect } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"
import { Mailer } from "./Mailer.ts"
import { type MailContent, MailTemplate } from "./MailTemplate.ts"
import { rendered } from "./mail.ts"
import { Recipients } from "./Recipients.ts"

interface AwaitedMail {
  readonly organisation_uid: OrganisationUid
  readonly message_id: string
  readonly address: string
  readonly language: Language
}

type Phrases = (typeof catalogue)[Language]["messages"]

export class CodeMails extends Effect.Service<CodeMails>()("notifications/CodeMails", {
  effect: Effect.gen(function* () {
    const mailer = yield* Mailer
    const template = yield* MailTemplate
    const recipients = yield* Recipients

    const deliver = Effect.fnUntraced(function* (
      { organisation_uid, message_id, address, language }: AwaitedMail,
      contentOf: (
        texts: Phrases,
        organisation: string
      ) => Pick<MailContent, "subject" | "facts" | "links"> & {
        readonly texts: { readonly greeting: string; readonly opening: string; readonly hint: string }
      }
    ) {
      const { name, branding } = yield* recipients.sender(organisation_uid)
      const phrases = catalogue[language].messages
      const { texts, ...content } = contentOf(phrases, name)
      const practice = { name, branding: { ...branding, logo: null } }
      const closing = fill(phrases.closing, { organisation: name })
      const { greeting, opening, hint } = texts
      yield* mailer.send({
        message_id,
        to: { name: "", address },
        ...rendered({ ...content, language, practice, greeting, opening, hint, closing }, template.html),
        ...(branding.sender_name !== null && { from_name: branding.sender_name }),
        ...(branding.reply_to !== null && { reply_to: branding.reply_to })
      })
    })

    /** Mails a code. Fails as the mailer does. */
    const send = Effect.fn("CodeMails.send")(({ code, ...mail }: AwaitedMail & { readonly code: string }) =>
      deliver(mail, ({ code: texts }, organisation) => ({
        texts,
        subject: fill(texts.subject, { code, organisation }),
        facts: [[texts.label, code]],
        links: []
      }))
    )

    /** Mails a link, with the texts `about`. Fails as the mailer does. */
    const sendLink = Effect.fn("CodeMails.sendLink")(
      ({ url, about, ...mail }: AwaitedMail & { readonly url: string; readonly about: Phrases["again"] }) =>
        deliver(mail, (_, organisation) => ({
          texts: about,
          subject: fill(about.subject, { organisation }),
          facts: [],
          links: [[about.label, url]]
        }))
    )
    return { send, sendLink } as const
  }),
  dependencies: [Recipients.Default]
}) {}
