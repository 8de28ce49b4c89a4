/** Detects which owners' records have just changed, for live pages. */
import { Clock, Effect, Schedule, Schema } from "effect"
import { OwnerUid } from "../../../schemas/events/definition.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { withoutOwner } from "../../../services/tenancy/Tenancy.ts"

/** Overlap in seconds that each poll reads again: a transaction commits some time after its event's timestamp. */
const OVERLAP_SECONDS = 10
const POLL_EVERY = "1 second"

const Change = Schema.Struct({ owner_uid: OwnerUid, position: Schema.Number })

export class RecentChanges extends Effect.Service<RecentChanges>()("events/RecentChanges", {
  scoped: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const changes = rowsOf(Change)
    /** By owner: the last position, and when it was noticed here. */
    const latest = new Map<string, { readonly position: number; readonly noticed_at: number }>()
    let watching = 0
    /** Open while a page is, so that a process without live pages is not woken. */
    const isWatched = yield* Effect.makeLatch(false)

    /** Reads positions over all tenants, since the open pages belong to many. */
    const poll = Effect.gen(function* () {
      yield* isWatched.await
      const now = yield* clock.now
      const found = yield* changes.all(
        sql`SELECT owner_uid, position FROM changes_since(to_timestamp(${now - OVERLAP_SECONDS}))`
      )
      const noticed_at = yield* Clock.currentTimeMillis
      for (const { owner_uid, position } of found)
        if (latest.get(owner_uid)?.position !== position) latest.set(owner_uid, { position, noticed_at })
    })
    yield* withoutOwner(poll).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("could not poll for changes of live pages", cause)),
      Effect.repeat(Schedule.spaced(POLL_EVERY)),
      Effect.forkScoped
    )

    /** When a change of an owner's records was last noticed here, in Unix milliseconds, while the scope is open. */
    const watch = Effect.acquireRelease(
      Effect.as(
        Effect.suspend(() => {
          watching += 1
          return isWatched.open
        }),
        (owner: string) => latest.get(owner)?.noticed_at ?? 0
      ),
      () =>
        Effect.suspend(() => {
          watching -= 1
          return watching === 0 ? isWatched.close : Effect.void
        })
    )
    return { watch } as const
  })
}) {}
