/** Addresses that organisations and partners configure: webhooks, calendars, public keys. */
import type { HttpClient } from "@effect/platform"
import { Context, type Effect, Schema } from "effect"

/** The service may not call this address. */
export class AddressRefused extends Schema.TaggedError<AddressRefused>()("AddressRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Scheme, host and port; `webcal` is https. */
const originOf = (address: string) => {
  const url = URL.parse(address.replace(/^webcal:/i, "https:"))
  return url === null ? address : `${url.protocol}//${url.host}`
}

/**
 * The credentials of a record after a change of its address: those that were sent, and the stored ones as long as the address is of the same
 * origin. They were entered for one server, and nobody but who knows them may send them to another.
 */
export const credentialsAfter = <Secrets extends Readonly<Record<string, string | null>>>(
  before: { readonly url: string; readonly credentials: Secrets },
  sent: { readonly url?: string | undefined } & { readonly [Name in keyof Secrets]?: Secrets[Name] | undefined }
): Secrets => {
  const keeps = sent.url === undefined || originOf(sent.url) === originOf(before.url)
  const after = Object.entries(before.credentials).map(([name, stored]) => {
    const given = sent[name]
    return [name, given === undefined ? (keeps ? stored : null) : given]
  })
  return Object.fromEntries(after) as Secrets // of the same names
}

/** The port for calls to such addresses: not in a private network unless WEBHOOK_ALLOW_PRIVATE. */
export class ConfiguredAddresses extends Context.Tag("services/ConfiguredAddresses")<
  ConfiguredAddresses,
  {
    /** Whether an address may be configured. Resolves its name. `unresolved`: also one whose name does not resolve now. */
    readonly examine: (url: string, unresolved?: boolean) => Effect.Effect<void, AddressRefused>
    /** For what is called as such. Within `outgoing`. */
    readonly client: HttpClient.HttpClient
    /** Sends a request; within `outgoing`. */
    readonly execute: HttpClient.HttpClient["execute"]
    /** Reads an address; within `outgoing`. */
    readonly get: (...request: Parameters<HttpClient.HttpClient["get"]>) => ReturnType<HttpClient.HttpClient["get"]>
  }
>() {}
