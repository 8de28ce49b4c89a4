/** Branding as the management interface and provisioning take it (Rule 12.1.19). */
import { Schema } from "effect"
import { Branding } from "../../../schemas/access/Branding.ts"
import { ImageData } from "../../../schemas/access/Image.ts"
import { described, withDefault } from "../../../schemas/fields.ts"

const { logo: _, ...fields } = Branding.fields
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
