/** Guests of appointments: the only writer of their table. Rule 5.7.8. */
import { Effect, FiberSet, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, OrganisationUid, type PatientUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { closesAt } from "../../../schemas/scheduling/joinWindow.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { Service } from "../../../services/Service.ts"
import { Appointments, type Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import type { BookingFact } from "../../../services/scheduling/booking/bookingFacts.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { Owners } from "../../../services/tenancy/Owners.ts"
import { onlyOwner, withOwner } from "../../../services/tenancy/Tenancy.ts"
import { hashOf, newUid, tagged } from "../../../services/uid.ts"
import {
  ExportedGuest,
  GUESTS_MAX,
  Guest,
  GuestNotFound,
  GuestUid,
  type NewGuest,
  TooManyGuests
} from "../schemas/Guest.ts"
import { GuestMails } from "./GuestMails.ts"
import { MeetingBus } from "./MeetingBus.ts"

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly guests: OrganisationUid
  }
}

const notFound = () => new GuestNotFound()

/** Seconds until the message is tried again. */
const RETRY = 2 * MINUTE

/** A guest who is not removed, with the appointment. */
const Live = Schema.Struct({ ...Guest.fields, organisation_uid: OrganisationUid, appointment_uid: AppointmentUid })
export type LiveGuest = typeof Live.Type

export class Guests extends Service<Guests>()("video/Guests", {
  scoped: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const { meetingsUrl } = yield* Settings
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const repo = yield* BookingRepo
    const owners = yield* Owners
    const byKey = yield* OwnerByKey
    const mails = yield* GuestMails
    const hosts = yield* PageHosts
    const bus = yield* MeetingBus
    const [key] = yield* Effect.flatMap(SecretBox, (box) => box.derive("guest-link"))
    const sending = yield* FiberSet.make()
    const live = rowsOf(Live)
    const exported = rowsOf(ExportedGuest)
    const columns = sql.literal(
      "organisation_uid, appointment_uid, uid, role, name, email, phone, language, agreed_at, created_at"
    )

    const codeOf = (owner: OrganisationUid, uid: GuestUid) => {
      const secret = new Bun.CryptoHasher("sha256", key).update(JSON.stringify([owner, uid])).digest("base64url")
      return `gst_${tagged(owner, `${" ".repeat(12)}${secret}`)}`
    }
    const urlOf = (code: string) => `${meetingsUrl}/guest/${code}`

    const of = (owner: OrganisationUid, uid: AppointmentUid) =>
      live.all(sql`SELECT ${columns} FROM meeting_guests WHERE organisation_uid = ${owner} AND appointment_uid = ${uid}
        AND removed_at IS NULL ORDER BY created_at, uid`)

    /** Fails with `AppointmentNotFound`. */
    const list = Effect.fn("Guests.list")(function* (caller: Caller, uid: AppointmentUid) {
      yield* appointments.find(caller, uid)
      return yield* of(caller.organisation_uid, uid)
    })

    /** Tries the message of a guest who is due; one that fails is due again. */
    const send = Effect.fnUntraced(function* (guest: LiveGuest) {
      const { organisation_uid: owner, uid } = guest
      const now = yield* clock.now
      const appointment = yield* repo.find(owner, guest.appointment_uid, now)
      const code = codeOf(owner, uid)
      const { timezone } = yield* hosts.ofCode(code)
      // the code is another one after a rotation of the master key
      yield* done(sql`UPDATE meeting_guests SET code_hash = ${hashOf(code)}
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
      if (appointment.status === "confirmed")
        yield* mails.send({ ...guest, timezone, start_date: appointment.start_date, url: urlOf(code) })
      yield* done(sql`UPDATE meeting_guests SET invite_due_at = NULL
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
    })

    /** Claims the organisation's guests who are due, so that each is sent to once, and sends. */
    const sendOf = Effect.fn("Guests.sendOf")(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const due = yield* live.all(sql`UPDATE meeting_guests SET invite_due_at = ${timestamp(now + RETRY)}
        WHERE organisation_uid = ${owner} AND invite_due_at <= ${timestamp(now)} AND removed_at IS NULL RETURNING ${columns}`)
      yield* Effect.forEach(
        due,
        (guest) =>
          Effect.catchAllCause(send(guest), (cause) => Effect.logWarning("a guest could not be invited", cause)),
        { discard: true }
      )
      return due.length
    })
    const sendDue = Effect.fn("Guests.sendDue")(function* () {
      return yield* owners.eachDue("guests", yield* clock.now, sendOf)
    })

    /** Invites a guest; `sendSoon` tells them. Fails with `AppointmentNotFound`, `Invalid` and `TooManyGuests`. */
    const invite = Effect.fn("Guests.invite")(function* (
      caller: Caller,
      appointment_uid: AppointmentUid,
      guest: NewGuest
    ) {
      const now = yield* clock.now
      const { organisation_uid } = caller
      const appointment = yield* appointments.lockSeen(caller, appointment_uid, now)
      const { status, meeting_format, seat } = appointment
      if (status !== "confirmed") return yield* invalid("status", `the appointment is ${status}, not confirmed`)
      if (meeting_format !== "DIGITAL") return yield* invalid("meeting_format", "the appointment takes place in person")
      if (seat !== null) return yield* invalid("appointment_uid", "the appointment is of a group, which has no guests")
      const expires_at = UnixSeconds.make(closesAt(appointment))
      if (expires_at <= now) return yield* invalid("end_date", "the room is closed")
      if ((yield* of(organisation_uid, appointment_uid)).length >= GUESTS_MAX) return yield* new TooManyGuests()
      const uid = yield* newUid(GuestUid)
      const isInvited = guest.email !== null || guest.phone !== null
      const code = codeOf(organisation_uid, uid)
      yield* done(
        sql`INSERT INTO meeting_guests ${sql.insert({
          organisation_uid,
          uid,
          appointment_uid,
          ...guest,
          code_hash: hashOf(code),
          invite_due_at: isInvited ? timestamp(now) : null,
          created_at: timestamp(now)
        })}`
      )
      return { uid, url: urlOf(code), expires_at }
    }, transaction)

    /** Sends what is due of the organisation, in the background. Not within a transaction. */
    const sendSoon = (owner: OrganisationUid) =>
      Effect.asVoid(FiberSet.run(sending, onlyOwner({ organisation_uid: owner })(sendOf(owner))))

    /** Ends the guest's link, and the call for them. Fails with `GuestNotFound` and `AppointmentNotFound`. */
    const remove = Effect.fn("Guests.remove")(function* (caller: Caller, appointment: AppointmentUid, uid: GuestUid) {
      const { room_name: room } = yield* appointments.find(caller, appointment)
      const now = timestamp(yield* clock.now)
      const isRemoved = yield* any(sql`UPDATE meeting_guests SET removed_at = ${now}, invite_due_at = NULL
        WHERE organisation_uid = ${caller.organisation_uid} AND appointment_uid = ${appointment} AND uid = ${uid}
          AND removed_at IS NULL RETURNING uid`)
      if (!isRemoved) return yield* new GuestNotFound()
      yield* bus.publish({ kind: "dismiss", room, from: "", to: uid, appointment, participant: uid })
    }, transaction)

    /** The guest behind a link. Fails with `GuestNotFound`. */
    const behind = Effect.fn("Guests.behind")((code: string) =>
      byKey.ofCode(code, notFound, (owner) =>
        live.firstOr(
          sql`SELECT ${columns} FROM meeting_guests WHERE organisation_uid = ${owner} AND code_hash = ${hashOf(code)}
            AND removed_at IS NULL`,
          notFound
        )
      )
    )

    /** A guest who may still enter. */
    const find = Effect.fn("Guests.find")((owner: OrganisationUid, uid: string) =>
      live
        .first(sql`SELECT ${columns} FROM meeting_guests WHERE organisation_uid = ${owner} AND uid = ${uid}
        AND removed_at IS NULL AND agreed_at IS NOT NULL`)
        .pipe(withOwner({ organisation_uid: owner }))
    )

    /** The guest has agreed to secrecy. */
    const agree = Effect.fn("Guests.agree")(function* ({ organisation_uid, uid }: LiveGuest) {
      const now = timestamp(yield* clock.now)
      yield* done(sql`UPDATE meeting_guests SET agreed_at = coalesce(agreed_at, ${now})
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`)
    })

    /** Guests go with an appointment that is moved, and are told the new time. */
    const follow = Effect.fnUntraced(function* (facts: ReadonlyArray<BookingFact>) {
      const now = timestamp(yield* clock.now)
      for (const { organisation_uid, uid, previous_meeting_uid } of facts)
        yield* done(sql`UPDATE meeting_guests SET appointment_uid = ${uid},
            invite_due_at = CASE WHEN num_nonnulls(email, phone) > 0 THEN ${now}::timestamptz END
          WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${previous_meeting_uid}
            AND removed_at IS NULL`)
    })

    /** Those of a patient's appointments. */
    const ofPatient = (owner: OrganisationUid, patient: PatientUid) =>
      exported.all(sql`SELECT g.uid, g.appointment_uid, g.role, g.name, g.agreed_at, g.created_at FROM meeting_guests g
        JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = g.appointment_uid
        WHERE g.organisation_uid = ${owner} AND a.patient_uid = ${patient} ORDER BY g.created_at, g.uid`)

    return {
      list,
      invite,
      sendSoon,
      remove,
      behind,
      find,
      agree,
      moved: { concerns: () => sql`a.previous_meeting_uid IS NOT NULL`, run: follow },
      sendDue,
      ofPatient
    } as const
  }),
  dependencies: [
    Appointments.Default,
    BookingRepo.Default,
    OwnerByKey.Default,
    PageHosts.Default,
    GuestMails.Default,
    MeetingBus.Default
  ]
}) {}
