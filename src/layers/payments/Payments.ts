import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { EmbeddedPayments } from "./Embedded.ts"
import { mollieLayer } from "./Mollie.ts"

/** Mollie where its key is given, else the embedded provider. */
export const PaymentsLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ mollieApiKey, mollieApiEndpoint }) =>
    mollieApiKey === undefined
      ? EmbeddedPayments
      : mollieLayer({
          apiKey: mollieApiKey,
          ...(mollieApiEndpoint !== undefined && { apiEndpoint: mollieApiEndpoint })
        })
  )
)
