/**
 * Offers of the waiting list (section 19): time that became free is offered in the transaction that freed it, to those who wait, in their
 * order. What such a transaction leaves, a job offers.
 */

import { Array as Arr, Effect, Either, Option, Struct } from "effect"
import { Settings } from "../../../config.ts"
import { type Actor, isPatientSide } from "../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { type AppointmentTypeUid, type AppointmentUid, DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { LinkAction } from "../../../schemas/scheduling/ActionLink.ts"
import { AppointmentNotFound, HoldNotConfirmable, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Service } from "../../../services/Service.ts"
import { LinkIssuer } from "../../../services/scheduling/appointments/LinkIssuer.ts"
import { BookingLocks } from "../../../services/scheduling/booking/BookingLocks.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import type { Calendars } from "../../../services/scheduling/booking/Calendars.ts"
import { type Booker, confirmedForm, HoldManager } from "../../../services/scheduling/booking/HoldManager.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { newCodeOf, newUid } from "../../../services/uid.ts"
import { makeCalendarCache, withCounted, withSubjectsTaken } from "../../shared/services/free/CalendarCache.ts"
import { FirstStarts, type FreeStart } from "../../shared/services/free/FirstStarts.ts"
import { Organisations } from "../../shared/services/Organisations.ts"
import { WaitlistOfferNotFound } from "../schemas/errors.ts"
import type { OfferStatus, WaitlistOffer } from "../schemas/Waitlist.ts"
import { type WaitlistEntryUid, WaitlistOfferUid } from "../schemas/Waitlist.ts"
import { AT_ONCE, fits, isNear, type Replaceable, termsOf, UNANSWERED_MAX, wallsBetween } from "./fit.ts"
import {
  type Candidate,
  type Freed,
  newOpening,
  PAGE,
  publicEntry,
  type ShownOffer,
  type StoredEntry,
  type StoredOffer,
  type WaitedType,
  WaitlistRepo
} from "./WaitlistRepo.ts"

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly waitlist: OrganisationUid
  }
}

/** Free times that one transaction offers, and offers that it makes: each takes some milliseconds, in which the doctor's bookings wait. */
const [OPENINGS_AT_ONCE, OFFERS_AT_ONCE] = [20, 20]
const BATCH = 50

const placeOf = (owner: OrganisationUid, uid: WaitlistOfferUid): Place => ({
  table: "waitlist_offers",
  column: "code_sealed",
  row: [owner, uid]
})

/** What a booking needs of an entry. */
type Waiting = Pick<StoredEntry, "organisation_uid" | "patient_uid" | "appointment_uid" | "actor_kind" | "actor_uid">

/** Who moves or books: the practice if it made the entry, else the patient by the offer's link. */
const actorOf = (entry: Waiting, offer: string): Actor =>
  isPatients(entry) ? { kind: "action_link", uid: offer } : { kind: entry.actor_kind, uid: entry.actor_uid }

const isPatients = ({ actor_kind }: Pick<StoredEntry, "actor_kind">) => isPatientSide({ kind: actor_kind })

const replaceableOf = (one: Candidate): Replaceable | null => {
  if (one.appointment_uid === null || one.original_start === null) return null
  const notice = (one.original_notice ?? 0) * MINUTE
  const until = one.original_movable === false ? Number.NEGATIVE_INFINITY : one.original_start - notice
  return {
    start_date: one.original_start,
    only_doctor: one.original_mode === "same_doctor_only" ? one.original_doctor : null,
    movable_until: isPatients(one) ? until : null
  }
}

const overlaps = (
  one: { readonly start_date: number; readonly end_date: number },
  other: { readonly start_date: number; readonly end_date: number }
) => one.start_date < other.end_date && one.end_date > other.start_date

/** A near start that is on offer, and to how many; of these, on account of the time that is being offered. */
interface Race {
  readonly doctor_uid: string
  readonly start_date: number
  readonly end_date: number
  offers: number
  own_offers: number
}

export class Offers extends Service<Offers>()("scheduling/Offers", {
  effect: Effect.gen(function* () {
    const { transaction, savepoint } = yield* Database
    const { meetingsUrl } = yield* Settings
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const events = yield* EventLog
    const owners = yield* Owners
    const byKey = yield* OwnerByKey
    const { allStarts } = yield* FirstStarts
    const holds = yield* HoldManager
    const appointments = yield* BookingRepo
    const locks = yield* BookingLocks
    const repo = yield* WaitlistRepo
    const links = yield* LinkIssuer
    const sessions = yield* BookingSessions
    const organisations = yield* Organisations

    const bookerOf = (entry: Waiting, offer: string): Booker => ({
      organisation_uid: entry.organisation_uid,
      patient_uid: entry.patient_uid,
      actor: actorOf(entry, offer),
      session_uid: null,
      replaces_appointment_uid: entry.appointment_uid
    })

    /**
     * Offers one start to one entry. None if the entry no longer waits. Within a savepoint: a hold that fails leaves the caller's transaction
     * usable, and nothing of the offer. Fails as `HoldManager.hold`.
     */
    const offerStart = (entry: Candidate, { freeing }: Freed, free: FreeStart, notice_minutes: number, now: number) =>
      savepoint(
        Effect.gen(function* () {
          const owner = entry.organisation_uid
          const claimed = yield* repo.claim(owner, entry.uid, now)
          if (Option.isNone(claimed)) return false
          const uid = yield* newUid(WaitlistOfferUid)
          const zone = Option.getOrElse(yield* sessions.zoneOf(owner, entry.patient_uid), () => "UTC")
          const terms = termsOf(free.start_date, notice_minutes, zone, now)
          const { appointment_type_uid } = entry
          const doctor_uid = DoctorUid.make(free.doctor_uid, true)
          const start_date = UnixSeconds.make(free.start_date)
          const slot = { doctor_uid, appointment_type_uid, start_date }
          const hold = isNear(start_date, now)
            ? null
            : yield* holds.hold(bookerOf(entry, uid), slot, { ttl_seconds: terms.expires_at - now })
          const code = yield* newCodeOf("wlo", owner)
          const offer: StoredOffer = {
            organisation_uid: owner,
            uid,
            entry_uid: entry.uid,
            freeing,
            doctor_uid,
            appointment_type_uid,
            start_date,
            end_date: UnixSeconds.make(free.end_date),
            hold_uid: hold?.hold_uid ?? null,
            appointment_uid: null,
            replaces_appointment_uid: entry.appointment_uid,
            need: entry.need,
            status: "offered",
            sent_at: UnixSeconds.make(terms.sent_at),
            expires_at: UnixSeconds.make(terms.expires_at),
            code_sealed: yield* box.seal(placeOf(owner, uid), code)
          }
          yield* repo.insertOffer(offer, code, now)
          yield* events.append({
            type: "waitlist.offered",
            organisation_uid: owner,
            subject: uid,
            data: {
              entry: publicEntry(claimed.value),
              patient_uid: entry.patient_uid,
              offer: {
                uid,
                doctor_uid,
                start_date,
                end_date: offer.end_date,
                sent_at: offer.sent_at,
                expires_at: offer.expires_at
              }
            }
          })
          return true
        })
      )

    /** Where all starts of a free time lie on the walls of its doctor; undefined if others' times may be meant, or the day changes. */
    const wallsOf = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { doctor_uids, near, limited }: Freed,
      types: ReadonlyArray<WaitedType>
    ) {
      const [doctor, type] = [doctor_uids[0], types[0]]
      if (doctor === undefined || type === undefined || doctor_uids.length > 1) return undefined
      if (limited !== null || types.some(({ any_doctor }) => any_doctor)) return undefined
      const place = yield* repo.placeOf(owner, doctor, type.uid)
      if (Option.isNone(place)) return undefined
      const longest = Math.max(...types.map((one) => one.duration_minutes)) * MINUTE
      return wallsBetween(place.value.timezone, near.from - longest, near.to)
    })

    /** Offers a free time; returns false if there are more to offer it to than one transaction does. Under the locks of `plan`. */
    const offerOpening = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      opening: Freed,
      plan: ReadonlyArray<WaitedType>
    ) {
      const now = yield* clock.now
      const { limited, near } = opening
      /** Whether starts beside the time are looked at as well: buffers may have closed them, or they were free before. */
      const isWidened = opening.reach_minutes > 0
      if (plan.length === 0 || opening.to <= now) return true
      const walls = yield* wallsOf(owner, opening, plan)
      const races: Array<Race> = (yield* repo.liveStarts(owner, opening)).map((one) => ({ ...one }))
      const free = new Map<AppointmentTypeUid, ReadonlyArray<FreeStart>>()
      const places = new Map<string, Effect.Effect.Success<ReturnType<typeof repo.placeOf>>>()
      const refused = new Set<string>()
      const keyOf = (type: AppointmentTypeUid, { doctor_uid, start_date }: FreeStart) =>
        `${type} ${doctor_uid} ${start_date}`
      /** The calendars before the time became free. */
      const asBefore = (calendars: Calendars) =>
        withSubjectsTaken(limited === null ? calendars : withCounted(calendars, limited), opening)
      /** Starts that are free and were not before. */
      const startsOf = Effect.fnUntraced(function* ({ uid, any_doctor, duration_minutes }: WaitedType) {
        const known = free.get(uid)
        if (known !== undefined) return known
        const isOfLimit = limited !== null && (limited.of_doctor || limited.appointment_type_uid === uid)
        const { from, to } = isOfLimit ? opening : near
        const range = { from: Math.max(now, from - duration_minutes * MINUTE), to }
        const doctor_uids = any_doctor ? undefined : opening.doctor_uids
        const query = { appointment_type_uid: uid, doctor_uids, ...range }
        const cache = makeCalendarCache()
        const search = (as?: (calendars: Calendars) => Calendars) =>
          Effect.map(allStarts(owner, query, cache, as), (found) =>
            found.filter((one) => overlaps(one, { start_date: from, end_date: to }))
          )
        const found = yield* search()
        const others = (any_doctor || isOfLimit || isWidened) && found.length > 0 ? yield* search(asBefore) : []
        const before = new Set(others.map((one) => keyOf(uid, one)))
        const starts = found.filter((one) => !before.has(keyOf(uid, one)))
        free.set(uid, starts)
        return starts
      })
      const placeOf = Effect.fnUntraced(function* (type: AppointmentTypeUid, { doctor_uid }: FreeStart) {
        const key = `${type} ${doctor_uid}`
        const known = places.get(key)
        if (known !== undefined) return known
        const found = yield* repo.placeOf(owner, DoctorUid.make(doctor_uid, true), type)
        places.set(key, found)
        return found
      })
      const raceOf = ({ doctor_uid, start_date }: FreeStart) =>
        races.find((one) => one.doctor_uid === doctor_uid && one.start_date === start_date)
      /**
       * Far starts are free for one; near ones for a few, unless they overlap another that is on offer. What limits have left is one place,
       * whatever its time: a few have offers of it, or one has it.
       */
      const isOpen = (type: AppointmentTypeUid, one: FreeStart) => {
        if (refused.has(keyOf(type, one))) return false
        const most = isNear(one.start_date, now) ? AT_ONCE : 1
        if (limited !== null && races.reduce((sum, { own_offers }) => sum + own_offers, 0) >= most) return false
        if (!isNear(one.start_date, now)) return true
        const race = raceOf(one)
        return race === undefined
          ? !races.some((other) => other.doctor_uid === one.doctor_uid && overlaps(other, one))
          : race.offers < AT_ONCE
      }

      let after: Candidate | undefined
      let made = 0
      let types = plan
      for (;;) {
        const page = types.length === 0 ? [] : yield* repo.candidates(owner, opening, types, walls, after, now)
        for (const entry of page) {
          after = entry
          const { appointment_type_uid: type } = entry
          const waited = types.find(({ uid }) => uid === type)
          if (waited === undefined) continue
          const open = (yield* startsOf(waited)).filter((one) => isOpen(type, one))
          if (open.length === 0) {
            types = types.filter(({ uid }) => uid !== type)
            continue
          }
          const replaced = replaceableOf(entry)
          for (const one of open) {
            if (entry.past.includes(one.start_date)) continue
            const place = yield* placeOf(type, one)
            if (Option.isNone(place)) continue
            const { timezone, notice_minutes } = place.value
            if (!fits(entry, replaced, { uid: one.doctor_uid, timezone }, one.start_date, now)) continue
            if (made === OFFERS_AT_ONCE) return false
            const result = yield* Effect.either(offerStart(entry, opening, one, notice_minutes, now))
            if (Either.isLeft(result)) {
              // The time is not to be had for this patient: the next start, or the next entry
              if (result.left._tag === "SlotTaken" || result.left._tag === "SlotNotOffered")
                refused.add(keyOf(type, one))
              continue
            }
            if (!result.right) break
            made++
            if (isNear(one.start_date, now)) {
              const race = raceOf(one)
              if (race === undefined) races.push({ ...one, offers: 1, own_offers: 1 })
              else {
                race.offers++
                race.own_offers++
              }
            } else if (limited !== null)
              // it may have been the last of the period: what is left is searched again
              free.clear()
            else {
              // what overlaps is taken; what is too near, or lacks units now, is refused
              for (const [other, starts] of free)
                free.set(
                  other,
                  starts.filter(({ doctor_uid, ...time }) => doctor_uid !== one.doctor_uid || !overlaps(time, one))
                )
            }
            break
          }
        }
        if (page.length < PAGE) return true
      }
    })

    /** Locks all that the free time, and the types that may get it, can take. */
    const lockFor = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { doctor_uids, resource_uids }: Freed,
      plan: ReadonlyArray<WaitedType>,
      waits: true | "never"
    ) {
      const others = plan.some(({ any_doctor }) => any_doctor) ? yield* repo.doctorsOf(owner) : []
      const lockable = {
        doctor_uids: [...doctor_uids, ...others],
        resource_uids,
        appointment_type_uids: plan.flatMap(({ uid, locks_more }) => (locks_more ? [uid] : []))
      }
      return yield* locks.lock(owner, lockable, null, waits)
    })

    /**
     * Offers free time of the organisation, as far as the locks are free: whoever frees time may hold locks of appointments, and so does not
     * wait. The rest stays closed to search until the job offers it. Returns how many were offered.
     */
    const offerOpenings = Effect.fnUntraced(function* (owner: OrganisationUid, limit: number, waits: true | "never") {
      const taken = yield* repo.takeOpenings(owner, limit)
      let done = 0
      for (const one of taken) {
        const opening = yield* repo.freed(owner, one)
        const plan = yield* repo.waitedTypes(owner, opening, yield* clock.now)
        const isOffered =
          plan.length === 0 ||
          ((yield* lockFor(owner, opening, plan, waits)) && (yield* offerOpening(owner, opening, plan)))
        if (isOffered) done++
        else yield* repo.open(owner, [one])
      }
      return { taken: taken.length, done }
    })

    const settle = (owner: OrganisationUid) =>
      Effect.asVoid(transaction(offerOpenings(owner, OPENINGS_AT_ONCE, "never")))

    /** The free starts of the types, each with its end, by doctor and start. */
    const freeStarts = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor_uids: ReadonlyArray<DoctorUid> | undefined,
      wanted: Effect.Effect.Success<ReturnType<typeof repo.wanted>>
    ) {
      const all = yield* Effect.forEach(
        wanted,
        ({ appointment_type_uid, requires, start_date: from, end_date: to }) => {
          const query = { appointment_type_uid, doctor_uids: requires ? undefined : doctor_uids, from, to }
          return Effect.map(allStarts(owner, query, makeCalendarCache()), (found) =>
            found.map((one) => [`${one.doctor_uid} ${appointment_type_uid} ${one.start_date}`, one] as const)
          )
        }
      )
      return new Map(all.flat())
    })

    /** The time of holds that expire stays closed until it is offered, while anybody waits. */
    const closeLapsed = (owner: OrganisationUid) => organisations.closeLapsedHolds(owner, repo.anyoneWaits(owner))

    /** A change of hours, of a doctor, a resource or a type: what is free afterwards and was not before is offered. */
    const around = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid> | undefined,
      change: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      Effect.gen(function* () {
        const now = yield* clock.now
        const wanted = yield* repo.wanted(owner, doctors, now)
        // it may pause the list, or add entries
        const changed = doctors === undefined ? Effect.tap(change, closeLapsed(owner)) : change
        if (wanted.length === 0) return yield* changed
        const before = yield* freeStarts(owner, doctors, wanted)
        const result = yield* changed
        const after = yield* freeStarts(owner, doctors, wanted)
        const fresh = [...after].flatMap(([key, one]) => (before.has(key) ? [] : [one]))
        if (fresh.length === 0) return result
        const freeing = yield* newUid({ prefix: "wlg", make: (text: string) => text })
        yield* repo.open(
          owner,
          merged(fresh).map((one, at) => ({ ...newOpening(`${freeing}_${at}`, freeing, now + 2 * MINUTE), ...one }))
        )
        yield* offerOpenings(owner, OPENINGS_AT_ONCE, "never")
        return result
      }).pipe(transaction) as Effect.Effect<A, E, R>

    // ---- Answers

    /** The offer of a code. Fails with `WaitlistOfferNotFound`, also once the entry was removed. */
    const behind = Effect.fn("Offers.behind")((code: string) => {
      const unknown = () => new WaitlistOfferNotFound()
      return byKey.ofCode(code, unknown, (owner) => repo.offerOfCode(owner, code))
    })

    const statusAt = ({ status, expires_at }: StoredOffer, now: number): OfferStatus =>
      status === "offered" && expires_at <= now ? "lapsed" : status

    const formOf = (offer: ShownOffer, now: number): WaitlistOffer => ({
      ...Struct.pick(offer, "appointment_type_name", "doctor_display_name", "start_date", "end_date", "expires_at"),
      status: statusAt(offer, now),
      replaces:
        offer.replaces_appointment_uid === null || offer.replaced_start === null || offer.replaced_end === null
          ? null
          : {
              appointment_uid: offer.replaces_appointment_uid,
              start_date: offer.replaced_start,
              end_date: offer.replaced_end
            }
    })
    const context = Effect.fn("Offers.context")(function* (code: string) {
      return formOf(yield* behind(code), yield* clock.now)
    })

    /** Withdraws the other open offers of an entry; held times are offered on. */
    const withdraw = Effect.fnUntraced(function* (entry: StoredEntry, now: number) {
      const owner = entry.organisation_uid
      const live = yield* repo.liveOffersOf(owner, entry.uid)
      yield* Effect.forEach(live, ({ uid }) => repo.settleOffer(owner, uid, "lost", null, now))
      const held = yield* openAgain(owner, live, now)
      if (held.length > 0) yield* appointments.cancel(owner, held, "lost", now)
    })

    /** The time of near offers that were answered or lapsed: the next in order are asked. Returns the holds of the others. */
    const openAgain = (owner: OrganisationUid, answered: ReadonlyArray<StoredOffer>, now: number) => {
      const [near, held] = Arr.partitionMap(answered, (one) =>
        one.hold_uid === null ? Either.left(one) : Either.right(one.hold_uid)
      )
      const openings = near.map(({ uid, doctor_uid, freeing, start_date, end_date }) => ({
        ...newOpening(uid, freeing, now),
        doctor_uids: [doctor_uid],
        start_date,
        end_date
      }))
      return Effect.as(repo.open(owner, openings), held)
    }

    const confirmedBy = Effect.fnUntraced(function* (owner: OrganisationUid, uid: AppointmentUid | null) {
      if (uid === null) return yield* new HoldNotConfirmable({ reason: "cancelled" })
      return confirmedForm(yield* appointments.find(owner, uid, yield* clock.now))
    })

    const acceptOnce = Effect.fnUntraced(function* (given: ShownOffer) {
      const { organisation_uid: owner, uid, doctor_uid, appointment_type_uid, start_date } = given
      const replaced = given.replaces_appointment_uid === null ? [] : [given.replaces_appointment_uid]
      yield* locks.lock(
        owner,
        { doctor_uids: [doctor_uid], appointment_type_uids: [appointment_type_uid], appointment_uids: replaced },
        null,
        true
      )
      const offer = yield* repo.lockOffer(owner, uid)
      if (offer.status === "accepted") return yield* confirmedBy(owner, offer.appointment_uid)
      if (offer.status === "lost") return yield* new SlotTaken()
      const entry = yield* Effect.catchTag(
        repo.lock(owner, offer.entry_uid),
        "WaitlistEntryNotFound",
        () => new WaitlistOfferNotFound()
      )
      if (offer.status === "declined" || entry.status === "booked" || entry.status === "ended")
        return yield* new HoldNotConfirmable({ reason: "cancelled" })
      const now = yield* clock.now
      yield* repo.settleOffer(owner, uid, "accepted", null, now)
      const booked = yield* repo
        .update(owner, entry.uid, { status: "booked", unanswered: 0 }, now)
        .pipe(Effect.catchTag("WaitlistEntryNotFound", () => new WaitlistOfferNotFound()))
      const booker = bookerOf(entry, uid)
      const confirmed =
        offer.hold_uid === null
          ? yield* holds.book(booker, { doctor_uid, appointment_type_uid, start_date })
          : yield* holds.confirmWithin(booker, doctor_uid, offer.hold_uid)
      yield* repo.settleOffer(owner, uid, "accepted", confirmed.uid, now)
      yield* withdraw(entry, now)
      yield* events.append({
        type: "waitlist.accepted",
        organisation_uid: owner,
        subject: uid,
        data: {
          entry: publicEntry(booked),
          patient_uid: entry.patient_uid,
          appointment_uid: confirmed.uid,
          previous_meeting_uid: confirmed.previous_meeting_uid
        }
      })
      yield* offerOpenings(owner, OPENINGS_AT_ONCE, "never")
      return confirmedForm(confirmed)
    }, transaction)

    /** An open near offer whose time is gone. */
    const lose = Effect.fnUntraced(function* ({ organisation_uid: owner, uid }: ShownOffer) {
      const offer = yield* repo.lockOffer(owner, uid)
      if (offer.status !== "offered" || offer.hold_uid !== null) return
      const now = yield* clock.now
      yield* repo.settleOffer(owner, uid, "lost", null, now)
      yield* waitAgain(owner, offer, {}, now)
    }, transaction)

    /** An entry whose offer was answered waits again, unless it has gone on otherwise. */
    const waitAgain = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { entry_uid }: StoredOffer,
      changes: { readonly unanswered?: number },
      now: number
    ) {
      const entry = yield* Effect.option(repo.lock(owner, entry_uid))
      if (Option.isNone(entry)) return Option.none<StoredEntry>()
      const { status } = entry.value
      const next = status === "offered" ? ("waiting" as const) : status
      return yield* Effect.option(repo.update(owner, entry_uid, { ...changes, status: next }, now))
    })

    /**
     * Books the offered time, or moves the entry's appointment to it, and returns the confirmed form; again the same. Fails with
     * `WaitlistOfferNotFound`, `SlotTaken` (lost), `HoldNotConfirmable` (declined, or the entry has ended), and as a booking.
     */
    const accept = Effect.fn("Offers.accept")(function* (code: string) {
      const offer = yield* behind(code)
      const scope = {
        organisation_uid: offer.organisation_uid,
        session_uid: null,
        replaces_appointment_uid: offer.replaces_appointment_uid
      }
      return yield* holds.queued(scope, offer.doctor_uid, acceptOnce(offer)).pipe(
        Effect.catchTags({
          AppointmentNotConfirmed: ({ reason }) =>
            new HoldNotConfirmable({ reason, subject: "The appointment to be moved" }),
          SlotNotOffered: () => new SlotTaken(),
          BookableTypeNotFound: () => new SlotTaken(),
          HoldNotFound: () => new SlotTaken(),
          TooManyHolds: () => new SlotTaken()
        }),
        Effect.tapErrorTag("SlotTaken", () => lose(offer))
      )
    })

    const declineOnce = Effect.fnUntraced(function* (given: ShownOffer) {
      const { organisation_uid: owner, uid } = given
      const offer = yield* repo.lockOffer(owner, uid)
      const now = yield* clock.now
      if (offer.status === "accepted") return yield* new HoldNotConfirmable({ reason: "confirmed" })
      if (offer.status !== "offered" && offer.status !== "lapsed") return
      yield* repo.settleOffer(owner, uid, "declined", null, now)
      yield* waitAgain(owner, offer, { unanswered: 0 }, now)
      if (offer.status === "lapsed") return
      if (offer.hold_uid !== null) yield* appointments.cancel(owner, [offer.hold_uid], "declined", now)
      else yield* openAgain(owner, [offer], now)
      yield* offerOpenings(owner, OPENINGS_AT_ONCE, "never")
    }, transaction)

    /** Declines; the entry keeps its place, and the time is offered to the next. Again it changes nothing. */
    const decline = Effect.fn("Offers.decline")(function* (code: string) {
      const offer = yield* behind(code)
      yield* declineOnce(offer)
      return yield* context(code)
    })

    /** What accepting has booked, while it stands. */
    const booked = ({ organisation_uid, status, appointment_uid }: StoredOffer) =>
      status !== "accepted" || appointment_uid === null
        ? Effect.succeedNone
        : Effect.flatMap(clock.now, (now) =>
            Effect.option(
              Effect.filterOrFail(
                appointments.find(organisation_uid, appointment_uid, now),
                (one) => one.status === "confirmed" && one.end_date > now,
                () => new AppointmentNotFound()
              )
            )
          )

    /** A link that shows, moves or cancels what the offer has booked; it expires with that. Fails with `WaitlistOfferNotFound`. */
    const manage = Effect.fn("Offers.manage")(function* (code: string, action: LinkAction) {
      const found = yield* booked(yield* behind(code))
      if (Option.isNone(found)) return yield* new WaitlistOfferNotFound()
      return yield* links.issueOnPage(found.value, action, found.value.end_date)
    })

    /** Ends the open offers of an entry that no longer waits; the times are offered on. Within the transaction of the change. */
    const end = Effect.fn("Offers.end")(function* (entry: StoredEntry) {
      yield* withdraw(entry, yield* clock.now)
      yield* offerOpenings(entry.organisation_uid, OPENINGS_AT_ONCE, "never")
    }, transaction)

    // ---- Jobs

    /** Ends offers that were left unanswered: the third pauses the entry. Returns how many. */
    const lapse = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const lapsed = yield* repo.lapsed(owner, BATCH, now)
      for (const offer of lapsed) {
        yield* repo.settleOffer(owner, offer.uid, "lapsed", null, now)
        const found = yield* Effect.option(repo.lock(owner, offer.entry_uid))
        if (Option.isNone(found)) continue
        const entry = found.value
        const unanswered = entry.unanswered + 1
        const isPaused = unanswered >= UNANSWERED_MAX && (entry.status === "offered" || entry.status === "waiting")
        if (!isPaused) {
          yield* waitAgain(owner, offer, { unanswered }, now)
          continue
        }
        const paused = yield* Effect.orDie(repo.update(owner, entry.uid, { status: "paused", unanswered }, now))
        yield* events.append({
          type: "waitlist.paused",
          organisation_uid: owner,
          subject: entry.uid,
          data: { entry: publicEntry(paused), patient_uid: entry.patient_uid }
        })
      }
      const held = yield* openAgain(owner, lapsed, now)
      // their expiry opens their time
      if (held.length > 0) yield* appointments.expireThese(owner, held, now)
      return lapsed.length
    }, transaction)

    const offerSome = (owner: OrganisationUid) => transaction(offerOpenings(owner, 1, true))

    /** Does what is due on the waiting list: lapsed offers, entries whose range is over, free time that is not yet offered. */
    const runDue = Effect.fn("Offers.runDue")(function* () {
      return yield* owners.eachDue("waitlist", yield* clock.now, (owner) =>
        Effect.gen(function* () {
          const lapsed = yield* batches(BATCH, lapse(owner))
          yield* Effect.flatMap(clock.now, (now) => repo.endPast(owner, now))
          yield* closeLapsed(owner)
          let offered = 0
          for (;;) {
            const { taken, done } = yield* offerSome(owner)
            offered += done
            if (taken === 0) return lapsed + offered
          }
        })
      )
    })

    // ---- Messages

    const urlOf = ({ organisation_uid, uid, code_sealed }: StoredOffer) =>
      Effect.map(box.open(placeOf(organisation_uid, uid), code_sealed), (code) => `${meetingsUrl}/waitlist/${code}`)

    /** An offer whose message is to be sent, with its link; none once it is answered or lost. One that has lapsed can still be accepted. */
    const toSend = Effect.fn("Offers.toSend")(function* (owner: OrganisationUid, uid: WaitlistOfferUid) {
      const found = yield* Effect.option(repo.offerOfUid(owner, uid))
      if (Option.isNone(found) || !["offered", "lapsed"].includes(found.value.status)) return Option.none()
      return Option.some({ offer: found.value, url: yield* urlOf(found.value) })
    })

    /** The link by which a paused entry goes on: that of its last offer; none once it goes on or has ended. */
    const pausedLink = Effect.fn("Offers.pausedLink")(function* (owner: OrganisationUid, uid: WaitlistEntryUid) {
      const entry = yield* Effect.option(repo.find(owner, uid))
      const offer = yield* repo.lastOfferOf(owner, uid)
      if (Option.isNone(entry) || Option.isNone(offer) || entry.value.status !== "paused") return Option.none()
      return Option.some(yield* urlOf(offer.value))
    })

    return {
      follows: repo.follows,
      settle,
      around,
      closeLapsed,
      behind,
      context,
      accept,
      decline,
      booked,
      manage,
      end,
      runDue,
      statusAt,
      toSend,
      pausedLink
    } as const
  }),
  dependencies: [
    OwnerByKey.Default,
    FirstStarts.Default,
    HoldManager.Default,
    BookingRepo.Default,
    BookingLocks.Default,
    WaitlistRepo.Default,
    LinkIssuer.Default,
    BookingSessions.Default,
    Organisations.Default
  ]
}) {}

/** Starts as ranges of each doctor, those that touch or overlap as one; at most a day long, so that each is offered by itself. */
const merged = (starts: ReadonlyArray<FreeStart>) => {
  const ranges: Array<{ doctor_uids: [DoctorUid]; start_date: UnixSeconds; end_date: UnixSeconds }> = []
  const sorted = starts.toSorted(
    (a, b) => (a.doctor_uid < b.doctor_uid ? -1 : a.doctor_uid > b.doctor_uid ? 1 : 0) || a.start_date - b.start_date
  )
  for (const { doctor_uid, start_date, end_date } of sorted) {
    const last = ranges.at(-1)
    if (last?.doctor_uids[0] === doctor_uid && start_date <= last.end_date && end_date - last.start_date <= DAY)
      last.end_date = UnixSeconds.make(Math.max(last.end_date, end_date))
    else
      ranges.push({
        doctor_uids: [DoctorUid.make(doctor_uid, true)],
        start_date: UnixSeconds.make(start_date),
        end_date: UnixSeconds.make(end_date)
      })
  }
  return ranges
}
