/** Applies a provisioning file: all of it or nothing, the same file twice changes nothing. */
import { SqlClient } from "@effect/sql"
import { Effect, ParseResult, Schema } from "effect"
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

const pathOf = (path: ReadonlyArray<PropertyKey>) =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text === "" ? "" : "."}${String(key)}`),
    ""
  )

const faultOf = ({ _tag, path, message }: ParseResult.ArrayFormatterIssue) => {
  const at = path.length === 0 ? "file" : pathOf(path)
  if (_tag === "Missing") return `${at}: is required`
  if (_tag === "Unexpected") return `${at}: is not a known field`
  return `${at}: ${message.replace(/, actual[\s\S]*$/, "")}`
}

const decode = (json: unknown) =>
  Schema.decodeUnknown(ProvisioningFile)(json).pipe(
    Effect.mapError(
      (error) =>
        new ProvisioningRejected({
          faults: [...new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(faultOf))]
        })
    )
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
          yield* provisionTenancy(file)
          yield* provisionScheduling(file)
          yield* provisionPharmacies(file)
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
