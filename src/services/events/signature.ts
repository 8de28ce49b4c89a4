/** Signatures of Standard Webhooks, by which a receiver authenticates a delivery. */
import { Webhook } from "standardwebhooks"

export interface Signed {
  readonly message_id: string
  /** Unix seconds of real time, even while domain time is ahead: receivers reject a time that is minutes off. */
  readonly timestamp: number
  readonly body: string
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`

/** The three headers; one signature for each secret, so that a receiver can switch while both are valid. */
export const webhookHeaders = (
  { message_id, timestamp, body }: Signed,
  secrets: ReadonlyArray<string>
): Readonly<Record<string, string>> => ({
  "webhook-id": message_id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": secrets
    .map((secret) => new Webhook(secret).sign(message_id, new Date(timestamp * 1000), body))
    .join(" ")
})
