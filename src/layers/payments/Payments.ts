import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Payments, PaymentsUnavailable } from "../../services/pharmacy/Payments.ts"
import { EmbeddedPayments } from "./Embedded.ts"
import { mollieLayer } from "./Mollie.ts"

const unset = Effect.fail(new PaymentsUnavailable({ reason: "MOLLIE_API_KEY is not set" }))

/** Without MOLLIE_API_KEY outside of development, routes wait. */
const none = Layer.succeed(Payments, {
  limits: { days: null },
  route: () => unset,
  find: () => unset
})

/** Mollie if its key is set, otherwise in development the embedded provider. */
export const PaymentsLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ mollieApiKey, mollieApiEndpoint, development }) => {
    if (mollieApiKey === undefined) return development ? EmbeddedPayments : none
    return mollieLayer({
      apiKey: mollieApiKey,
      ...(mollieApiEndpoint !== undefined && { apiEndpoint: mollieApiEndpoint })
    })
  })
)
