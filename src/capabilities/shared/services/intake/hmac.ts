import { createHmac, timingSafeEqual } from "node:crypto"

/** The signature of a webhook's body in Shopify's format: HMAC-SHA-256 with the shop's secret, base64. */
export const webhookHmac = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body, "utf8").digest("base64")

/** Compares in constant time. */
export const isSignedBy = (secret: string, body: string, signature: string): boolean => {
  const [expected, given] = [Buffer.from(webhookHmac(secret, body)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}
