import { Effect, Layer, Schema } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { holders, idempotent } from "../../../http/idempotent.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { WaitlistEntry, type WaitlistEntryChanges, WaitlistEntryQuery } from "../schemas/Waitlist.ts"
import { Entries } from "../services/Entries.ts"
import { OrderReasons } from "../services/OrderReasons.ts"
import { createdOrFound } from "./OwnWaitlistHttp.ts"
import { WaitlistApi } from "./WaitlistApi.ts"

const entryHandling = pagedRecords("waitlist-entries", WaitlistEntry, WaitlistEntryQuery)
const Created = Schema.Struct({ entry: WaitlistEntry, created: Schema.Boolean })

const group = groupOf(WaitlistApi)

export const PracticeWaitlistHttp = group("management.waitlist", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Entries
    const reasons = yield* OrderReasons
    const entries = entryHandling(service, yield* Conditional, byKey, "waitlist_entry_uid")
    return handlers
      .handle("list", entries.list)
      .handle("create", (request) =>
        Effect.flatMap(
          idempotent(
            request,
            { name: "waitlist-entries", answer: Created, by: holders.key },
            asKey((caller) => service.create(caller, request.payload))
          ),
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
