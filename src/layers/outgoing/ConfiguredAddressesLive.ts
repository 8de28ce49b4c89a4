/** Addresses that organisations and partners configure, in public networks alone unless WEBHOOK_ALLOW_PRIVATE. */
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { ConfiguredAddresses } from "../../services/addresses.ts"
import { examineAddress } from "./addresses.ts"
import { guardedClient } from "./guardedClient.ts"

export const ConfiguredAddressesLive = Layer.effect(
  ConfiguredAddresses,
  Effect.map(Settings, ({ webhookAllowPrivate }) => {
    const settings = { allowPrivate: webhookAllowPrivate }
    const client = guardedClient(settings)
    return {
      examine: examineAddress(settings),
      execute: client.execute,
      get: (url, options) => client.get(url, options)
    }
  })
)
