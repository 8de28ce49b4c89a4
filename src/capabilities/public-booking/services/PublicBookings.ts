/**
 * Booking without a partner (section 5.8): a form, a code by mail, and then a normal booking session. No patient is created and no slot
 * held before the code has verified the mail address.
 */

import { timingSafeEqual } from "node:crypto"
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { PUBLIC_CUSTOMER } from "../../../schemas/access/Patient.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { OrganisationUid, ShopUid } from "../../../schemas/ids.ts"
import type { PublicAppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { pageOfMode } from "../../../schemas/scheduling/Booking.ts"
import { DAY, HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { queue } from "../../../services/queue/queues.ts"
import { Service } from "../../../services/Service.ts"
import {
  type BookingSession,
  BookingSessions,
  withoutTime
} from "../../../services/scheduling/booking/BookingSessions.ts"
import { LONGEST_RANGE } from "../../../services/scheduling/booking/SlotEngine.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { enter, ofOrganisationWith } from "../../../services/tenancy/Tenancy.ts"
import { hashOf, newCode } from "../../../services/uid.ts"
import { type Language, languages } from "../../../texts/language.ts"
import { publicPurposes } from "../../shared/services/addedExtension.ts"
import { CodeMails } from "../../shared/services/CodeMails.ts"
import { PublicBookingRefused } from "../schemas/errors.ts"
import { PublicBooking, PublicVisit } from "../schemas/PublicBooking.ts"
import { pageTextsOf } from "../texts/page.ts"
import { waitOf } from "./codePace.ts"

const Shop = Schema.Struct({ organisation_uid: OrganisationUid, shop_uid: ShopUid })
type Shop = typeof Shop.Type

/** How long a code can be entered, and its maximum of wrong attempts. */
const LIFETIME = 15 * MINUTE
const ATTEMPTS_MAX = 5
/** Unanswered codes within an hour to one mail address; more are refused. */
const MAIL_MAX = 3
/** A mail that would wait for longer is not sent: there are thousands before it. */
const LONGEST_WAIT = 30 * MINUTE

/** The caller's networks, from narrow to wide. */
export interface Networks {
  /** An IPv4 address, or a /64 of IPv6. */
  readonly network: string
  /** /24 of IPv4, /48 of IPv6. */
  readonly site: string
  /** /16 of IPv4, /32 of IPv6. */
  readonly provider: string
}

const Waiting = Schema.Struct({
  ...Shop.fields,
  uid: Schema.String,
  request_sealed: Schema.String,
  mail_refused: Schema.Boolean
})
const codes = {
  /** The code of a form, when its turn has come. */
  "booking.code": queue(Schema.Struct({ organisation_uid: OrganisationUid, uid: Schema.String }))
}
type Codes = typeof codes
declare module "../../../services/queue/queues.ts" {
  interface Queues extends Codes {}
}

export { codes as codeQueues }

const Unmailed = Schema.Struct({ uid: Schema.String, request_sealed: Schema.String })
const Sealed = Schema.parseJson(
  Schema.Struct({
    code: Schema.String,
    language: Schema.Literal(...languages),
    /** Until the code is entered, the form; from then on, the launch code of the session that it opened. */
    request: Schema.Union(
      Schema.Struct({ booking: Schema.Union(PublicBooking, PublicVisit) }),
      Schema.Struct({ booking_launch_code: Schema.String })
    )
  })
)
interface StoredRequest {
  readonly organisation_uid: OrganisationUid
  readonly uid: string
  readonly token_hash: Buffer
  readonly request_sealed: string
  readonly mail_hash: Buffer
  readonly network_hash: Buffer
  readonly site_hash: Buffer
  readonly provider_hash: Buffer
}
const Unanswered = { count: Schema.Number, last: Schema.NullOr(Schema.Number) }
const Recent = Schema.Struct({
  mail: Schema.Number,
  /** Whether the address was verified by an earlier code. */
  verified: Schema.Boolean,
  network: Schema.Struct(Unanswered),
  site: Schema.Struct(Unanswered),
  provider: Schema.Struct(Unanswered),
  practice: Schema.Struct(Unanswered)
})

const placeOf = (organisation_uid: OrganisationUid, uid: string): Place => ({
  table: "public_bookings",
  column: "request_sealed",
  row: [organisation_uid, uid]
})

/** Six random digits, with negligible bias. */
const newDigits = Effect.sync(() =>
  String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
    .padStart(10, "0")
    .slice(-6)
)

const isSame = (one: string, other: string) => timingSafeEqual(hashOf(one), hashOf(other))

/** Identifies a returning patient by address, name and date of birth: a family shares a mailbox, father and son a name. Rule 5.8.3. */
const customerOf = ({ email, relative, ...booker }: PublicBooking | PublicVisit) => {
  const { first_name, last_name, date_of_birth } = relative ?? booker
  const person = [first_name, last_name, date_of_birth ?? ""]
  return `${PUBLIC_CUSTOMER}${hashOf([email, ...person].join("\n").toLowerCase()).toString("base64url")}`
}

const profileOf = (
  { email, phone, first_name, last_name, date_of_birth, relative }: PublicBooking | PublicVisit,
  language: Language
) => ({
  email,
  ...(phone !== "" && { phone }),
  language,
  ...(relative === null
    ? { first_name, last_name, ...(date_of_birth !== null && { date_of_birth }) }
    : { ...relative, booked_by: `${first_name} ${last_name}` })
})

export class PublicBookings extends Service<PublicBookings>()("hosted/PublicBookings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const patients = yield* Patients
    const sessions = yield* BookingSessions
    const types = yield* AppointmentTypes
    const mails = yield* CodeMails
    const jobs = yield* Jobs
    const extensions = yield* Extensions
    const shops = rowsOf(Shop)
    const identifiers = rowsOf(Schema.Struct({ shop_identifier: Schema.String }))
    const unmailed = rowsOf(Unmailed)
    const waiting = rowsOf(Waiting)
    const counts = rowsOf(Recent)

    /** The shop, if its organisation allows bookings without a partner; else fails with `PageNotFound`. */
    const shopOf = (identifier: string) =>
      shops
        .firstOr(
          sql`SELECT s.organisation_uid, s.uid AS shop_uid FROM shops s JOIN organisations o USING (organisation_uid)
            WHERE s.shop_identifier = ${identifier} AND (o.added ->> 'public_booking')::boolean`,
          () => new PageNotFound()
        )
        .pipe(ofOrganisationWith({ kind: "shop_identifier", key: identifier }), Effect.tap(enter))

    /** The shop and its bookable types. */
    const offered = Effect.fn("PublicBookings.offered")(function* (identifier: string) {
      const shop = yield* shopOf(identifier)
      const list: ReadonlyArray<PublicAppointmentType> = yield* Effect.orDie(types.ofShop(shop.shop_uid))
      return { shop, types: list }
    })

    /** What patients of a practice may come for beside booking a time, with the paths of its pages below that of booking. */
    const purposes = (owner: OrganisationUid, language: Language) =>
      Effect.map(publicPurposes(extensions, owner, language), (all) =>
        all.map((one) => ({ ...one, path: pageOfMode(one.mode) ?? ("" as const) }))
      )

    /** The one of this path. Fails with `PageNotFound`. */
    const purpose = Effect.fn("PublicBookings.purpose")(function* (
      identifier: string,
      path: string,
      language: Language
    ) {
      const { organisation_uid } = yield* shopOf(identifier)
      const found = (yield* purposes(organisation_uid, language)).find((one) => one.path === path)
      return found ?? (yield* new PageNotFound())
    })

    /** Serialises one practice's codes. A statement of its own, so that the count sees what was committed before. */
    const lockPractice = (owner: OrganisationUid) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`public_bookings/${owner}`}, 0))`

    /** Seconds until the code is mailed to somebody whom the practice does not know. Fails with `PublicBookingRefused` if too many to its address are unanswered. */
    const waitFor = Effect.fnUntraced(function* ({ organisation_uid, mail_hash, ...from }: StoredRequest) {
      const now = yield* clock.now
      const unanswered = (of: Statement.Fragment) => sql`jsonb_build_object(
        'count', count(*) FILTER (WHERE recent AND ${of}),
        'last', ceil(extract(epoch FROM max(mail_at) FILTER (WHERE recent AND ${of})))::bigint)`
      const recent = yield* counts.one(sql`SELECT count(*) FILTER (WHERE recent AND mail_hash = ${mail_hash}) AS mail,
          coalesce(bool_or(entered AND mail_hash = ${mail_hash}), false) AS verified,
          ${unanswered(sql`network_hash = ${from.network_hash}`)} AS network,
          ${unanswered(sql`site_hash = ${from.site_hash}`)} AS site,
          ${unanswered(sql`provider_hash = ${from.provider_hash}`)} AS provider,
          ${unanswered(sql`true`)} AS practice
        FROM (SELECT *, NOT entered AND created_at > ${timestamp(now - HOUR)} AS recent FROM public_bookings
          WHERE organisation_uid = ${organisation_uid} AND created_at > ${timestamp(now - DAY)}) codes`)
      if (recent.mail >= MAIL_MAX) return yield* new PublicBookingRefused({ reason: "tooMany" })
      return recent.verified ? 0 : waitOf(recent, now)
    })

    /** Stores a request, with the time at which its code is mailed. */
    const store = Effect.fnUntraced(function* (request: StoredRequest, isKnown: boolean) {
      const now = yield* clock.now
      const { organisation_uid, uid } = request
      yield* lockPractice(organisation_uid)
      const pace = yield* waitFor(request)
      const wait = isKnown ? 0 : pace
      const isMailed = wait <= LONGEST_WAIT
      yield* sql`INSERT INTO public_bookings ${sql.insert({
        ...request,
        attempts: 0,
        created_at: timestamp(now),
        mail_at: isMailed ? timestamp(now + wait) : null,
        expires_at: timestamp(now + wait + LIFETIME)
      })}`
      if (isMailed) yield* jobs.send("booking.code", { organisation_uid, uid }, { startAfterSeconds: wait })
    }, transaction)

    /**
     * Returns the token under which the code is entered that a job mails: how soon depends on whether the practice knows the patient, which
     * nobody is to learn from the answer. Fails with `PageNotFound`, and with `PublicBookingRefused` for too many codes to the address, a missing
     * date of birth, or what is not offered.
     */
    const begin = Effect.fn("PublicBookings.begin")(function* (
      identifier: string,
      booking: PublicBooking | PublicVisit,
      { networks, language }: { readonly networks: Networks; readonly language: Language }
    ) {
      const { shop, types: list } = yield* offered(identifier)
      if (booking.relative === null && booking.date_of_birth === null)
        return yield* new PublicBookingRefused({ reason: "birthDate" })
      const isOffered =
        "mode" in booking
          ? (yield* purposes(shop.organisation_uid, language)).some(({ mode }) => mode === booking.mode)
          : list.some(({ uid }) => uid === booking.appointment_type_uid)
      if (!isOffered) return yield* new PublicBookingRefused({ reason: "typeGone" })
      const token = yield* newCode("pbk")
      const uid = yield* newCode("pbr")
      const code = yield* newDigits
      const { organisation_uid } = shop
      const request = yield* Effect.orDie(Schema.encode(Sealed)({ code, language, request: { booking } }))
      const isKnown = yield* patients.isKnown(shop, customerOf(booking))
      const stored = {
        organisation_uid,
        uid,
        token_hash: hashOf(token),
        request_sealed: yield* box.seal(placeOf(organisation_uid, uid), request),
        mail_hash: hashOf(booking.email.toLowerCase()),
        network_hash: hashOf(networks.network),
        site_hash: hashOf(networks.site),
        provider_hash: hashOf(networks.provider)
      }
      yield* store(stored, isKnown)
      return token
    })

    const openedRequest = Effect.fnUntraced(function* ({
      organisation_uid,
      uid,
      request_sealed
    }: Pick<typeof Waiting.Type, "organisation_uid" | "uid" | "request_sealed">) {
      return yield* Schema.decode(Sealed)(yield* box.open(placeOf(organisation_uid, uid), request_sealed))
    }, Effect.orDie)

    /** Mails the code of a form that waits for it; gives up if the address takes none. Fails with `MailDelayed`. */
    const mail = Effect.fn("PublicBookings.mail")(function* (organisation_uid: OrganisationUid, uid: string) {
      const now = timestamp(yield* clock.now)
      const found = yield* unmailed.first(sql`SELECT uid, request_sealed FROM public_bookings
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid} AND request_sealed IS NOT NULL AND expires_at > ${now}`)
      if (Option.isNone(found)) return
      const { code, language, request } = yield* openedRequest({ ...found.value, organisation_uid })
      if ("booking_launch_code" in request) return
      yield* mails
        .send({
          organisation_uid,
          message_id: uid,
          address: request.booking.email,
          code,
          language,
          about: pageTextsOf(language).mail
        })
        .pipe(
          Effect.catchTag("MailRefused", () =>
            Effect.orDie(
              sql`UPDATE public_bookings SET mail_refused = true WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
            )
          )
        )
    })

    /**
     * Mails another code for the form of a token, within the limits of `begin`; returns its own token. Fails as `begin`, and with
     * `codeGone` once the form is deleted or its code was entered.
     */
    const resend = Effect.fn("PublicBookings.resend")(function* (
      identifier: string,
      token: string,
      from: { readonly networks: Networks; readonly language: Language }
    ) {
      const { organisation_uid, shop_uid } = yield* shopOf(identifier)
      const found = yield* waiting.firstOr(
        sql`SELECT organisation_uid, ${shop_uid}::text AS shop_uid, uid, request_sealed, mail_refused FROM public_bookings
          WHERE organisation_uid = ${organisation_uid} AND token_hash = ${hashOf(token)} AND NOT entered
            AND request_sealed IS NOT NULL`,
        () => new PublicBookingRefused({ reason: "codeGone" })
      )
      const { request } = yield* openedRequest(found)
      if ("booking_launch_code" in request) return yield* new PublicBookingRefused({ reason: "codeGone" })
      return yield* begin(identifier, request.booking, from)
    })

    /** Counts an attempt at a live request; none if there is no such one, or it has been attempted too often. */
    const attempt = Effect.fnUntraced(function* ({ organisation_uid, shop_uid }: Shop, token: string) {
      const now = timestamp(yield* clock.now)
      return yield* waiting.first(sql`UPDATE public_bookings SET attempts = attempts + 1
        WHERE organisation_uid = ${organisation_uid} AND token_hash = ${hashOf(token)} AND expires_at > ${now}
          AND attempts < ${ATTEMPTS_MAX} AND request_sealed IS NOT NULL
        RETURNING organisation_uid, ${shop_uid}::text AS shop_uid, uid, request_sealed, mail_refused`)
    })

    /** The request, locked: a second entry of the code waits for the first one, and finds the session that it opened. */
    const lock = ({ organisation_uid, shop_uid, uid }: typeof Waiting.Type) =>
      waiting.firstOr(
        sql`SELECT organisation_uid, ${shop_uid}::text AS shop_uid, uid, request_sealed, mail_refused FROM public_bookings
          WHERE organisation_uid = ${organisation_uid} AND uid = ${uid} AND request_sealed IS NOT NULL FOR UPDATE`,
        () => new PublicBookingRefused({ reason: "codeGone" })
      )

    /** Replaces the form by the session's launch code. */
    const keepOpened = Effect.fnUntraced(function* (
      { organisation_uid, uid }: typeof Waiting.Type,
      { code, language }: Pick<typeof Sealed.Type, "code" | "language">,
      booking_launch_code: string
    ) {
      const content = yield* Schema.encode(Sealed)({ code, language, request: { booking_launch_code } })
      const request_sealed = yield* box.seal(placeOf(organisation_uid, uid), content)
      yield* sql`UPDATE public_bookings SET request_sealed = ${request_sealed}, entered = true
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
    }, Effect.orDie)

    const openSession = Effect.fnUntraced(
      function* (shop: Shop, waited: typeof Waiting.Type, language: Language) {
        const found = yield* lock(waited)
        const opened = yield* openedRequest(found)
        const { request } = opened
        if ("booking_launch_code" in request) return { booking_launch_code: request.booking_launch_code, chosen: null }
        const { booking } = request
        const patient = yield* patients.upsert(shop, customerOf(booking), profileOf(booking, language))
        const now = yield* clock.now
        const { booking_launch_code } = yield* sessions.open({
          ...("mode" in booking
            ? withoutTime(booking.mode)
            : {
                mode: "booking",
                appointment_type_uid: booking.appointment_type_uid,
                meeting_format: booking.meeting_format,
                replaces_appointment_uid: null,
                start_from: now,
                start_to: now + LONGEST_RANGE
              }),
          actor: { kind: "patient", uid: patient.patient_uid },
          patient,
          return_url: null
        })
        yield* keepOpened(found, opened, booking_launch_code)
        if ("mode" in booking) return { booking_launch_code, chosen: null }
        const { appointment_type_uid, slot } = booking
        return { booking_launch_code, chosen: slot && { ...slot, appointment_type_uid } }
      },
      transaction,
      Effect.catchTag("BookableTypeNotFound", () => new PublicBookingRefused({ reason: "typeGone" }))
    )

    /**
     * Opens a booking session for the patient whose address the code has verified; returns its launch code, and the time that was chosen
     * before. The right code entered again (a double tap) returns the same one, without the time. Fails with `PageNotFound`, and `PublicBookingRefused` for a wrong code (five at most), one that
     * is expired, or one that could not be mailed.
     */
    const confirm = Effect.fn("PublicBookings.confirm")(function* (
      identifier: string,
      token: string,
      entered: string,
      language: Language
    ) {
      const shop = yield* shopOf(identifier)
      const found = yield* attempt(shop, token)
      if (Option.isNone(found)) return yield* new PublicBookingRefused({ reason: "codeGone" })
      const { code } = yield* openedRequest(found.value)
      if (!isSame(code, entered.replace(/\D/g, "")))
        return yield* new PublicBookingRefused({ reason: found.value.mail_refused ? "noMail" : "wrongCode" })
      return yield* openSession(shop, found.value, language)
    })

    /** The page where a patient of these pages begins again; null for a partner's. */
    const beginsAgain = ({
      organisation_uid,
      shop_uid,
      patient_uid
    }: Pick<BookingSession, "organisation_uid" | "shop_uid" | "patient_uid">) =>
      Effect.map(
        identifiers.first(sql`SELECT s.shop_identifier FROM shops s JOIN organisations o USING (organisation_uid)
          JOIN patients p ON p.organisation_uid = s.organisation_uid AND p.uid = ${patient_uid}
          WHERE s.organisation_uid = ${organisation_uid} AND s.uid = ${shop_uid} AND (o.added ->> 'public_booking')::boolean
            AND starts_with(p.shop_customer_id, ${PUBLIC_CUSTOMER})`),
        Option.match({
          onNone: () => null,
          onSome: ({ shop_identifier }) => `/book/${encodeURIComponent(shop_identifier)}` as const
        })
      )

    return { offered, purposes, purpose, begin, mail, resend, confirm, beginsAgain } as const
  }),
  dependencies: [Patients.Default, BookingSessions.Default, AppointmentTypes.Default, CodeMails.Default, Jobs.Default]
}) {}
