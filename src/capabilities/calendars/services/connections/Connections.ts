/** Connections of doctors to their own calendars: the permission, the choice of calendars, and what is written into them. Rule 3.15. */
import { createHash, randomBytes } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { isNothing } from "../../../../schemas/fields.ts"
import { type AppointmentUid, type DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { Jobs } from "../../../../services/queue/Jobs.ts"
import { queue } from "../../../../services/queue/queues.ts"
import { Service } from "../../../../services/Service.ts"
import type { BookingConsumer, BookingFact } from "../../../../services/scheduling/booking/bookingFacts.ts"
import { FreedTime } from "../../../../services/scheduling/booking/FreedTime.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { newCodeOf, newUid } from "../../../../services/uid.ts"
import {
  type CalendarConnection,
  type CalendarConnectionChanges,
  CalendarConnectionNotFound,
  CalendarConnectionUid,
  type CreatedConnection,
  type GrantingProvider,
  grantingProviders,
  type NewCalendarConnection,
  type ProviderName
} from "../../schemas/connections/CalendarConnection.ts"
import { CalendarEntries } from "./CalendarEntries.ts"
import { type Access, CalendarProviders, type FoundCalendar, noAccess, withTokens } from "./CalendarProviders.ts"
import { type ConnectionKey, ConnectionsRepo } from "./ConnectionsRepo.ts"
import { ForeignTimes } from "./ForeignTimes.ts"

/** Reads and writes what is due. */
export const connectionQueues = {
  "calendar.sync": queue(Schema.Struct({ organisation_uid: OrganisationUid, connection_uid: CalendarConnectionUid }))
}
type ConnectionQueues = typeof connectionQueues
declare module "../../../../services/queue/queues.ts" {
  interface Queues extends ConnectionQueues {}
}

/** Seconds for which an attempt can be finished. */
const ATTEMPT = 10 * MINUTE

const notFound = () => new CalendarConnectionNotFound()
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")
const noCalendar = () => invalid("url", "There is no CalDAV calendar at this address")

const doctorsOf = (facts: ReadonlyArray<BookingFact>) =>
  facts.flatMap(({ doctor_uid, further_doctor_uids }) => [doctor_uid, ...further_doctor_uids])
const uidsOf = (facts: ReadonlyArray<BookingFact>) => facts.map(({ uid }) => uid)

export class Connections extends Service<Connections>()("calendars/Connections", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const repo = yield* ConnectionsRepo
    const entries = yield* CalendarEntries
    const times = yield* ForeignTimes
    const doctors = yield* Doctors
    const jobs = yield* Jobs
    const freed = yield* FreedTime
    const providers = yield* CalendarProviders
    const { baseUrl } = yield* Settings
    const callbackOf = (provider: ProviderName) => `${baseUrl}/connect/calendar/${provider}/callback`

    /** By creation. Fails with `DoctorNotFound`. */
    const list = Effect.fn("Connections.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: ListQuery = {}
    ) {
      yield* doctors.ensure(owner, doctor)
      return yield* repo.list(owner, doctor, query)
    })

    const work = (owner: OrganisationUid, uid: CalendarConnectionUid) =>
      jobs.send("calendar.sync", { organisation_uid: owner, connection_uid: uid }, { group: owner })
    /** Has them read and written now. In the transaction of what causes it. */
    const ask = Effect.fnUntraced(function* (owner: OrganisationUid, uids: Iterable<string>) {
      const named = [...uids]
      const asked = named.length === 0 ? [] : yield* repo.ask(owner, named)
      yield* Effect.forEach(asked, ({ uid }) => work(owner, uid), { discard: true })
    })

    /** Begins an attempt. */
    const begin = Effect.fnUntraced(function* (
      organisation_uid: OrganisationUid,
      doctor_uid: DoctorUid,
      provider: ProviderName,
      secrets?: { readonly state: string; readonly verifier: string }
    ) {
      const key = { organisation_uid, uid: yield* newUid(CalendarConnectionUid) }
      yield* repo.insert(key, { doctor_uid, provider }, (yield* clock.now) + ATTEMPT, secrets)
      return key
    })

    /** Ends an attempt with what gives access; one to an account that is connected already renews its permission. */
    const establish = Effect.fnUntraced(function* (
      attempt: ConnectionKey,
      doctor: DoctorUid,
      provider: ProviderName,
      access: Access,
      calendars: ReadonlyArray<FoundCalendar>
    ) {
      const owner = attempt.organisation_uid
      const found = calendars.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      const account = found.find((one) => one.account !== "")?.account ?? ""
      const known = yield* repo.ofAccount(owner, doctor, provider, account, found)
      const key = Option.isSome(known) ? { ...attempt, ...known.value } : attempt
      if (key !== attempt) yield* repo.drop(attempt)
      yield* repo.keepAccess(key, access)
      yield* repo.connect(key, account, found)
      yield* ask(owner, [key.uid])
      return yield* Effect.orDie(repo.get(owner, doctor, key.uid))
    }, transaction)

    const connectCaldav = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      { url, username, password }: NewCalendarConnection
    ) {
      if (url == null) return yield* invalid("url", "is required")
      if (username == null) return yield* invalid("username", "is required")
      if (password == null) return yield* invalid("password", "is required")
      const refusal = yield* providers.examine(url)
      if (refusal !== null) return yield* invalid("url", refusal)
      const access = { ...noAccess, url, username, password }
      const found = yield* Effect.mapError(providers.caldav(access).calendars, ({ reason }) =>
        reason === "grant" ? invalid("password", "The server refuses the user name or the password") : noCalendar()
      )
      if (found.length === 0) return yield* noCalendar()
      return yield* establish(yield* begin(owner, doctor, "caldav"), doctor, "caldav", access, found)
    })

    /** Begins to connect. Fails with `DoctorNotFound`, and with `Invalid` for a provider without settings and an account that cannot be used. */
    const create = Effect.fn("Connections.create")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      wanted: NewCalendarConnection
    ) {
      yield* doctors.ensure(owner, doctor)
      const { provider } = wanted
      if (provider === "caldav") return (yield* connectCaldav(owner, doctor, wanted)) as CreatedConnection
      const granting = providers.granting(provider)
      if (granting === undefined) return yield* invalid("provider", "is not set up in this installation")
      const state = yield* newCodeOf("cst", owner)
      const verifier = randomBytes(32).toString("base64url")
      const { uid } = yield* begin(owner, doctor, provider, { state, verifier })
      const redirect = callbackOf(provider)
      return { uid, authorize_url: granting.authorizeUrl({ state, challenge: challengeOf(verifier), redirect }) }
    })

    /** Ends the doctor's attempt with the provider's answer; none: it is another's, used, or over, or the provider refuses. */
    const finish = Effect.fn("Connections.finish")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      provider: GrantingProvider,
      { state, code }: { readonly state: string; readonly code: string }
    ) {
      const granting = providers.granting(provider)
      const attempt = yield* repo.useState(owner, doctor, provider, state)
      if (Option.isNone(attempt) || granting === undefined || code === "") return Option.none<CalendarConnection>()
      const { key, verifier } = attempt.value
      return yield* Effect.gen(function* () {
        const tokens = yield* granting.exchange(code, verifier, callbackOf(provider))
        const access = withTokens(noAccess, tokens, yield* realNow)
        const found = yield* providers[provider](access).calendars
        return Option.some(yield* establish(key, doctor, provider, access, found))
      }).pipe(
        Effect.catchTag("ProviderFailed", ({ reason }) =>
          Effect.as(
            Effect.logInfo("a provider of calendars refused to connect", reason),
            Option.none<CalendarConnection>()
          )
        )
      )
    })

    /** Only times of these calendars of the connection are closed. */
    const closeOnly = (key: ConnectionKey, doctor: DoctorUid, calendars: ReadonlyArray<string>) =>
      Effect.zipRight(times.keepOnly(key, calendars), times.take(key, doctor))

    /** Chooses calendars. Fails with `CalendarConnectionNotFound`, and with `Invalid` for an unknown calendar or two that are written. */
    const update = Effect.fn("Connections.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: CalendarConnectionUid,
      { calendars: sent = [] }: CalendarConnectionChanges
    ) {
      const before = yield* repo.findForChange(owner, doctor, uid)
      if (isNothing({ calendars: sent.length === 0 ? undefined : sent })) return before
      const changes = new Map(sent.map((one) => [one.id, one]))
      if (sent.some(({ id }) => !before.calendars.some((known) => known.id === id)))
        return yield* invalid("calendars", "names a calendar that is not of this account")
      const after = before.calendars.map((one) => ({ ...one, ...changes.get(one.id) }))
      if (after.filter(({ writes }) => writes).length > 1) return yield* invalid("calendars", "writes into one at most")
      const changed = after.filter((one, index) => !Bun.deepEquals(one, before.calendars[index]))
      if (changed.length === 0) return before
      const key = { organisation_uid: owner, uid }
      yield* repo.choose(key, changed)
      const read = after.flatMap(({ id, reads }) => (reads ? id : []))
      yield* closeOnly(key, doctor, read)
      yield* entries.writeInto(key, doctor, after.find(({ writes }) => writes)?.id ?? null)
      yield* ask(owner, [uid])
      return yield* repo.get(owner, doctor, uid)
    }, transaction)

    /** Deletes the connection; what was written stays. Fails with `CalendarConnectionNotFound`. */
    const remove = Effect.fn("Connections.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: CalendarConnectionUid
    ) {
      if (!(yield* repo.remove(owner, doctor, uid))) return yield* notFound()
      const key = { organisation_uid: owner, uid }
      yield* closeOnly(key, doctor, [])
      yield* entries.leave(key)
      yield* work(owner, uid)
    }, transaction)

    /** Appointments that are confirmed stand in the calendars that are written. In the transaction of the change. */
    const confirmed: BookingConsumer = {
      concerns: repo.isWritten,
      run: Effect.fnUntraced(function* (facts) {
        const owner = facts[0]?.organisation_uid
        if (owner === undefined) return
        const calendars = yield* repo.writing(owner, doctorsOf(facts))
        if (calendars.length > 0) yield* ask(owner, yield* entries.confirmed(owner, facts, calendars))
      })
    }

    /** Those that give back their time are taken out again. */
    const released: BookingConsumer = {
      concerns: entries.isWanted,
      run: Effect.fnUntraced(function* (facts) {
        const owner = facts[0]?.organisation_uid
        if (owner !== undefined) yield* ask(owner, yield* entries.released(owner, uidsOf(facts)))
      })
    }

    /** Puts the appointment's entry back as it was. Fails with `CalendarEntryNotFound`. */
    const restore = Effect.fn("Connections.restore")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      appointment: AppointmentUid
    ) {
      yield* ask(owner, yield* entries.restore(owner, doctor, appointment))
    }, transaction)

    // it may open time
    const offering = freed.offering((doctor: DoctorUid) => [doctor])
    return {
      /** Providers that the service has settings for. */
      offered: grantingProviders
        .filter((provider) => providers.granting(provider) !== undefined)
        .map((provider) => ({ provider })),
      list,
      get: repo.get,
      findForChange: repo.findForChange,
      create,
      finish,
      update: offering(update),
      remove: offering(remove),
      ask,
      confirmed,
      released,
      restore
    } as const
  }),
  dependencies: [
    CalendarEntries.Default,
    ConnectionsRepo.Default,
    Doctors.Default,
    ForeignTimes.Default,
    FreedTime.Default
  ]
}) {}
