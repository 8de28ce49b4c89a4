/** Applies a provisioning file: all of it or nothing, the same file twice changes nothing. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { faultsOfError } from "../../schemas/faults.ts"
import { ProvisioningFile } from "../../schemas/provisioning/ProvisioningFile.ts"
import { DomainClock } from "../DomainClock.ts"
import { OrdersRepo } from "../pharmacy/OrdersRepo.ts"
import { PayoutProjector } from "../pharmacy/PayoutProjector.ts"
import { PayoutsRepo } from "../pharmacy/PayoutsRepo.ts"
import { Pharmacies } from "../pharmacy/Pharmacies.ts"
import type { SecretBox } from "../SecretBox.ts"
import { transaction } from "../transaction.ts"
import { ProvisioningRejected } from "./entry.ts"
import { provisionOrders, provisionPharmacies } from "./pharmacy.ts"
import { provisionPrescriptions } from "./prescriptions.ts"
import { provisionScheduling } from "./scheduling.ts"
import { provisionApiKeys, provisionTenancy } from "./tenancy.ts"

const decode = (json: unknown) =>
  Effect.mapError(
    Schema.decodeUnknown(ProvisioningFile)(json),
    (error) => new ProvisioningRejected({ faults: faultsOfError(error, "file") })
  )

export class Provisioning extends Effect.Service<Provisioning>()("provisioning/Provisioning", {
  effect: Effect.gen(function* () {
    const context = yield* Effect.context<
      SqlClient.SqlClient | SecretBox | DomainClock | OrdersRepo | PayoutProjector | PayoutsRepo | Pharmacies
    >()
    const sql = yield* SqlClient.SqlClient

    /** Applies the decoded JSON of a file. Fails with every fault and its JSON path, and then nothing has changed. */
    const apply = (json: unknown) =>
      Effect.flatMap(decode(json), (file) =>
        Effect.gen(function* () {
          yield* provisionPharmacies(file)
          yield* provisionTenancy(file)
          yield* provisionScheduling(file)
          yield* provisionPrescriptions(file)
          yield* provisionOrders(file)
          yield* provisionApiKeys(file)
        }).pipe(transaction)
      ).pipe(Effect.provide(context), Effect.withSpan("Provisioning.apply"))

    /** Whether nothing has been provisioned yet. */
    const isEmpty = sql`SELECT 1 FROM organisations LIMIT 1`.pipe(
      Effect.map((rows) => rows.length === 0),
      Effect.orDie
    )
    return { apply, isEmpty } as const
  }),
  dependencies: [
    DomainClock.Default,
    OrdersRepo.Default,
    PayoutProjector.Default,
    PayoutsRepo.Default,
    Pharmacies.Default
  ]
}) {}
