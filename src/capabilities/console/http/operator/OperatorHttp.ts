import { Effect, Layer } from "effect"
import { Conditional, recordTags } from "../../../../http/conditional.ts"
import { groupOf } from "../../../../http/group.ts"
import { inData } from "../../../../http/inData.ts"
import { paged } from "../../../../schemas/paging.ts"
import { Invalid, Unavailable } from "../../../../schemas/problems.ts"
import { AuditLog } from "../../../../services/audit/AuditLog.ts"
import { Deliveries } from "../../../../services/events/Deliveries.ts"
import { Routing } from "../../../../services/pharmacy/Routing.ts"
import { acrossTenants, enter, onlyOwner } from "../../../../services/tenancy/Tenancy.ts"
import { OrderIntake } from "../../../shared/services/intake/OrderIntake.ts"
import type { ProvisioningRejected } from "../../../shared/services/provisioning/entry.ts"
import { type Comparison, Provisioning } from "../../../shared/services/provisioning/Provisioning.ts"
import { ProvisioningResult } from "../../schemas/Installation.ts"
import { Installation } from "../../services/operation/Installation.ts"
import { JobQueues } from "../../services/operation/JobQueues.ts"
import { OrganisationStates } from "../../services/operation/OrganisationStates.ts"
import { OwnerList } from "../../services/operation/OwnerList.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

const results = recordTags(ProvisioningResult)

const compared = (comparisons: ReadonlyArray<Comparison>): ProvisioningResult => ({
  applied: false,
  written: comparisons.filter(({ outcome }) => outcome !== "kept").length,
  differences: comparisons.map(({ list, index, outcome, differences }) => ({
    list,
    index,
    outcome,
    fields: differences.map(({ field, before = null, after = null }) => ({ field, before, after }))
  }))
})

/** `organisations[0].uid: is required` → the field and its error. */
const invalid = ({ faults }: ProvisioningRejected) =>
  new Invalid({
    faults: faults.map((fault) => {
      const [field = "", ...message] = fault.split(": ")
      return { field: field === "file" ? field : `file.${field}`, message: message.join(": ") }
    })
  })

/** Handlers run for all tenants. */
export const OperatorHttp = groupOf(ConsoleApi)("operator", (handlers) =>
  Effect.gen(function* () {
    const installation = yield* Installation
    const owners = yield* OwnerList
    const states = yield* OrganisationStates
    const queues = yield* JobQueues
    const deliveries = yield* Deliveries
    const routing = yield* Routing
    const intake = yield* OrderIntake
    const provisioning = yield* Provisioning
    const audit = yield* AuditLog
    const { changeIfMatch } = yield* Conditional
    /** Showing an owner's stored records is an entry in that owner's log. */
    const recordShown = (comparisons: ReadonlyArray<Comparison>) =>
      Effect.forEach(
        new Map(comparisons.flatMap(({ owners }) => owners).map((owner) => [JSON.stringify(owner), owner])).values(),
        (owner) => onlyOwner(owner)(audit.record),
        { discard: true }
      )
    return handlers
      .handle("status", () => acrossTenants(installation.status()))
      .handle("owners", ({ urlParams }) => Effect.map(acrossTenants(owners.list(urlParams)), paged))
      .handle("organisation", ({ path: { organisation_uid } }) =>
        Effect.zipRight(enter({ organisation_uid }), acrossTenants(states.get(organisation_uid)))
      )
      .handle("queues", () => inData(queues.list()))
      .handle("dead_letters", () => inData(queues.deadLetters()))
      .handle("retry", ({ path }) => Effect.zipLeft(queues.retry(path.dead_letter_uid), audit.record))
      .handle("settle", ({ path }) => Effect.zipRight(queues.remove(path.dead_letter_uid), audit.record))
      .handle("webhooks", () => inData(acrossTenants(deliveries.backlog())))
      .handle("replay_webhooks", ({ path, payload }) =>
        acrossTenants(deliveries.replayFailed({ ...path, ...payload })).pipe(
          Effect.map((replayed) => ({ replayed })),
          Effect.zipLeft(audit.record)
        )
      )
      .handle("parked_payouts", () => inData(acrossTenants(routing.parked)))
      .handle("resume_payouts", ({ payload }) =>
        Effect.map(
          acrossTenants(routing.resume(payload.pharmacy_uid, { order: payload.pharmacy_order_uid })),
          (orders) => ({ orders })
        )
      )
      .handle("waiting_orders", () => inData(acrossTenants(intake.waiting())))
      .handle("retry_orders", () => Effect.map(intake.retryWaiting(), (tried) => ({ tried })))
      .handle("release_order", ({ payload }) => intake.release(payload.shop_identifier, payload.order_id))
      .handle("provision", ({ headers, payload: { file, dry_run, reset } }) =>
        (dry_run
          ? provisioning.compare(file, { reset }).pipe(Effect.tap(recordShown), Effect.map(compared), results.tagged)
          : changeIfMatch(
              headers,
              {
                record: Effect.zipRight(provisioning.lock, provisioning.compare(file, { reset })).pipe(
                  Effect.map((found) => results.tagOf(compared(found)))
                )
              },
              Effect.map(
                provisioning.apply(file, { reset }),
                ({ written }): ProvisioningResult => ({ applied: written > 0, written, differences: [] })
              )
            )
        ).pipe(
          acrossTenants,
          Effect.catchTags({
            ProvisioningRejected: (rejected) => Effect.fail(invalid(rejected)),
            WrongMasterKey: ({ message }) => Effect.fail(new Unavailable({ reason: message }))
          })
        )
      )
  })
).pipe(
  Layer.provide([
    Installation.Default,
    OwnerList.Default,
    OrganisationStates.Default,
    JobQueues.Default,
    Deliveries.Default,
    Routing.Default,
    OrderIntake.Default,
    Provisioning.Default,
    AuditLog.Default
  ])
)
