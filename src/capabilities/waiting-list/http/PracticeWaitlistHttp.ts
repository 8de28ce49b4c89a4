import { Effect, Layer, Schema } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { holderOf, Idempotency } from "../../../services/Idempotency.ts"
import { WaitlistEntry, type WaitlistEntryChanges, WaitlistEntryQuery } from "../schemas/Waitlist.ts"
import { Entries } from "../services/Entries.ts"
import { OrderReasons } from "../services/OrderReasons.ts"
import { createdOrFound } from "./OwnWaitlistHttp.ts"
import { WaitlistApi } from "./WaitlistApi.ts"

const entryHandling = pagedRecords(WaitlistEntry, WaitlistEntryQuery)
const Created = Schema.Struct({ entry: WaitlistEntry, created: Schema.Boolean })

const group = groupOf(WaitlistApi)

export const PracticeWaitlistHttp = group("management.waitlist", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Entries
    const { once } = yield* Idempotency
    const reasons = yield* OrderReasons
    const entries = entryHandling(service, yield* Conditional, byKey, "waitlist_entry_uid")
    return handlers
      .handle("list", entries.list)
      .handle("create", ({ payload }) =>
        Effect.flatMap(
          asKey((caller) => once({ ...holderOf(caller), answer: Created }, service.create(caller, payload))),
          createdOrFound
        )
      )
      .handle("get", entries.read(service.get))
      .handle("offers", ({ path }) =>
        asKey(({ organisation_uid }) => reasons.of(organisation_uid, path.waitlist_entry_uid))
      )
      .handle(
        "update",
        entries.update((_, uid, changes: WaitlistEntryChanges) =>
          asKey((caller) => service.update(caller, uid, changes))
        )
      )
      .handle("remove", entries.remove(service.remove))
  })
).pipe(Layer.provide([Entries.Default, OrderReasons.Default]))
