import { Schema } from "effect"
import { described } from "../fields.ts"

/**
 * The result of examining a PDF's signatures, from the file alone. Whether the certificate is trusted, and was valid at the
 * time of signing, is not checked; `trust` says so.
 */
export const Signature = Schema.Struct({
  present: described(Schema.Boolean, "The file carries a signature"),
  intact: described(Schema.Boolean, "The signed bytes are those that were signed, for every signature"),
  covers_whole_file: described(Schema.Boolean, "Nothing was added after the last signature"),
  signer: described(Schema.NullOr(Schema.String), "Common name of the last signer's certificate"),
  trust: described(Schema.Literal("unchecked"), "Neither chain nor revocation is checked")
}).annotations({ identifier: "Signature" })
export type Signature = typeof Signature.Type
