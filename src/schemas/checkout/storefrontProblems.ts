import { Schema } from "effect"

/** The shop understood what we asked and said no, in its own words: trying the same again gives the same. */
export class StorefrontRefused extends Schema.TaggedError<StorefrontRefused>()("StorefrontRefused", {
  reasons: Schema.NonEmptyArray(Schema.String)
}) {
  static readonly meaning = "The shop refuses what was asked; `error` says why. Sending it again gives the same"
  override get message() {
    return `the shop refused: ${this.reasons.join("; ")}`
  }
}

/** No answer that says what happened: out of reach, overloaded, or not letting us in. The same request may be sent again. */
export class StorefrontUnavailable extends Schema.TaggedError<StorefrontUnavailable>()("StorefrontUnavailable", {
  detail: Schema.String
}) {
  static readonly meaning = "The shop cannot be reached, or does not say what has happened; send the same request again"
  override get message() {
    return "the shop cannot be reached at the moment; send the same request again"
  }
}
