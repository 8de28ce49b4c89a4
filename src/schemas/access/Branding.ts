/** An organisation's branding: what pages and messages show besides its name (Rule 12.1.19). */
import { Schema } from "effect"
import { described, MailAddress, Name, Opaque, withDefault } from "../fields.ts"
import { isLegibleAccent } from "./contrast.ts"
import { ImageData } from "./Image.ts"

const isColour = (text: string) => /^#[0-9a-f]{6}$/.test(text)
const colourMessage = () =>
  "must be a colour such as #0a6b63, dark enough for text on white and on its own tint (contrast 4.5)"

/** Legible as text on white and on its own tint, and behind white text; in dark mode pages lighten it. */
const AccentColour = Schema.String.annotations({ message: colourMessage }).pipe(
  Schema.filter((text) => isColour(text) && isLegibleAccent(text), {
    message: colourMessage,
    jsonSchema: { maxLength: 7, pattern: "^#[0-9a-f]{6}$", examples: ["#0a6b63"] }
  })
)

const addressMessage = () => "must be an http or https address of at most 2000 characters"
const WebAddress = Schema.String.annotations({ message: addressMessage }).pipe(
  Schema.filter(
    (text) => text.length <= 2000 && URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
    { message: addressMessage, jsonSchema: { maxLength: 2000, examples: ["https://example.org/imprint"] } }
  )
)

const optional = <A, I>(schema: Schema.Schema<A, I>, description: string, example: A) =>
  Schema.NullOr(schema).annotations({ description: `${description}; null: none`, examples: [example] })

const fields = {
  accent_colour: optional(AccentColour, "Colour of buttons and links, `#rrggbb`", "#0a6b63"),
  phone: optional(Opaque(64), "Telephone number for patients", "+49 30 0000000"),
  address: optional(Name, "Postal address of the practice, also the place of appointments there", "Musterstraße 1"),
  imprint_url: optional(WebAddress, "Address of the imprint", "https://example.org/imprint"),
  privacy_url: optional(WebAddress, "Address of the privacy notice", "https://example.org/privacy"),
  support_email: optional(MailAddress, "Mail address for patients' questions", "help@example.org"),
  sender_name: optional(Name, "Name of the sender of its mails, beside the installation's address", "Example Practice"),
  reply_to: optional(MailAddress, "Where answers to its mails go", "desk@example.org")
}

/** The branding in responses. */
export const Branding = Schema.Struct({
  logo: Schema.NullOr(Schema.String).annotations({
    description: "Address of the logo at this service; null: none",
    examples: ["https://meet.example.org/images/9Qy3FmRfYhS0nW1xJc7uPg.png"]
  }),
  ...fields
}).annotations({ description: "Branding of pages and messages" })
export type Branding = typeof Branding.Type

const sent = {
  logo: described(Schema.NullOr(ImageData), "Logo as a data URI (PNG or JPEG, at most 64 KiB); null: none"),
  ...fields
}

export const NewBranding = Schema.Struct({
  logo: withDefault(sent.logo, null),
  accent_colour: withDefault(fields.accent_colour, null),
  phone: withDefault(fields.phone, null),
  address: withDefault(fields.address, null),
  imprint_url: withDefault(fields.imprint_url, null),
  privacy_url: withDefault(fields.privacy_url, null),
  support_email: withDefault(fields.support_email, null),
  sender_name: withDefault(fields.sender_name, null),
  reply_to: withDefault(fields.reply_to, null)
})

export const noBranding: Branding = {
  logo: null,
  accent_colour: null,
  phone: null,
  address: null,
  imprint_url: null,
  privacy_url: null,
  support_email: null,
  sender_name: null,
  reply_to: null
}

/** A partial update: fields that are not sent are kept. */
export const BrandingChanges = Schema.partialWith(Schema.Struct(sent), { exact: true }).annotations({
  description: "Branding of pages and messages; only sent fields change"
})
