import { Schema } from "effect"

/** The shop rejected the request, with a reason of its own: a retry would be rejected again. */
export class StorefrontRefused extends Schema.TaggedError<StorefrontRefused>()("StorefrontRefused", {
  reasons: Schema.NonEmptyArray(Schema.String)
}) {
  static readonly meaning = "The shop refuses what was asked; `error` says why. Sending it again gives the same"
  override get message() {
    return `the shop refused: ${this.reasons.join("; ")}`
  }
}

/** No usable response: the shop is unreachable or overloaded, or rejects our credentials. The request may be retried. */
export class StorefrontUnavailable extends Schema.TaggedError<StorefrontUnavailable>()("StorefrontUnavailable", {
  detail: Schema.String
}) {
  static readonly meaning = "The shop cannot be reached, or does not say what has happened; send the same request again"
  override get message() {
    return "the shop cannot be reached at the moment; send the same request again"
  }
}
