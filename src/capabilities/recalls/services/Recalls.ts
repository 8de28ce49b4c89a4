/** Recalls: the only writer of their table. Rule 3.13. */

import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { isNothing } from "../../../schemas/fields.ts"
import { type DoctorUid, OrganisationUid, type PatientUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { anyOr, countOf, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { pageOf, windowOf } from "../../../services/database/totals.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import { Service } from "../../../services/Service.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import type { BookingFact } from "../../../services/scheduling/booking/bookingFacts.ts"
import { LONGEST_RANGE } from "../../../services/scheduling/booking/SlotEngine.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { instantOfWall, zoneOf } from "../../../services/scheduling/slots/zones.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { hashOf, newCodeOf, newUid } from "../../../services/uid.ts"
import type { Language } from "../../../texts/language.ts"
import { noticeText } from "../../../texts/notices.ts"
import type { WeeksQuery } from "../../shared/schemas/Weeks.ts"
import { Weeks } from "../../shared/services/Weeks.ts"
import {
  type NewRecall,
  Recall,
  type RecallChanges,
  RecallNotFound,
  type RecallQuery,
  RecallsWeek,
  RecallUid
} from "../schemas/Recall.ts"

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly recalls: OrganisationUid
  }
}

/** Hour of the patient's day at which recalls go out. */
const SENDING_HOUR = 9
const BATCH = 200

const notFound = () => new RecallNotFound()

/** 9:00 in the zone, `lead_days` before the date. */
export const sendingTime = (due_date: string, lead_days: number, timezone: string): number =>
  instantOfWall(zoneOf(timezone), Date.parse(`${due_date}T00:00:00Z`) / 1000 - lead_days * DAY + SENDING_HOUR * HOUR)

/** What the message of a recall says beside its texts, with the practice's note. */
export const recallNotice = (note: string | null, url: string, language: Language) => {
  const texts = noticeText("recall", language)
  return {
    values: { url },
    facts: note === null ? [] : [[texts.note, note] as const],
    links: [[texts.book, url] as const, [texts.stop, `${url}#stop`] as const]
  }
}

const noneOfWeek = { sent: 0, booked: 0, lost: 0 }

/** A recall behind a link: its owner's name, and what can be booked. */
const Opened = Schema.Struct({
  ...Recall.fields,
  organisation_uid: OrganisationUid,
  type_name: Schema.String,
  translations: AppointmentType.fields.translations,
  type_bookable: Schema.Boolean
})
export type OpenedRecall = typeof Opened.Type

export class Recalls extends Service<Recalls>()("scheduling/Recalls", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const { meetingsUrl } = yield* Settings
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const events = yield* EventLog
    const owners = yield* Owners
    const byKey = yield* OwnerByKey
    const patients = yield* Patients
    const sessions = yield* BookingSessions
    const types = yield* AppointmentTypes
    const doctors = yield* Doctors
    const weeks = yield* Weeks
    const opened = envelope.openRows("recalls", ["organisation_uid", "uid"])
    const recalls = rowsOf(Recall, opened)
    const behindCode = rowsOf(Opened, opened)
    const counted = rowsOf(Schema.Struct({ week: Schema.Number, ...RecallsWeek.omit("week_starts_at").fields }))
    const columns = sql`r.organisation_uid, r.uid, r.patient_uid, r.appointment_type_uid, r.doctor_uid, r.due_date,
      r.lead_days, r.message_text_encrypted, r.status, r.appointment_uid, r.sent_at, r.created_at, r.updated_at`
    const of = (owner: OrganisationUid, uid: RecallUid) =>
      sql`r.organisation_uid = ${owner} AND r.uid = ${uid} AND r.deleted_at IS NULL`

    const sealed = (owner: OrganisationUid, uid: RecallUid, text: string | null) =>
      envelope.seal({ table: "recalls", column: "message_text_encrypted", row: [owner, uid] }, text)

    /** Fails with `PatientNotFound`. */
    const zoneOfPatient = (owner: OrganisationUid, patient: PatientUid) =>
      Effect.mapError(Effect.flatten(sessions.zoneOf(owner, patient)), () => new PatientNotFound())

    const ensureDoctor = (owner: OrganisationUid, uid: DoctorUid | null | undefined) =>
      uid === undefined || uid === null ? Effect.void : doctors.ensure(owner, uid)

    /** By date. */
    const list = Effect.fn("Recalls.list")(function* (owner: OrganisationUid, query: RecallQuery) {
      const { patient_uid, status, after } = query
      const where = sql.and([
        sql`r.organisation_uid = ${owner} AND r.deleted_at IS NULL`,
        ...(patient_uid === undefined ? [] : [sql`r.patient_uid = ${patient_uid}`]),
        ...(status === undefined ? [] : [sql`r.status = ${status}`]),
        ...changedSince(sql, query, "r.updated_at")
      ])
      const afterCursor =
        after === undefined ? [] : [sql`(r.due_date, r.uid COLLATE "C") > (${after[0]}::date, ${after[1]})`]
      const window = windowOf(query)
      return paged(
        yield* pageOf(
          query,
          recalls.all(sql`SELECT ${columns} FROM recalls r WHERE ${sql.and([where, ...afterCursor])}
            ORDER BY r.due_date, r.uid COLLATE "C" LIMIT ${window.limit} OFFSET ${window.offset}`),
          ({ due_date, uid }) => [due_date, uid] as const,
          countOf(sql`SELECT count(*) FROM recalls r WHERE ${where}`)
        )
      )
    })

    /** Every one of a patient, by date. */
    const ofPatient = (owner: OrganisationUid, patient: PatientUid) =>
      recalls.all(sql`SELECT ${columns} FROM recalls r WHERE r.organisation_uid = ${owner} AND r.patient_uid = ${patient}
        ORDER BY r.due_date, r.uid`)

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, uid: RecallUid) =>
        recalls.firstOr(sql`SELECT ${columns} FROM recalls r WHERE ${of(owner, uid)} ${locking}`, notFound)
    /** Fails with `RecallNotFound`. */
    const get = one()
    /** As `get`, locked until the transaction ends. */
    const findForChange = one(sql`FOR NO KEY UPDATE`)

    const store = Effect.fnUntraced(function* (owner: OrganisationUid, uid: RecallUid, recall: NewRecall) {
      yield* types.ensure(owner, recall.appointment_type_uid)
      yield* ensureDoctor(owner, recall.doctor_uid)
      const zone = yield* zoneOfPatient(owner, recall.patient_uid)
      const now = timestamp(yield* clock.now)
      const { message_text, ...rest } = recall
      const row = {
        organisation_uid: owner,
        uid,
        ...rest,
        message_text_encrypted: yield* sealed(owner, uid, message_text),
        status: "waiting",
        send_at: timestamp(sendingTime(recall.due_date, recall.lead_days, zone)),
        created_at: now,
        updated_at: now
      }
      return yield* recalls.one(sql`INSERT INTO recalls AS r ${sql.insert(row)}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row, ["organisation_uid", "uid", "status", "created_at"])}, deleted_at = NULL
        RETURNING ${columns}`)
    }, transaction)

    /** The patient's open recall of the type for the same day; others of the patient wait until the transaction ends. */
    const same = Effect.fnUntraced(function* (owner: OrganisationUid, recall: NewRecall) {
      const { patient_uid, appointment_type_uid, due_date } = recall
      yield* done(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`recalls/${owner}/${patient_uid}`}, 0))`)
      return yield* recalls.first(sql`SELECT ${columns} FROM recalls r WHERE r.organisation_uid = ${owner}
        AND r.patient_uid = ${patient_uid} AND r.appointment_type_uid = ${appointment_type_uid} AND r.due_date = ${due_date}::date
        AND r.status IN ('waiting', 'sent') AND r.deleted_at IS NULL LIMIT 1`)
    })

    /**
     * One for the same patient, type and day as an open one changes that. Fails with `PatientNotFound`, `AppointmentTypeNotFound` and
     * `DoctorNotFound`. Rule 3.13.6.
     */
    const create = Effect.fn("Recalls.create")(function* (owner: OrganisationUid, recall: NewRecall) {
      const before = yield* same(owner, recall)
      return yield* store(owner, Option.isSome(before) ? before.value.uid : yield* newUid(RecallUid), recall)
    }, transaction)

    /** Updates the fields sent; a new date waits again. Fails with `RecallNotFound` and `DoctorNotFound`. */
    const update = Effect.fn("Recalls.update")(function* (
      owner: OrganisationUid,
      uid: RecallUid,
      changes: RecallChanges
    ) {
      const before = yield* findForChange(owner, uid)
      if (isNothing(changes)) return before
      yield* ensureDoctor(owner, changes.doctor_uid)
      const now = yield* clock.now
      const { message_text, ...rest } = changes
      const { due_date, lead_days } = { ...before, ...changes }
      const isMoved = due_date !== before.due_date || lead_days !== before.lead_days
      const send_at = sendingTime(due_date, lead_days, yield* Effect.orDie(zoneOfPatient(owner, before.patient_uid)))
      const row = {
        ...rest,
        ...(message_text !== undefined && { message_text_encrypted: yield* sealed(owner, uid, message_text) }),
        ...(isMoved && { send_at: timestamp(send_at) }),
        ...(isMoved &&
          before.status === "sent" &&
          changes.status === undefined && { status: "waiting", sent_at: null }),
        updated_at: timestamp(now)
      }
      return yield* recalls.firstOr(
        sql`UPDATE recalls AS r SET ${sql.update(row)} WHERE ${of(owner, uid)} RETURNING ${columns}`,
        notFound
      )
    }, transaction)

    /** Fails with `RecallNotFound`, also if it was already deleted. */
    const remove = Effect.fn("Recalls.remove")(function* (owner: OrganisationUid, uid: RecallUid) {
      yield* anyOr(
        sql`UPDATE recalls AS r SET deleted_at = to_timestamp(${yield* clock.now}), code_hash = NULL WHERE ${of(owner, uid)} RETURNING uid`,
        notFound
      )
    })

    const sendBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const due = yield* recalls.all(sql`UPDATE recalls AS r
        SET status = 'sent', sent_at = to_timestamp(${now}), updated_at = to_timestamp(${now})
        WHERE r.organisation_uid = ${owner} AND r.uid = ANY (ARRAY(SELECT uid FROM recalls
          WHERE organisation_uid = ${owner} AND status = 'waiting' AND deleted_at IS NULL AND send_at <= to_timestamp(${now})
          ORDER BY send_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED))
        RETURNING ${columns}`)
      yield* Effect.forEach(due, (recall) =>
        events.append({ type: "recall.due", organisation_uid: owner, subject: recall.uid, data: { recall } })
      )
      return due.length
    }, transaction)

    /** Publishes every recall that is due, from which its message follows; returns how many. Safe to run in several workers at once. */
    const sendDue = Effect.fn("Recalls.sendDue")(function* () {
      return yield* owners.eachDue("recalls", yield* clock.now, (owner) => batches(BATCH, sendBatch(owner)))
    })

    /** By the week in which they were sent. One whose date has passed without a booking is lost. Fails with `Invalid`. */
    const statistics = Effect.fn("Recalls.statistics")(function* (owner: OrganisationUid, query: WeeksQuery) {
      const starts = yield* weeks.weeksOf(owner, query)
      const found =
        yield* counted.all(sql`SELECT width_bucket(date_part('epoch', r.sent_at), ${[...starts]}::float8[]) - 1 AS week,
          count(*) AS sent, count(*) FILTER (WHERE r.status = 'booked') AS booked,
          count(*) FILTER (WHERE r.status = 'cancelled' OR r.status = 'sent'
            AND r.due_date < (to_timestamp(${yield* clock.now}) AT TIME ZONE ${weeks.zone(owner)})::date) AS lost
        FROM recalls r WHERE r.organisation_uid = ${owner} AND r.deleted_at IS NULL
          AND r.sent_at >= to_timestamp(${starts[0]}) AND r.sent_at < to_timestamp(${starts.at(-1)})
        GROUP BY 1`)
      const byWeek = new Map(found.map(({ week, ...counts }) => [week, counts]))
      return starts
        .slice(0, -1)
        .map((week_starts_at, index): RecallsWeek => ({ week_starts_at, ...(byWeek.get(index) ?? noneOfWeek) }))
    })

    /** Confirmed appointments of the type end the patient's recalls, by whatever way they were booked; moved ones do not. */
    const openOf = (owner: OrganisationUid, whose: Statement.Fragment) => sql`r.organisation_uid = ${owner}
        AND r.patient_uid = ${whose} AND r.status IN ('waiting', 'sent') AND r.deleted_at IS NULL`
    const isAnyOpen = (
      owner: OrganisationUid
    ) => sql`(a.previous_meeting_uid IS NULL AND a.appointment_type_uid IS NOT NULL
      AND EXISTS (SELECT FROM recalls r WHERE ${openOf(owner, sql`a.patient_uid`)}))`
    const book = (facts: ReadonlyArray<BookingFact>) => {
      const [one] = facts
      if (one === undefined) return Effect.void
      const { updated_at } = one
      const key = sql`(r.patient_uid || ' ' || r.appointment_type_uid)`
      const booked = JSON.stringify(
        Object.fromEntries(
          facts.map(({ uid, patient_uid, appointment_type_uid, confirmed_at }) => [
            `${patient_uid} ${appointment_type_uid}`,
            { uid, confirmed_at }
          ])
        )
      )
      return done(sql`UPDATE recalls AS r SET status = 'booked', updated_at = to_timestamp(${updated_at}),
          appointment_uid = ${booked}::jsonb -> ${key} ->> 'uid'
        WHERE ${openOf(one.organisation_uid, sql`ANY (${facts.map(({ patient_uid }) => patient_uid)})`)}
          AND r.created_at <= to_timestamp((${booked}::jsonb -> ${key} ->> 'confirmed_at')::float8)`)
    }

    const isOpen = ({ status }: Pick<Recall, "status">) => status === "waiting" || status === "sent"

    /** The recall of a link. Fails with `RecallNotFound`. */
    const behind = Effect.fn("Recalls.behind")((code: string) =>
      byKey.ofCode(code, notFound, (owner) =>
        behindCode.firstOr(
          sql`SELECT ${columns}, t.name AS type_name, t.translations, t.active AND t.deleted_at IS NULL AS type_bookable
            FROM recalls r JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = r.appointment_type_uid
            WHERE r.organisation_uid = ${owner} AND r.code_hash = ${hashOf(code)} AND r.deleted_at IS NULL`,
          notFound
        )
      )
    )

    /** Opens a booking session for the patient of a link. Fails with `RecallNotFound`, also once it is booked or cancelled. */
    const open = Effect.fn("Recalls.open")(function* (code: string) {
      const recall = yield* Effect.filterOrFail(behind(code), (one) => isOpen(one) && one.type_bookable, notFound)
      const owner = recall.organisation_uid
      const now = yield* clock.now
      const session = sessions.open({
        mode: "booking",
        actor: { kind: "action_link", uid: recall.uid },
        patient: yield* patients.find(owner, recall.patient_uid),
        appointment_type_uid: recall.appointment_type_uid,
        replaces_appointment_uid: null,
        return_url: null,
        link_kind: "page",
        start_from: now,
        start_to: now + LONGEST_RANGE
      })
      return yield* Effect.catchTag(session, "BookableTypeNotFound", notFound)
    })

    /** The patient objects: the recall is over. Calling it again changes nothing. Fails with `RecallNotFound`. */
    const stop = Effect.fn("Recalls.stop")(function* (code: string) {
      const recall = yield* behind(code)
      const now = yield* clock.now
      yield* sql`UPDATE recalls SET status = 'cancelled', updated_at = to_timestamp(${now})
        WHERE organisation_uid = ${recall.organisation_uid} AND uid = ${recall.uid} AND status IN ('waiting', 'sent')`.pipe(
        Effect.orDie
      )
      return recall
    })

    /** The message of a due recall, with a new link; none once it is booked or cancelled. */
    const notice = Effect.fn("Recalls.notice")(function* (
      {
        organisation_uid: owner,
        subject_uid
      }: { readonly organisation_uid: OrganisationUid; readonly subject_uid: string },
      { language }: { readonly language: Language }
    ) {
      const uid = RecallUid.make(subject_uid)
      const found = yield* Effect.option(get(owner, uid))
      if (Option.isNone(found) || !isOpen(found.value)) return Option.none()
      const { message_text } = found.value
      const code = yield* newCodeOf("rcl", owner)
      yield* Effect.orDie(
        sql`UPDATE recalls SET code_hash = ${hashOf(code)} WHERE organisation_uid = ${owner} AND uid = ${uid}`
      )
      return Option.some(recallNotice(message_text, `${meetingsUrl}/recall/${code}`, language))
    })

    return {
      list,
      ofPatient,
      get,
      findForChange,
      create,
      provision: store,
      update,
      remove,
      sendDue,
      booked: { concerns: isAnyOpen, run: book },
      behind,
      open,
      stop,
      notice,
      statistics,
      isOpen
    } as const
  }),
  dependencies: [
    OwnerByKey.Default,
    Patients.Default,
    BookingSessions.Default,
    AppointmentTypes.Default,
    Doctors.Default,
    Weeks.Default
  ]
}) {}
