/** The port that renders a mail's content as HTML. */
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
  /** The first one is highlighted. */
  readonly links: ReadonlyArray<readonly [label: string, url: string]>
  readonly hint: string | null
  readonly closing: string
}

/** Content-ID of the practice's logo, which is attached to the mail. */
export const LOGO_CID = "logo@sprechstunde"

export class MailTemplate extends Context.Tag("notifications/MailTemplate")<
  MailTemplate,
  { readonly html: (content: MailContent) => string }
>() {}
