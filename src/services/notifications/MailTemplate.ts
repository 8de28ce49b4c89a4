/** The port by which a mail gets its look: its content as data, in HTML. */
import { Context } from "effect"
import type { Branding } from "../../schemas/access/Branding.ts"
import type { Language } from "../../texts/language.ts"

export interface MailContent {
  readonly language: Language
  readonly subject: string
  readonly practice: { readonly name: string; readonly branding: Branding }
  readonly greeting: string
  readonly opening: string
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>
  /** The first one stands out. */
  readonly links: ReadonlyArray<readonly [label: string, url: string]>
  readonly hint: string | null
  readonly closing: string
}

/** The Content-ID under which the practice's logo goes along with the mail. */
export const LOGO_CID = "logo@sprechstunde"

export class MailTemplate extends Context.Tag("notifications/MailTemplate")<
  MailTemplate,
  { readonly html: (content: MailContent) => string }
>() {}
