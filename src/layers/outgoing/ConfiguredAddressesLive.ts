/** Addresses that organisations and partners configure, in public networks alone unless WEBHOOK_ALLOW_PRIVATE. */
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { ConfiguredAddresses } from "../../services/addresses.ts"
import { examineAddress, type OutgoingSettings } from "./addresses.ts"
import { guardedClient } from "./guardedClient.ts"

export const configuredAddresses = (settings: OutgoingSettings) =>
  Layer.sync(ConfiguredAddresses, () => {
    const client = guardedClient(settings)
    return {
      examine: examineAddress(settings),
      client,
      execute: client.execute,
      get: (url, options) => client.get(url, options)
    }
  })

export const ConfiguredAddressesLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ webhookAllowPrivate }) => configuredAddresses({ allowPrivate: webhookAllowPrivate }))
)
