/** An organisation's branding: what pages and messages show besides its name (Rule 12.1.19). */
import { Schema } from "effect"
import { MailAddress, Name, Opaque } from "../fields.ts"
import { isLegibleAccent } from "./contrast.ts"

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

/** The branding in responses. */
export const Branding = Schema.Struct({
  logo: Schema.NullOr(Schema.String).annotations({
    description: "Address of the logo at this service; null: none",
    examples: ["https://meet.example.org/images/9Qy3FmRfYhS0nW1xJc7uPg.png"]
  }),
  accent_colour: optional(AccentColour, "Colour of buttons and links, `#rrggbb`", "#0a6b63"),
  phone: optional(Opaque(64), "Telephone number for patients", "+49 30 0000000"),
  address: optional(Name, "Postal address of the practice, also the place of appointments there", "Musterstraße 1"),
  imprint_url: optional(WebAddress, "Address of the imprint", "https://example.org/imprint"),
  privacy_url: optional(WebAddress, "Address of the privacy notice", "https://example.org/privacy"),
  support_email: optional(MailAddress, "Mail address for patients' questions", "help@example.org"),
  sender_name: optional(Name, "Name of the sender of its mails, beside the installation's address", "Example Practice"),
  reply_to: optional(MailAddress, "Where answers to its mails go", "desk@example.org")
}).annotations({ description: "Branding of pages and messages" })
export type Branding = typeof Branding.Type
