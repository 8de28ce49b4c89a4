// SPDX-License-Identifier: Apache-2.0
import { signWebhook } from "../webhooks.ts"
import { UsageError } from "./arguments.ts"

const TIMEOUT_MS = 15_000

/** A new secret of the form that subscriptions have. */
export const newSecret = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

export const targetFrom = (address: string | undefined) => {
  if (address === undefined || !URL.canParse(address)) throw new UsageError("--forward: the address of your receiver")
  return address
}

interface Sendable {
  readonly id: string
  readonly type: string
}

/** Sends an event as the service would, and gives a line that says what came of it. */
export const forward = async (event: Sendable, address: string, secret: string): Promise<string> => {
  const body = JSON.stringify(event)
  const start = performance.now()
  const outcome = await fetch(address, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...(await signWebhook(event.id, body, secret)) },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS)
  }).then(
    ({ status }) => String(status),
    (error: unknown) => `no answer (${error instanceof Error ? error.message : error})`
  )
  return `${event.id}  ${event.type}  ${outcome}  ${Math.round(performance.now() - start)} ms`
}
