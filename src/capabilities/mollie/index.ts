/** Payouts to pharmacies by Mollie's split payments. Rule 10.5.8. */
import { capability } from "../../capability.ts"
import { mollieLayer } from "./layers/Mollie.ts"

export const mollieCapability = capability({
  name: "mollie",
  switched: false,
  payments: ({ mollieApiKey, mollieApiEndpoint }) =>
    mollieApiKey &&
    mollieLayer({ apiKey: mollieApiKey, ...(mollieApiEndpoint !== undefined && { apiEndpoint: mollieApiEndpoint }) })
})
