/** What became of telling a subscriber, and telling it again. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Conflict } from "../../schemas/conflicts.ts"
import type { Envelope } from "../../schemas/events/Event.ts"
import { DeliveryUid, EventUid, type OrganisationUid, type PharmacyUid } from "../../schemas/ids.ts"
import { type Page, paged } from "../../schemas/paging.ts"
import { NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Jobs } from "../Jobs.ts"
import { transaction } from "../transaction.ts"
import { newUid } from "../uid.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import { exampleData } from "./examples.ts"
import { Subscriptions } from "./Subscriptions.ts"

const inactive = new Conflict({ reason: "subscription_inactive" })

export class Deliveries extends Effect.Service<Deliveries>()("events/Deliveries", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const repo = yield* DeliveriesRepo
    const subscriptions = yield* Subscriptions

    /** Newest first. */
    const list = Effect.fn("Deliveries.list")(function* (owner: string, subscription_uid: string, page: Page) {
      yield* subscriptions.get(owner, subscription_uid)
      const { rows, total } = yield* repo.list(owner, subscription_uid, page)
      return paged(rows, total, page.limit)
    })

    const active = Effect.fnUntraced(function* (owner: string, subscription_uid: string) {
      const subscription = yield* subscriptions.get(owner, subscription_uid)
      return subscription.active ? subscription : yield* inactive
    })

    const wake = (owner_uid: string, subscription_uid: string) =>
      jobs.send("webhook.deliver", { owner_uid, subscription_uid })

    /** Sends a delivery once more, under the same `webhook-id`. 409 while the subscription is not active. */
    const replay = Effect.fn("Deliveries.replay")(
      function* (owner: string, subscription_uid: string, uid: string) {
        yield* active(owner, subscription_uid)
        const [delivery] = yield* repo.replay(owner, subscription_uid, uid, yield* clock.now)
        if (delivery === undefined) return yield* new NotFound({ what: "Delivery" })
        yield* wake(owner, subscription_uid)
        return delivery
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /** The same for everything that failed and is kept; gives how many. */
    const replayFailed = Effect.fn("Deliveries.replayFailed")(
      function* (owner: string, subscription_uid: string) {
        yield* active(owner, subscription_uid)
        const failed = yield* repo.replayFailed(owner, subscription_uid, yield* clock.now)
        yield* wake(owner, subscription_uid)
        return failed.length
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /** Sends an example of the first kind of event that is subscribed to. It is in no feed. */
    const sendTest = Effect.fn("Deliveries.sendTest")(
      function* (owner: string, kind: "organisation" | "pharmacy", subscription_uid: string) {
        const { event_types } = yield* active(owner, subscription_uid)
        const [type] = event_types
        if (type === undefined) return yield* Effect.dieMessage("a subscription has an event type")
        const now = yield* clock.now
        const example: Envelope = {
          id: yield* newUid(EventUid),
          type,
          timestamp: now,
          ...(kind === "organisation"
            ? { organisation_uid: owner as OrganisationUid }
            : { pharmacy_uid: owner as PharmacyUid }),
          data: exampleData(type)
        }
        const subscriber = { owner_uid: owner, subscription_uid }
        const [delivery] = yield* repo.insertExample(subscriber, yield* newUid(DeliveryUid), example, now)
        yield* wake(owner, subscription_uid)
        return delivery ?? (yield* Effect.dieMessage("an insert returns its row"))
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    return { list, replay, replayFailed, sendTest } as const
  }),
  dependencies: [DomainClock.Default, Jobs.Default, DeliveriesRepo.Default, Subscriptions.Default]
}) {}
