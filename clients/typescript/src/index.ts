// SPDX-License-Identifier: Apache-2.0
/** The client of a partner's back end: API keys, staff tokens, booking tokens and webhooks. */
import { type Methods, methodsOf } from "./client.ts"
import { backEndOperations } from "./generated/backEndOperations.ts"
import { browserOperations } from "./generated/browserOperations.ts"
import type { Credentials, Settings } from "./send.ts"

export { type BookingTokenRequest, type BookingTokenSecret, mintBookingToken } from "./bookingTokens.ts"
export type { Answer, Call, ListCall } from "./Call.ts"
export { ApiError, type CodeOf, ConnectionError, isApiError } from "./errors.ts"
export type { Events } from "./generated/events.ts"
export type { Operations } from "./generated/operations.ts"
export type * from "./generated/schemas.ts"
export type { CallOptions, Credentials, Settings } from "./send.ts"
export {
  signWebhook,
  type VerificationOptions,
  verifyWebhook,
  type Webhook,
  type WebhookEvent,
  WebhookVerificationError
} from "./webhooks.ts"

const operations = { ...browserOperations, ...backEndOperations }

/** A client with a method for every operation. */
export type Sprechstunde = Methods<keyof typeof operations>

/** Makes the client of a back end. Refused on a page: what a page holds, its visitors hold; there it is `./browser`. */
export const sprechstunde = (settings: Settings & Credentials): Sprechstunde => {
  if ("document" in globalThis && settings.apiKey !== undefined)
    throw new Error("API keys do not belong into a browser: use @sprechstunde/client/browser")
  return methodsOf(operations, settings)
}
