import { Effect, Layer } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { inData } from "../../../http/inData.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { group } from "./group.ts"

export const ConsentsHttp = group("organisation.consents", (handlers) =>
  Effect.map(Consents, (consents) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        inData(inOrganisation((owner) => consents.list(owner, path.patient_uid, urlParams)))
      )
      .handle("give", (request) =>
        inOrganisation((owner) => consents.give(owner, request.path.patient_uid, request.payload))
      )
      .handle("withdraw", ({ path }) =>
        inOrganisation((owner) => consents.withdraw(owner, path.patient_uid, path.consent_uid))
      )
  )
).pipe(Layer.provide([Consents.Default]))
