// SPDX-License-Identifier: Apache-2.0
/** Webhooks as the service signs them (Standard Webhooks). */
import type { Events } from "./generated/events.ts"

/** An event of a type that this version of the client knows. */
export type WebhookEvent = Events[keyof Events]

/** The signature does not hold, or the webhook is too old. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
}

export interface Webhook {
  /** The body's bytes, or its text, as they came: parsed and written again they may differ. */
  readonly body: string | Uint8Array
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface VerificationOptions {
  /** How far `webhook-timestamp` may be from now, in seconds. Default 300. */
  readonly toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300
const HMAC = { name: "HMAC", hash: "SHA-256" }
const encoder = new TextEncoder()

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

const keyOf = (secret: string) =>
  crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), HMAC, false, ["sign", "verify"])

const headerOf = ({ headers }: Webhook, name: string) => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === "string" ? value : ""
}

const signedPart = (id: string, timestamp: string, body: Uint8Array) => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

const signaturesIn = (header: string) =>
  header.split(" ").flatMap((entry) => {
    const [version, signature = ""] = entry.split(",")
    try {
      return version === "v1" ? [bytesOf(signature)] : []
    } catch {
      return [] // no base64: no signature of ours
    }
  })

/**
 * The event of a webhook whose signature holds. Fails with `WebhookVerificationError`. `secret` may be several, while one is
 * being rotated. An event may come more than once: its `id` is the same then.
 */
export const verifyWebhook = async (
  webhook: Webhook,
  secret: string | ReadonlyArray<string>,
  { toleranceSeconds = TOLERANCE_SECONDS }: VerificationOptions = {}
): Promise<WebhookEvent> => {
  const [id, timestamp] = [headerOf(webhook, "webhook-id"), headerOf(webhook, "webhook-timestamp")]
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError("The webhook's timestamp is missing or too far from now")
  const body = typeof webhook.body === "string" ? encoder.encode(webhook.body) : webhook.body
  const signed = signedPart(id, timestamp, body)
  const signatures = signaturesIn(headerOf(webhook, "webhook-signature"))
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await keyOf(one)
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(new TextDecoder().decode(body)) // the service signed it: it is one of its events
  }
  throw new WebhookVerificationError("No signature of the webhook holds")
}

/** The headers of a webhook, signed as the service signs. For tests and for forwarding. */
export const signWebhook = async (
  id: string,
  body: string,
  secret: string,
  timestamp = Math.floor(Date.now() / 1000)
) => {
  const signature = await crypto.subtle.sign(
    "HMAC",
    await keyOf(secret),
    signedPart(id, String(timestamp), encoder.encode(body))
  )
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
  }
}
