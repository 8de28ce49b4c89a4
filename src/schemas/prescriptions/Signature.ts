import { Schema } from "effect"

/**
 * The result of examining a PDF's signatures, from the file alone. Whether the certificate is trusted, and was valid at the
 * time of signing, is not checked; `trust` says so.
 */
export const Signature = Schema.Struct({
  present: Schema.Boolean.annotations({ description: "The file carries a signature" }),
  intact: Schema.Boolean.annotations({
    description: "The signed bytes are those that were signed, for every signature"
  }),
  covers_whole_file: Schema.Boolean.annotations({ description: "Nothing was added after the last signature" }),
  signer: Schema.NullOr(Schema.String).annotations({ description: "Common name of the last signer's certificate" }),
  trust: Schema.Literal("unchecked").annotations({ description: "Neither chain nor revocation is checked" })
}).annotations({ identifier: "Signature" })
export type Signature = typeof Signature.Type

export const unsigned: Signature = {
  present: false,
  intact: false,
  covers_whole_file: false,
  signer: null,
  trust: "unchecked"
}
