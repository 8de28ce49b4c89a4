import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { Payments, PaymentsUnavailable } from "../../services/pharmacy/Payments.ts"
import { unserved } from "../unserved.ts"

const unset = Effect.fail(new PaymentsUnavailable({ reason: "MOLLIE_API_KEY is not set" }))

/** Without a provider, routes wait. */
const none = Layer.succeed(Payments, {
  limits: { days: null },
  route: () => unset,
  find: () => unset
})

/** The provider that the settings select. */
export const PaymentsLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const [found] = (yield* Capabilities).on.flatMap(({ payments }) => payments(settings) ?? [])
    return found ?? (settings.mollieApiKey === undefined ? none : yield* unserved("MOLLIE_API_KEY"))
  })
)
