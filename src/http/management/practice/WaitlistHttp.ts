import { Effect, Layer, Schema } from "effect"
import type { OrganisationUid, WaitlistEntryUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { WaitlistEntry, WaitlistEntryQuery } from "../../../schemas/scheduling/Waitlist.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Entries } from "../../../services/scheduling/waitlist/Entries.ts"
import { OrderReasons } from "../../../services/scheduling/waitlist/OrderReasons.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { CurrentOrganisationKey } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { createdOrFound } from "../../patient/WaitlistHttp.ts"

const single = recordTags(WaitlistEntry)
const listed = listTags(Paged(WaitlistEntry), WaitlistEntryQuery)
const Created = Schema.Struct({ entry: WaitlistEntry, created: Schema.Boolean })

export const WaitlistHttp = group("management.waitlist", (handlers) =>
  Effect.gen(function* () {
    const entries = yield* Entries
    const reasons = yield* OrderReasons
    const { changeIfMatch } = yield* Conditional
    const tags = (owner: OrganisationUid, uid: WaitlistEntryUid) => ({
      record: Effect.map(entries.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => entries.list(owner, query))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid }) => entries.list(organisation_uid, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) =>
        Effect.flatMap(
          idempotent(
            request,
            { name: "waitlist-entries", answer: Created, by: holders.key },
            Effect.flatMap(CurrentOrganisationKey, (caller) => entries.create(caller, request.payload))
          ),
          createdOrFound
        )
      )
      .handle("get", ({ path }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid }) =>
          entries.get(organisation_uid, path.waitlist_entry_uid)
        ).pipe(single.tagged)
      )
      .handle("offers", ({ path }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid }) =>
          reasons.of(organisation_uid, path.waitlist_entry_uid)
        )
      )
      .handle("update", ({ path: { waitlist_entry_uid: uid }, headers, payload }) =>
        Effect.flatMap(CurrentOrganisationKey, (caller) =>
          changeIfMatch(headers, tags(caller.organisation_uid, uid), entries.update(caller, uid, payload))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { waitlist_entry_uid: uid }, headers }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid: owner }) =>
          changeIfMatch(headers, tags(owner, uid), entries.remove(owner, uid))
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Entries.Default, OrderReasons.Default]))
