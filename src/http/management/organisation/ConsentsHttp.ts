import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Consent } from "../../../schemas/patients/Consent.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"
import { holders, repeatable } from "../../repeatable.ts"

export const ConsentsHttp = HttpApiBuilder.group(Api, "organisation.consents", (handlers) =>
  Effect.map(Consents, (consents) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => consents.list(owner, path.patient_uid)).pipe(
          Effect.map((data) => ({ data }))
        )
      )
      .handle("give", (request) =>
        repeatable(
          request,
          { name: "consents", answer: Consent, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            consents.give(owner, request.path.patient_uid, request.payload)
          )
        )
      )
      .handle("withdraw", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => consents.withdraw(owner, path.patient_uid, path.consent_uid))
      )
  )
).pipe(Layer.provide([Consents.Default, Idempotency.Default]))
