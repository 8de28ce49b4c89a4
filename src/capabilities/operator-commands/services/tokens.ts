import { Effect, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { NamedValue } from "../../shared/schemas/namedValue.ts"

/** For development: in production a partner signs tokens itself, with its own copy of the secret. */
export const bookingTokenCommand = addedCommand({
  name: "booking-token",
  description: "Mint a patient's booking token, valid five minutes, for trying things out",
  options: {
    shop: { description: "The shop_identifier", schema: Schema.String },
    customer: { description: "The shop_customer_id", schema: Schema.String },
    field: {
      description: "A patient profile field, e.g. --field first_name=Ada; may be repeated",
      schema: NamedValue,
      isRepeated: true
    }
  },
  run: ({ shop, customer, field }) =>
    Effect.flatMap(Patients, ({ mintToken }) => mintToken(shop, customer, field)).pipe(Effect.provide(Patients.Default))
})
