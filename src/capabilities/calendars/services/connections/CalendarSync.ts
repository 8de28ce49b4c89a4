/** Works on the connections that are due: writes entries, has changes pushed, reads them, and ends what was deleted. Rule 3.15. */
import { Clock, Effect, Option } from "effect"
import { Settings } from "../../../../config.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { EventLog } from "../../../../services/events/EventLog.ts"
import { Service } from "../../../../services/Service.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { OwnerByKey, tagKey } from "../../../../services/tenancy/OwnerByKey.ts"
import { Owners } from "../../../../services/tenancy/Owners.ts"
import type { CurrentTenant } from "../../../../services/tenancy/Tenancy.ts"
import {
  CalendarConnectionNotFound,
  type ConnectionFault,
  connectionFaults
} from "../../schemas/connections/CalendarConnection.ts"
import { CalendarEntries, type Entry } from "./CalendarEntries.ts"
import { type CalendarProvider, CalendarProviders, ifFailed, ProviderFailed, withTokens } from "./CalendarProviders.ts"
import { Connections } from "./Connections.ts"
import { type ConnectionKey, ConnectionsRepo, type Leased, type UsedCalendar } from "./ConnectionsRepo.ts"
import { EntryContent } from "./EntryContent.ts"
import { after, type EntryState, type Step, stepOf } from "./entryRules.ts"
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
const OF_ONE = ["refused", "gone", "token_lost"] as const
const isOfOne = ({ reason }: ProviderFailed) => OF_ONE.some((one) => one === reason)
const faultOf = ({ reason }: ProviderFailed): ConnectionFault => (reason === "token_lost" ? "refused" : reason)
/** When a calendar is read again after a reading, seconds. */
const intervalOf = ({ subscription }: UsedCalendar) => (subscription === null ? INTERVAL : PUSHED_INTERVAL)

export class CalendarSync extends Service<CalendarSync>()("calendars/CalendarSync", {
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

    /** What gives access, with a token that is good for another minute. `isRefused`: the provider has refused the present one. */
    const accessOf = Effect.fnUntraced(function* (one: Leased, isRefused = false) {
      const found = yield* repo.accessOf(one)
      if (Option.isNone(found)) return yield* new ProviderFailed({ reason: "grant" })
      const { access, sealed } = found.value
      const now = yield* realNow
      if (one.provider === "caldav" || (!isRefused && (access.until ?? 0) > now + MINUTE)) return access
      const granting = providers.granting(one.provider)
      if (granting === undefined) return yield* new ProviderFailed({ reason: "refused" })
      const renewed = withTokens(access, yield* granting.refresh(access.refresh_token), now)
      yield* repo.keepAccess(one, renewed, sealed)
      return renewed
    })

    /** Does a step at the provider; answers the identifier of the entry that stands there then, null: none does. */
    const doStep = Effect.fnUntraced(function* (provider: CalendarProvider, entry: Entry, id: string, step: Step) {
      const { calendar_id: calendar } = entry
      if (step === "look") return yield* provider.find(calendar, entry.uid)
      if (step === "remove") yield* provider.remove(calendar, id)
      if (step !== "create" && step !== "change") return null
      const content = yield* contents.of(entry)
      if (step === "create") return yield* provider.create(calendar, content)
      return yield* ifFailed(null, "gone")(Effect.as(provider.change(calendar, id, content), id))
    })

    /** Brings one entry to where it is wanted, step by step; each is stored before the next. */
    const settle = Effect.fnUntraced(function* (one: Leased, provider: CalendarProvider, entry: Entry) {
      if (stepOf(entry) === "nothing") return yield* entries.save(entry, entry)
      let state: EntryState | null = entry
      while (state !== null) {
        const step = stepOf(state)
        if (step === "nothing") return
        if (step === "create") yield* entries.save(entry, { ...state, begun: true })
        const next = after(state, step, yield* doStep(provider, entry, state.entry_id ?? "", step))
        yield* transaction(Effect.zipRight(entries.save(entry, next), repo.noteWriting(one)))
        state = next
      }
    })

    const read = Effect.fnUntraced(function* (one: Leased, { changes }: CalendarProvider, calendar: UsedCalendar) {
      const { organisation_uid: owner, doctor_uid, timezone } = one
      const now = yield* clock.now
      const [from, to] = [now - DAYS_BACK * DAY, now + DAYS_AHEAD * DAY]
      const stood = yield* entries.standing(one, calendar.id, now, to)
      // the period moves on: once a day it is read as a whole
      const isStale = calendar.whole_at === null || calendar.whole_at <= now - DAY
      const token = isStale ? null : calendar.token
      const own = yield* entries.keysIn(owner, calendar.id, from)
      const asked = { calendar: calendar.id, token, from, to, now, timezone, own }
      const found = yield* Effect.catchIf(
        changes(asked),
        ({ reason }) => reason === "token_lost",
        () => changes({ ...asked, token: null })
      )
      // of an entry that is named several times the last counts
      const named = new Map(found.entries.map((entry) => [entry.id, entry]))
      const there = new Map<string, { readonly start: number } | undefined>(
        found.isWhole ? stood.map(({ entry_id }) => [entry_id ?? "", undefined]) : []
      )
      for (const [id, entry] of named) there.set(id, entry.isGone ? undefined : entry)
      const store = Effect.gen(function* () {
        // other calendars were chosen, or changes pushed, meanwhile: it is read again
        if (!(yield* repo.isAsTaken(one))) return
        const keys = found.entries.flatMap(({ key }) => key ?? [])
        const own = yield* entries.ownAmong(owner, keys, [...named.keys()])
        const foreign = [...named.values()].map((entry) =>
          own.has(entry.id) || own.has(entry.key ?? "") || !calendar.reads ? { ...entry, isBlocking: false } : entry
        )
        yield* entries.compare(stood, there)
        yield* times.put(one, calendar.id, foreign, found.isWhole)
        yield* times.take(one, doctor_uid)
        if (isStale) yield* entries.forgetBefore(owner, now - DAYS_KEPT * DAY)
        const isWhole = token === null || found.isWhole
        yield* repo.noteReading(one, calendar.id, now + intervalOf(calendar), { token: found.token, isWhole })
      }).pipe(transaction)
      yield* freed.around(owner, [doctor_uid], store)
    })

    /** Has the provider push changes of a calendar that is used, and of no other one. */
    const subscribe = Effect.fnUntraced(function* (one: Leased, provider: CalendarProvider, calendar: UsedCalendar) {
      if (one.provider === "caldav") return calendar
      const now = yield* clock.now
      const { subscription, subscription_until } = calendar
      const isUsed = calendar.reads || calendar.writes
      if (isUsed && subscription !== null && (subscription_until ?? 0) > now + RENEWED) return calendar
      const canPush = baseUrl.startsWith("https:") || providers.granting(one.provider)?.isStandIn === true
      const address = `${baseUrl}/connect/calendar/${one.provider}/${yield* repo.pushCode(one)}`
      // without it the calendar is asked every five minutes
      const asked = isUsed && canPush ? provider.subscribe(calendar.id, address, now) : Effect.succeed(null)
      const made = yield* ifFailed(null, ...OF_ONE)(asked)
      yield* repo.keepSubscription(one, calendar.id, made)
      if (subscription !== null) yield* ifFailed(undefined, ...OF_ONE)(provider.unsubscribe(subscription))
      return { ...calendar, subscription: made }
    })

    /** Writes and reads what is due; returns the fault of an entry or a calendar, if any, and when it is due next. */
    const work = Effect.fnUntraced(function* (one: Leased, isRefused: boolean) {
      const provider = providers[one.provider](yield* accessOf(one, isRefused))
      let fault: ConnectionFault | null = null
      /** What is refused is noted, and the time at which it is tried again returned; 0: it succeeded. */
      const tried = Effect.fnUntraced(function* (asked: Effect.Effect<void, ProviderFailed, CurrentTenant>) {
        const done = yield* Effect.either(asked)
        if (done._tag === "Right") return 0
        if (!isOfOne(done.left)) return yield* done.left
        fault = faultOf(done.left)
        return (yield* clock.now) + AGAIN
      })
      const isOver = Effect.map(realNow, (real) => real > one.leased_until - RESERVE)
      for (const entry of yield* entries.due(one)) {
        if (yield* isOver) return { fault, next: yield* clock.now }
        const again = yield* tried(settle(one, provider, entry))
        if (again > 0) yield* entries.postpone(entry, again)
      }
      let next = (yield* entries.nextOf(one)) ?? Number.POSITIVE_INFINITY
      for (const found of yield* repo.calendars(one)) {
        if (yield* isOver) return { fault, next: yield* clock.now }
        const now = yield* clock.now
        const calendar = yield* subscribe(one, provider, found)
        if (!calendar.reads && !calendar.writes) continue
        const [read_at, latest] = [calendar.read_at ?? 0, now + intervalOf(calendar)]
        // also one whose changes were pushed until now
        const isDue = read_at <= now || read_at > latest
        const again = isDue ? yield* tried(read(one, provider, calendar)) : read_at
        if (isDue && again > 0) yield* repo.postponeReading(one, calendar.id, again)
        next = Math.min(next, again || latest)
      }
      return { fault, next: Number.isFinite(next) ? next : null }
    })

    /** The permission is lost: the doctor is told once, and nothing is asked until they connect again, unless they just have. */
    const pause = Effect.fnUntraced(function* (one: Leased) {
      if (!(yield* repo.isAsTaken(one))) return yield* repo.release(one, null, yield* clock.now)
      const { organisation_uid, uid, doctor_uid, provider, account } = one
      yield* repo.release(one, "grant", null)
      yield* events.append({
        type: "calendar_connection.failing",
        organisation_uid,
        subject: uid,
        data: { connection_uid: uid, doctor_uid, provider, account, last_error: connectionFaults.grant }
      })
    }, transaction)

    /** Ends subscriptions and the permission of a deleted connection; what gives access is forgotten, at the latest after a day. */
    const forget = Effect.fnUntraced(function* (one: Leased, deleted_at: number) {
      const { provider } = one
      const ended = Effect.gen(function* () {
        if (provider === "caldav") return
        const access = yield* accessOf(one)
        for (const { id, subscription } of yield* repo.calendars(one)) {
          if (subscription === null) continue
          yield* ifFailed(undefined, ...OF_ONE)(providers[provider](access).unsubscribe(subscription))
          yield* repo.keepSubscription(one, id, null)
        }
        if (yield* repo.sharesPermission(one)) return
        yield* providers.granting(provider)?.revoke(access.refresh_token) ?? Effect.void
      })
      const failed = yield* Effect.either(ended)
      const now = yield* clock.now
      // a permission that is lost has nothing to end
      const isLater = failed._tag === "Left" && !isOfOne(failed.left) && failed.left.reason !== "grant"
      if (isLater && now < deleted_at + DAY) return yield* repo.release(one, null, now + (failed.left.after ?? MINUTE))
      yield* repo.forgetAccess(one)
      yield* repo.release(one, null, null)
    })

    const syncOnce = Effect.fnUntraced(function* (one: Leased) {
      if (one.connected_at === null) return yield* repo.drop(one)
      if (one.deleted_at !== null) return yield* forget(one, one.deleted_at)
      const done = yield* Effect.either(
        Effect.catchIf(
          work(one, false),
          // the provider may end a token before its time
          ({ reason }) => reason === "grant" && one.provider !== "caldav",
          () => work(one, true)
        )
      )
      if (done._tag === "Right") return yield* repo.release(one, done.right.fault, done.right.next)
      const { reason, after: wait = MINUTE } = done.left
      if (reason === "grant") return yield* pause(one)
      yield* repo.release(one, faultOf(done.left), (yield* clock.now) + wait, reason === "throttled")
    })

    /** Reads and writes what is due of one connection, also what becomes so meanwhile. */
    const sync = Effect.fn("CalendarSync.sync")(function* (key: ConnectionKey) {
      const begun = yield* Clock.currentTimeMillis // real time: of the work itself
      for (;;) {
        const one = yield* repo.take(key)
        if (Option.isNone(one)) return
        yield* syncOnce(one.value)
        if ((yield* Clock.currentTimeMillis) - begun > TURN_MILLIS) return // real time: of the work itself
      }
    })

    /** The same of every connection; returns how many were due. */
    const syncDue = Effect.fn("CalendarSync.syncDue")(function* () {
      return yield* owners.eachDue("calendar_connections", yield* clock.now, (owner) =>
        Effect.gen(function* () {
          const due = yield* repo.due(owner, ROUND)
          yield* Effect.forEach(due, sync, { concurrency: AT_ONCE, discard: true })
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
