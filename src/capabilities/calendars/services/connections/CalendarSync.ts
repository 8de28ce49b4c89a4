/** Works on the connections that are due: writes entries, has changes pushed, reads them, and ends what was deleted. Rule 3.15. */
import { Clock, Effect, Option } from "effect"
import { Settings } from "../../../../config.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { EventLog } from "../../../../services/events/EventLog.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { OwnerByKey, tagKey } from "../../../../services/tenancy/OwnerByKey.ts"
import { Owners } from "../../../../services/tenancy/Owners.ts"
import {
  CalendarConnectionNotFound,
  type CalendarConnectionUid,
  type ConnectionFault,
  connectionFaults
} from "../../schemas/connections/CalendarConnection.ts"
import { CalendarEntries, type Entry } from "./CalendarEntries.ts"
import { type Access, CalendarProviders, ProviderFailed } from "./CalendarProviders.ts"
import { Connections } from "./Connections.ts"
import { ConnectionsRepo, type Leased, type UsedCalendar } from "./ConnectionsRepo.ts"
import { EntryContent } from "./EntryContent.ts"
import { after, type EntryState, stepOf } from "./entryRules.ts"
import { ForeignTimes } from "./ForeignTimes.ts"
import { gathered } from "./gathered.ts"

declare module "../../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly calendar_connections: OrganisationUid
  }
}

/** Seconds between two readings; where changes are pushed, at the longest. */
const [INTERVAL, PUSHED_INTERVAL] = [5 * MINUTE, HOUR]
/** Days before and after now that are read. */
const [DAYS_BACK, DAYS_AHEAD] = [1, 400]
/** Days after their end for which entries are remembered. */
const DAYS_KEPT = 30
/** Subscriptions are renewed so long before their end, seconds. */
const RENEWED = 6 * HOUR
/** Seconds before the end of a lease at which no further call is begun: none takes longer. */
const RESERVE = 2 * MINUTE
/** Seconds after which what a provider has refused is tried again. */
const AGAIN = 5 * MINUTE
/** After so long what became due meanwhile is left to the next run. */
const TURN_MILLIS = 60_000
/** Connections of an organisation that are worked on at a time, and in one round. */
const [AT_ONCE, ROUND] = [4, 100]

/** Faults of one entry or calendar, beside which the others go on. */
const isOfOne = ({ reason }: ProviderFailed) =>
  reason === "refused" || reason === "gone" || reason === "absent" || reason === "token_lost"
const faultOf = ({ reason }: ProviderFailed): ConnectionFault =>
  reason === "absent" || reason === "token_lost" ? "refused" : reason

export class CalendarSync extends Effect.Service<CalendarSync>()("calendars/CalendarSync", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const repo = yield* ConnectionsRepo
    const connections = yield* Connections
    const entries = yield* CalendarEntries
    const times = yield* ForeignTimes
    const contents = yield* EntryContent
    const providers = yield* CalendarProviders
    const events = yield* EventLog
    const freed = yield* FreedTime
    const owners = yield* Owners
    const byKey = yield* OwnerByKey
    const { baseUrl } = yield* Settings

    /** The access, with a token that is good for another minute. `isRefused`: the provider has refused the present one. */
    const accessOf = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased, isRefused = false) {
      const { uid, provider, access_sealed, access_until } = one
      if (access_sealed === null) return yield* new ProviderFailed({ reason: "grant" })
      const access = yield* repo.openAccess(owner, uid, access_sealed)
      if (provider === "caldav" || (!isRefused && (access_until ?? 0) > (yield* realNow) + MINUTE)) return access
      const granting = providers.granting(provider)
      if (granting === undefined) return yield* new ProviderFailed({ reason: "refused" })
      return yield* repo.keepTokens(owner, uid, access, yield* granting.refresh(access.refresh_token))
    })

    /** Brings one entry to where it is wanted, step by step; each is stored before the next. */
    const settle = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased, access: Access, entry: Entry) {
      const provider = providers[one.provider]
      const { calendar_id: calendar, uid: key } = entry
      const content = yield* contents.of(owner, entry)
      let state: EntryState | null = entry
      while (state !== null) {
        const step = stepOf(state)
        if (step === "nothing" && state === entry) yield* entries.save(owner, one.uid, entry, state)
        if (step === "nothing") break
        const id: string = state.entry_id ?? ""
        if (step === "create") yield* entries.save(owner, one.uid, entry, { ...state, begun: true })
        const found: string | null =
          step === "look"
            ? yield* provider.find(access, calendar, key)
            : step === "create"
              ? yield* provider.create(access, calendar, content)
              : step === "change"
                ? yield* Effect.catchIf(
                    Effect.as(provider.change(access, calendar, id, content), id),
                    ({ reason }) => reason === "absent",
                    () => Effect.succeed(null)
                  )
                : step === "remove"
                  ? yield* Effect.as(provider.remove(access, calendar, id), null)
                  : null
        state = after(state, step, found)
        yield* transaction(
          Effect.zipRight(entries.save(owner, one.uid, entry, state), repo.noteWriting(owner, one.uid))
        )
      }
    })

    const read = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      one: Leased,
      access: Access,
      calendar: UsedCalendar
    ) {
      const now = yield* clock.now
      const { changes } = providers[one.provider]
      const stood = yield* entries.standing(owner, one.uid, calendar.id, { from: now, to: now + DAYS_AHEAD * DAY })
      // the period moves on: once a day it is read as a whole
      const isStale = calendar.whole_at === null || calendar.whole_at <= now - DAY
      const asked = {
        calendar: calendar.id,
        token: isStale ? null : calendar.token,
        from: now - DAYS_BACK * DAY,
        to: now + DAYS_AHEAD * DAY,
        now,
        timezone: one.timezone,
        own: yield* entries.keysIn(owner, calendar.id, now - DAYS_BACK * DAY)
      }
      const found = yield* Effect.catchIf(
        changes(access, asked),
        ({ reason }) => reason === "token_lost",
        () => changes(access, { ...asked, token: null })
      )
      const there = new Map<string, { readonly start: number } | undefined>(
        found.isWhole ? stood.map(({ entry_id }) => [entry_id ?? "", undefined]) : []
      )
      for (const entry of found.entries) there.set(entry.id, entry.isGone ? undefined : entry)
      const store = Effect.gen(function* () {
        // other calendars were chosen, or changes pushed, meanwhile: it is read again
        if (!(yield* repo.isAsTaken(owner, one))) return
        const own = yield* entries.ownAmong(
          owner,
          found.entries.flatMap(({ key }) => key ?? []),
          found.entries.map(({ id }) => id)
        )
        const foreign = found.entries.map((entry) =>
          own.has(entry.id) || own.has(entry.key ?? "") || !calendar.reads ? { ...entry, isBlocking: false } : entry
        )
        yield* entries.compare(owner, one.uid, stood, there)
        yield* times.put(owner, one.uid, calendar.id, foreign, found.isWhole)
        yield* times.take(owner, one.uid, one.doctor_uid)
        if (isStale) yield* entries.forgetBefore(owner, now - DAYS_KEPT * DAY)
        const next = now + (calendar.subscription === null ? INTERVAL : PUSHED_INTERVAL)
        yield* repo.noteReading(owner, one.uid, calendar, next, {
          token: found.token,
          isWhole: asked.token === null || found.isWhole
        })
      }).pipe(transaction)
      yield* freed.around(owner, [one.doctor_uid], store)
    })

    /** Has the provider push changes of a calendar that is used, and of no other one. */
    const subscribe = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      one: Leased,
      access: Access,
      calendar: UsedCalendar
    ) {
      if (one.provider === "caldav") return calendar
      const now = yield* clock.now
      const { subscription, subscription_until } = calendar
      const isUsed = calendar.reads || calendar.writes
      if (isUsed && subscription !== null && (subscription_until ?? 0) > now + RENEWED) return calendar
      const provider = providers[one.provider]
      const canPush = baseUrl.startsWith("https:") || providers.granting(one.provider)?.isStandIn === true
      const address = `${baseUrl}/connect/calendar/${one.provider}/${yield* repo.pushCode(owner, one)}`
      const made =
        isUsed && canPush
          ? yield* Effect.catchIf(provider.subscribe(access, calendar.id, address, now), isOfOne, () =>
              // without it the calendar is asked every five minutes
              Effect.succeed(null)
            )
          : null
      yield* repo.keepSubscription(owner, one.uid, calendar, made)
      if (subscription !== null)
        yield* Effect.catchIf(provider.unsubscribe(access, subscription), isOfOne, () => Effect.void)
      return { ...calendar, subscription: made }
    })

    /** Writes and reads what is due; returns the fault of an entry or a calendar, if any, and when it is due next. */
    const work = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased, isRefused: boolean) {
      const access = yield* accessOf(owner, one, isRefused)
      let fault: ConnectionFault | null = null
      const isOver = Effect.map(realNow, (real) => real > one.leased_until - RESERVE)
      for (const entry of yield* entries.due(owner, one.uid)) {
        if (yield* isOver) return { fault, next: yield* clock.now }
        const failed = yield* Effect.either(settle(owner, one, access, entry))
        if (failed._tag === "Right") continue
        if (!isOfOne(failed.left)) return yield* failed.left
        fault = faultOf(failed.left)
        yield* entries.postpone(owner, one.uid, entry, (yield* clock.now) + AGAIN)
      }
      let next = (yield* entries.nextOf(owner, one.uid)) ?? Number.POSITIVE_INFINITY
      for (const found of yield* repo.calendars(owner, one.uid)) {
        if (yield* isOver) return { fault, next: yield* clock.now }
        const now = yield* clock.now
        const calendar = yield* subscribe(owner, one, access, found)
        if (!calendar.reads && !calendar.writes) continue
        const longest = calendar.subscription === null ? INTERVAL : PUSHED_INTERVAL
        // also one whose changes were pushed until now
        const isDue = (calendar.read_at ?? 0) <= now || (calendar.read_at ?? 0) > now + longest
        if (!isDue) {
          next = Math.min(next, calendar.read_at ?? now)
          continue
        }
        const failed = yield* Effect.either(read(owner, one, access, calendar))
        if (failed._tag === "Left") {
          if (!isOfOne(failed.left)) return yield* failed.left
          fault = faultOf(failed.left)
          yield* repo.noteReading(owner, one.uid, calendar, now + AGAIN)
        }
        next = Math.min(next, now + (failed._tag === "Left" ? AGAIN : longest))
      }
      return { fault, next: Number.isFinite(next) ? next : null }
    })

    /** The permission is lost: the doctor is told once, and nothing is asked until they connect again. */
    const pause = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased) {
      yield* repo.release(owner, one, "grant", null)
      yield* events.append({
        type: "calendar_connection.failing",
        organisation_uid: owner,
        subject: one.uid,
        data: {
          connection_uid: one.uid,
          doctor_uid: one.doctor_uid,
          provider: one.provider,
          account: one.account,
          last_error: connectionFaults.grant
        }
      })
    }, transaction)

    /** Ends subscriptions and the permission of a deleted connection; what gives access is forgotten, at the latest after a day. */
    const forget = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased, deleted_at: number) {
      const { provider } = one
      const ended = Effect.gen(function* () {
        if (provider === "caldav") return
        const access = yield* accessOf(owner, one)
        for (const calendar of yield* repo.calendars(owner, one.uid)) {
          if (calendar.subscription === null) continue
          yield* Effect.catchIf(
            providers[provider].unsubscribe(access, calendar.subscription),
            isOfOne,
            () => Effect.void
          )
          yield* repo.keepSubscription(owner, one.uid, calendar, null)
        }
        yield* providers.granting(provider)?.revoke(access.refresh_token) ?? Effect.void
      })
      const failed = yield* Effect.either(ended)
      const now = yield* clock.now
      // a permission that is lost has nothing to end
      const isLater = failed._tag === "Left" && !isOfOne(failed.left) && failed.left.reason !== "grant"
      if (isLater && now < deleted_at + DAY)
        return yield* repo.forgetLater(owner, one.uid, now + (failed.left.after ?? MINUTE))
      yield* repo.forget(owner, one.uid)
    })

    const syncOnce = Effect.fnUntraced(function* (owner: OrganisationUid, one: Leased) {
      if (!one.is_connected) return yield* repo.drop(owner, one.uid)
      if (one.deleted_at !== null) return yield* forget(owner, one, one.deleted_at)
      const done = yield* Effect.either(
        Effect.catchIf(
          work(owner, one, false),
          // the provider may end a token before its time
          ({ reason }) => reason === "grant" && one.provider !== "caldav",
          () => work(owner, one, true)
        )
      )
      if (done._tag === "Right") return yield* repo.release(owner, one, done.right.fault, done.right.next)
      const { reason, after: wait = MINUTE } = done.left
      if (reason === "grant") return yield* pause(owner, one)
      yield* repo.release(owner, one, faultOf(done.left), (yield* clock.now) + wait, reason === "throttled")
    })

    /** Reads and writes what is due of one connection, also what becomes so meanwhile. */
    const sync = Effect.fn("CalendarSync.sync")(function* (owner: OrganisationUid, uid: CalendarConnectionUid) {
      const begun = yield* Clock.currentTimeMillis // real time: of the work itself
      for (;;) {
        const one = yield* repo.take(owner, uid)
        if (Option.isNone(one)) return
        yield* syncOnce(owner, one.value)
        if ((yield* Clock.currentTimeMillis) - begun > TURN_MILLIS) return // real time: of the work itself
      }
    })

    /** The same of every connection; returns how many were due. */
    const syncDue = Effect.fn("CalendarSync.syncDue")(function* () {
      return yield* owners.eachDue("calendar_connections", yield* clock.now, (owner) =>
        Effect.gen(function* () {
          const due = yield* repo.due(owner, ROUND)
          yield* Effect.forEach(due, ({ uid }) => sync(owner, uid), { concurrency: AT_ONCE, discard: true })
          return due.length
        })
      )
    })

    /** Providers push for all of a practice at once: a transaction for each would hold the database for minutes. */
    const store = gathered((owner: OrganisationUid, codes: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const found = yield* repo.pushed(owner, codes)
        const uids = found.map(({ uid }) => uid)
        yield* connections.ask(owner, uids)
        return new Set(found.map(({ code }) => code))
      }).pipe(transaction)
    )
    /** A push of the provider with this code: its calendars are read now. Fails with `CalendarConnectionNotFound`. */
    const pushed = Effect.fn("CalendarSync.pushed")((code: string) => {
      const missing = () => new CalendarConnectionNotFound()
      return byKey.within(tagKey(code), missing, (owner) =>
        Effect.filterOrFail(store(owner, code), (found) => found.has(code), missing)
      )
    })
    return { sync, syncDue, pushed } as const
  }),
  dependencies: [
    CalendarEntries.Default,
    Connections.Default,
    ConnectionsRepo.Default,
    EntryContent.Default,
    ForeignTimes.Default,
    FreedTime.Default,
    OwnerByKey.Default
  ]
}) {}
