/** Addresses that organisations and partners configure: webhooks, calendars, public keys. */
import type { HttpClient } from "@effect/platform"
import { Context, type Effect, Schema } from "effect"

/** The service may not call this address. */
export class AddressRefused extends Schema.TaggedError<AddressRefused>()("AddressRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
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
