/** Standard Webhooks: what a receiver needs to know that a delivery is ours and unaltered. */
import { Webhook } from "standardwebhooks"

export interface Signed {
  readonly message_id: string
  /** Unix seconds of real time: receivers refuse a time that is minutes off, also while a sandbox clock is ahead. */
  readonly timestamp: number
  readonly body: string
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`

/** The three headers; one signature for each secret, so that a receiver may change over while both hold. */
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
