/** Requests in writing and their types: the only writer of their tables. Rule 22.5. */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { DoctorUid, OrganisationUid, type PatientUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DAY, HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, columnsOf, countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { pageOf, windowOf } from "../../../services/database/totals.ts"
import type { Extension } from "../../../services/Extensions.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import type { NoticeWriter } from "../../../services/notifications/NoticeSource.ts"
import { Service } from "../../../services/Service.ts"
import type { Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import { type AnyBookingSession, BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { hashOf, newCodeOf, newUid } from "../../../services/uid.ts"
import type { Language } from "../../../texts/language.ts"
import { noticeText } from "../../../texts/notices.ts"
import { RequestClosed, RequestNotFound, RequestTypeNotFound, TooManyOpenRequests } from "../schemas/errors.ts"
import {
  type ExportedRequest,
  ListedRequest,
  type NewRequestType,
  OwnRequest,
  type ReadRequest,
  Request,
  type RequestClosing,
  RequestCounts,
  type RequestQuery,
  RequestType,
  RequestTypeUid,
  RequestUid
} from "../schemas/Request.ts"
import type { requestNotices } from "../schemas/requestEvents.ts"
import { questionTexts } from "../texts/questions.ts"
import { FormFiles } from "./FormFiles.ts"
import { Forms } from "./Forms.ts"
import { keptIn } from "./kept.ts"
import { type FilesOf, lockPatient } from "./places.ts"
import { Responses } from "./Responses.ts"

/** The part of the time for answering after which staff are told. */
const WARN_AFTER = 0.75
/** Requests of which staff are told in one transaction. */
const BATCH = 100

/** Most requests of one patient that the practice has not answered yet. Rule 22.5.12. */
const OF_PATIENT_MAX = 10
/** Most requests of a doctor's list. */
const OF_DOCTOR_MAX = 200
/** The patient's link to a request ends this time after the practice's last word. */
const LINK_SECONDS = 28 * DAY

/** What a patient asks. */
interface Sent {
  readonly request_type_uid: RequestTypeUid
  readonly answers: Readonly<Record<string, unknown>>
}

interface OfDoctor {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

const notFound = () => new RequestNotFound()
const typeNotFound = () => new RequestTypeNotFound()

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly requests: OrganisationUid
  }
}

const Opened = Schema.Struct({
  ...ListedRequest.fields,
  organisation_uid: OrganisationUid,
  answer: Schema.NullOr(Schema.String),
  code: Schema.String
})

export class Requests extends Service<Requests>()("forms/Requests", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const events = yield* EventLog
    const sessions = yield* BookingSessions
    const byKey = yield* OwnerByKey
    const forms = yield* Forms
    const files = yield* FormFiles
    const responses = yield* Responses
    const owners = yield* Owners
    const { baseUrl, meetingsUrl } = yield* Settings
    const requests = rowsOf(Request)
    const listed = rowsOf(ListedRequest)
    const counts = rowsOf(RequestCounts)
    const owned = rowsOf(OwnRequest)
    const opened = rowsOf(Opened, envelope.openRows("requests", ["organisation_uid", "uid"]))
    const people = rowsOf(Schema.Struct({ uid: Schema.String }))
    const doctors = rowsOf(Schema.Struct({ doctor_uid: DoctorUid }))
    const stored = sql.literal(columnsOf(Request.omit("overdue"), "r"))
    const columns = (now: number) =>
      sql`${stored}, r.status IN ('open', 'taken') AND r.due_at < to_timestamp(${now}) AS overdue`
    const ofItsType = sql`t.kind, t.name AS type_name`
    /** With their types; nobody reads those of an erased patient. */
    const typed = (owner: OrganisationUid) =>
      sql`FROM requests r JOIN request_types t ON t.organisation_uid = ${owner} AND t.uid = r.request_type_uid
        JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = r.patient_uid AND p.erased_at IS NULL
        WHERE r.organisation_uid = ${owner}`
    const whole = (owner: OrganisationUid, condition: Statement.Fragment) =>
      Effect.flatMap(
        clock.now,
        (now) => sql`SELECT ${columns(now)}, ${ofItsType}, r.organisation_uid, r.answer_encrypted, r.code_encrypted
          ${typed(owner)} AND ${condition}`
      )
    const addressOf = (code: string) => `${meetingsUrl}/request/${code}`

    // ---- types

    /** Fails with `Invalid` for a form that there is not. */
    const types = yield* keptIn({
      table: "request_types",
      named: "name",
      schema: RequestType,
      uid: RequestTypeUid,
      notFound: typeNotFound,
      judged: (owner, { form_uid }: Partial<NewRequestType>) =>
        form_uid === undefined
          ? Effect.succeed({})
          : Effect.mapBoth(forms.findForChange(owner, form_uid), {
              onSuccess: () => ({}),
              onFailure: () => invalid("form_uid", "is no form of the organisation")
            })
    })

    /** Those that patients are offered. */
    const offered = (owner: OrganisationUid) =>
      Effect.zipWith(types.list(owner, {}), forms.activeUids(owner), (all, asked) =>
        all.filter(({ active, form_uid }) => active && asked.has(form_uid))
      )

    /** Asking in writing, where the practice offers it. */
    const publicPurpose: Extension["publicPurpose"] = (owner, language) =>
      Effect.map(offered(owner), ({ length }) => {
        const { title, instead: link } = questionTexts(language).requests
        return length === 0 ? null : { mode: "request", title, link }
      })

    /** The type and its form, where it is offered. Fails with `RequestTypeNotFound`. */
    const askedBy = Effect.fnUntraced(function* (owner: OrganisationUid, uid: RequestTypeUid) {
      const type = yield* Effect.filterOrFail(types.get(owner, uid), ({ active }) => active, typeNotFound)
      return { type, form: yield* Effect.mapError(Effect.flatten(forms.asked(owner, type.form_uid)), typeNotFound) }
    })

    // ---- by patients

    /** Where the files of a session's request are before it is sent; those of a page, with its draft, are by its type. */
    const filesIn = ({ organisation_uid, uid, patient_uid }: AnyBookingSession, type = "") => ({
      owner: organisation_uid,
      of: { door: "request" as const, subject_uid: uid, asked_by: type, patient_uid }
    })
    /** The same by launch code. Fails with `BookingSessionNotFound`. */
    const filesOf = (code: string) => Effect.map(sessions.anyByLaunchCode(code), (session) => filesIn(session))

    const uidsOf = ({ uid: request_uid, request_type_uid, patient_uid }: Request) => ({
      request_uid,
      request_type_uid,
      patient_uid
    })
    const say = (
      type: "request.created" | "request.answered" | "request.closed",
      owner: OrganisationUid,
      of: Request
    ) => events.append({ type, organisation_uid: owner, subject: of.uid, data: uidsOf(of) })

    /** With whom the patient's last appointment was, of those who are still there; before the first one, with whom the next is. */
    const lastDoctor = (owner: OrganisationUid, patient: PatientUid, now: number) =>
      Effect.map(
        doctors.first(sql`SELECT a.doctor_uid FROM appointments a
          JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = a.doctor_uid AND d.deleted_at IS NULL
          WHERE a.organisation_uid = ${owner} AND a.patient_uid = ${patient} AND a.confirmed_at IS NOT NULL AND a.status <> 'cancelled'
          ORDER BY a.start_date > to_timestamp(${now}), abs(extract(epoch FROM a.start_date) - ${now}) LIMIT 1`),
        Option.match({ onNone: () => null, onSome: ({ doctor_uid }) => doctor_uid })
      )

    /** Fails with `TooManyOpenRequests`; the caller has locked the patient, so that requests sent at once are counted. */
    const ensureRoom = (owner: OrganisationUid, patient: PatientUid) =>
      Effect.filterOrFail(
        countOf(sql`SELECT count(*) AS count FROM requests WHERE organisation_uid = ${owner}
          AND patient_uid = ${patient} AND status IN ('open', 'taken')`),
        (count) => count < OF_PATIENT_MAX,
        () => new TooManyOpenRequests()
      )

    const sealed = (
      owner: OrganisationUid,
      uid: RequestUid,
      column: "code_encrypted" | "answer_encrypted",
      text: string
    ) => envelope.sealed({ table: "requests", column, row: [owner, uid] }, text)

    /**
     * Sends a patient's request; `at`: when, by default now. Fails with `RequestTypeNotFound`, `Invalid`, `PatientRestricted` and
     * `TooManyOpenRequests`.
     */
    const send = Effect.fn("Requests.send")(function* (owner: OrganisationUid, of: FilesOf, sent: Sent, at?: number) {
      const { patient_uid } = of
      const { type, form } = yield* askedBy(owner, sent.request_type_uid)
      yield* lockPatient(sql)(owner, patient_uid)
      const { answers } = yield* responses.judged(owner, of, form.items, sent.answers, true)
      yield* ensureRoom(owner, patient_uid)
      const now = at ?? (yield* clock.now)
      const uid = yield* newUid(RequestUid)
      const link = yield* newCodeOf("req", owner)
      const row = {
        organisation_uid: owner,
        uid,
        patient_uid,
        request_type_uid: type.uid,
        doctor_uid: type.recipient === "doctor" ? yield* lastDoctor(owner, patient_uid, now) : null,
        status: "open",
        code_hash: hashOf(link),
        code_encrypted: yield* sealed(owner, uid, "code_encrypted", link),
        due_at: timestamp(now + type.answer_within_minutes * MINUTE),
        warn_at: timestamp(now + type.answer_within_minutes * MINUTE * WARN_AFTER),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      const made = yield* requests.one(sql`INSERT INTO requests AS r ${sql.insert(row)} RETURNING ${columns(now)}`)
      const place = { ...of, subject_uid: uid, asked_by: form.uid }
      yield* responses.save(owner, { ...place, form, answers, complete: true })
      yield* files.move(owner, of, place, Object.values(answers).flat().map(String))
      yield* say("request.created", owner, made)
      return { uid, status: "open" as const, due_at: made.due_at, url: addressOf(link) }
    }, transaction)
    /** By launch code. Fails with `BookingSessionNotFound`, and as `send`. */
    const create = (code: string, sent: Sent) => Effect.flatMap(filesOf(code), ({ owner, of }) => send(owner, of, sent))

    /**
     * Sends the draft of a page, once, and gives the address of the request: whoever sends it again is led to what was sent of its type
     * within the hour; none where there is neither. Fails as `send`.
     */
    const sendDraft = Effect.fn("Requests.sendDraft")(function* (owner: OrganisationUid, of: FilesOf, sent: Sent) {
      const { patient_uid } = of
      yield* lockPatient(sql)(owner, patient_uid)
      if (yield* responses.forget(owner, of)) return Option.some((yield* send(owner, of, sent)).url)
      const sentBefore = sql`r.patient_uid = ${patient_uid} AND r.request_type_uid = ${sent.request_type_uid}
        AND r.created_at > to_timestamp(${(yield* clock.now) - HOUR})`
      const newest = yield* opened.first(
        whole(owner, sql`${sentBefore} ORDER BY r.created_at DESC, r.uid DESC LIMIT 1`)
      )
      return Option.map(newest, ({ code }) => addressOf(code))
    }, transaction)

    // ---- by the practice

    /** What waits, by the words of the inbox. */
    const waiting = (now: number, actor: Actor) => ({
      open: sql`r.status = 'open'`,
      mine: sql`r.status <> 'closed' AND r.taken_by = ${actor.uid}`,
      overdue: sql`r.status IN ('open', 'taken') AND r.due_at < to_timestamp(${now})`
    })

    const count = Effect.fn("Requests.count")(function* ({ organisation_uid: owner, actor }: Caller) {
      const { open, mine, overdue } = waiting(yield* clock.now, actor)
      return yield* counts.one(sql`SELECT count(*) FILTER (WHERE ${open}) AS open, count(*) FILTER (WHERE ${mine}) AS mine,
        count(*) FILTER (WHERE ${overdue}) AS overdue ${typed(owner)} AND r.status <> 'closed'`)
    })

    const list = Effect.fn("Requests.list")(function* (
      { organisation_uid: owner, actor }: Caller,
      query: RequestQuery
    ) {
      const { status, inbox, patient_uid, after } = query
      const now = yield* clock.now
      const where = sql.and([
        ...(status === undefined ? [] : [sql`r.status = ${status}`]),
        ...(inbox === undefined ? [] : [waiting(now, actor)[inbox]]),
        ...(patient_uid === undefined ? [] : [sql`r.patient_uid = ${patient_uid}`]),
        ...changedSince(sql, query, "r.updated_at")
      ])
      const afterCursor =
        after === undefined ? [] : [sql`(r.created_at, r.uid COLLATE "C") > (to_timestamp(${after[0]}), ${after[1]})`]
      const window = windowOf(query)
      return paged(
        yield* pageOf(
          query,
          listed.all(sql`SELECT ${columns(now)}, ${ofItsType} ${typed(owner)} AND ${sql.and([where, ...afterCursor])}
            ORDER BY r.created_at, r.uid COLLATE "C" LIMIT ${window.limit} OFFSET ${window.offset}`),
          ({ created_at, uid }) => [created_at, uid] as const,
          countOf(sql`SELECT count(*) AS count ${typed(owner)} AND ${where}`)
        )
      )
    })

    const find = (owner: OrganisationUid, uid: RequestUid, lock = sql``) =>
      opened.firstOr(whole(owner, sql`r.uid = ${uid} ${lock}`), notFound)

    /** With what was asked and answered. Fails with `RequestNotFound`. */
    const get = Effect.fn("Requests.get")(function* (owner: OrganisationUid, uid: RequestUid) {
      const { answer: text, ...request } = yield* find(owner, uid)
      const [form = null] = yield* responses.ofRequest(owner, uid)
      const read: ReadRequest = { ...request, text, form }
      return read
    })

    /** Those to the doctor that are not closed. */
    const ofDoctor = Effect.fn("Requests.ofDoctor")(function* ({ organisation_uid: owner, doctor_uid }: OfDoctor) {
      return yield* owned.all(sql`SELECT ${columns(yield* clock.now)}, ${ofItsType},
          trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name
        ${typed(owner)} AND r.doctor_uid = ${doctor_uid} AND r.status <> 'closed'
        ORDER BY r.created_at, r.uid COLLATE "C" LIMIT ${OF_DOCTOR_MAX}`)
    })

    /** Fails with `RequestNotFound` for a request to somebody else. */
    const ensureOwn = ({ organisation_uid, doctor_uid }: OfDoctor, uid: RequestUid) =>
      Effect.filterOrFail(find(organisation_uid, uid), (found) => found.doctor_uid === doctor_uid, notFound)

    /** A request that is not closed, locked until the transaction ends. Fails with `RequestNotFound` and `RequestClosed`. */
    const findForChange = Effect.fnUntraced(function* (owner: OrganisationUid, uid: RequestUid) {
      const found = yield* find(owner, uid, sql`FOR NO KEY UPDATE OF r`)
      return found.status === "closed" ? yield* new RequestClosed() : found
    })

    const change = Effect.fnUntraced(function* (
      { organisation_uid: owner, actor }: Caller,
      uid: RequestUid,
      fields: Readonly<Record<string, unknown>>
    ) {
      const now = yield* clock.now
      const row = { ...fields, taken_by: actor.uid, updated_at: timestamp(now) }
      return yield* requests.one(sql`UPDATE requests AS r SET ${sql.update(row)}
        WHERE r.organisation_uid = ${owner} AND r.uid = ${uid} RETURNING ${columns(now)}`)
    })

    /** What the practice writes to the patient. */
    const written = Effect.fnUntraced(function* (owner: OrganisationUid, uid: RequestUid, text: string) {
      const answer_encrypted = yield* sealed(owner, uid, "answer_encrypted", text)
      return { answer_encrypted, answered_at: timestamp(yield* clock.now) }
    })

    /** Somebody takes care of it; also in place of another. Fails with `RequestNotFound` and `RequestClosed`. */
    const take = Effect.fn("Requests.take")(function* (caller: Caller, uid: RequestUid) {
      const { status } = yield* findForChange(caller.organisation_uid, uid)
      return yield* change(caller, uid, { status: status === "open" ? "taken" : status })
    }, transaction)

    /** Fails with `RequestNotFound` and `RequestClosed`. */
    const answer = Effect.fn("Requests.answer")(function* (caller: Caller, uid: RequestUid, text: string) {
      const { organisation_uid: owner } = caller
      yield* findForChange(owner, uid)
      const changed = yield* change(caller, uid, { status: "answered", ...(yield* written(owner, uid, text)) })
      yield* say("request.answered", owner, changed)
      return changed
    }, transaction)

    /** Fails with `RequestNotFound`, `RequestClosed`, and `Invalid` for a prescription that there is not. */
    const close = Effect.fn("Requests.close")(function* (
      caller: Caller,
      uid: RequestUid,
      { text, ...closing }: RequestClosing
    ) {
      const { organisation_uid: owner } = caller
      const { patient_uid } = yield* findForChange(owner, uid)
      const { prescription_uid } = closing
      const isKnown =
        prescription_uid === undefined ||
        (yield* any(sql`SELECT FROM prescriptions WHERE organisation_uid = ${owner} AND uid = ${prescription_uid}
          AND patient_uid = ${patient_uid}`))
      if (!isKnown) return yield* invalid("prescription_uid", "is no prescription of the patient")
      const said = text === null ? {} : yield* written(owner, uid, text)
      const closed = { ...closing, ...said, status: "closed", closed_at: timestamp(yield* clock.now) }
      const changed = yield* change(caller, uid, closed)
      yield* say("request.closed", owner, changed)
      return changed
    }, transaction)

    // ---- for the patient

    /** The request of a link, until its time has passed since the practice's last word. Fails with `RequestNotFound`. */
    const behind = Effect.fn("Requests.behind")((code: string) =>
      byKey.ofCode(code, notFound, (owner) =>
        Effect.flatMap(clock.now, (now) =>
          opened.firstOr(
            whole(
              owner,
              sql`r.code_hash = ${hashOf(code)} AND (r.status IN ('open', 'taken')
                OR greatest(r.answered_at, r.closed_at) > to_timestamp(${now - LINK_SECONDS}))`
            ),
            notFound
          )
        )
      )
    )

    const warnBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      // of an erased patient nobody is told
      const due = yield* requests.all(sql`WITH changed AS (UPDATE requests SET warn_at = NULL
          WHERE organisation_uid = ${owner} AND uid = ANY (ARRAY(SELECT uid FROM requests WHERE organisation_uid = ${owner}
            AND status IN ('open', 'taken') AND warn_at <= to_timestamp(${now}) ORDER BY warn_at LIMIT ${BATCH}
            FOR UPDATE SKIP LOCKED)) RETURNING *)
        SELECT ${columns(now)} FROM changed r
          JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = r.patient_uid AND p.erased_at IS NULL`)
      const admins = yield* people.all(sql`SELECT uid FROM admins WHERE organisation_uid = ${owner} ORDER BY uid`)
      const everyAdmin = admins.map(({ uid }) => ({ recipient_role: "admin" as const, recipient_uid: uid }))
      for (const of of due) {
        const doctor = { recipient_role: "doctor" as const, recipient_uid: of.doctor_uid ?? "" }
        for (const recipient of of.doctor_uid === null ? everyAdmin : [doctor])
          yield* events.append({
            type: "request.running_out",
            organisation_uid: owner,
            subject: of.uid,
            data: { ...uidsOf(of), ...recipient }
          })
      }
      return due.length
    }, transaction)

    /** Tells staff of requests whose time runs out; returns how many. Safe to run in several workers at once. */
    const warnDue = Effect.fn("Requests.warnDue")(function* () {
      return yield* owners.eachDue("requests", yield* clock.now, (owner) => batches(BATCH, warnBatch(owner)))
    })

    /** The message with a link to a request; null: no longer needed. */
    const noticeOf = (
      kind: keyof typeof requestNotices,
      linkTo: (request: typeof Opened.Type, role: string) => string | null
    ): NoticeWriter => {
      const saying = (url: string, language: Language) => ({
        values: { url },
        facts: [],
        links: [[noticeText(kind, language).read, url] as const]
      })
      return {
        sample: ({ url }, { language }) => saying(url, language),
        find: ({ organisation_uid, subject_uid }, { role, language }) =>
          Effect.map(Effect.option(find(organisation_uid, RequestUid.make(subject_uid))), (found) =>
            Option.flatMapNullable(found, (one) => linkTo(one, role)).pipe(Option.map((url) => saying(url, language)))
          )
      }
    }
    const toPage = ({ code }: typeof Opened.Type) => addressOf(code)
    const notices = {
      request_answered: noticeOf("request_answered", toPage),
      request_closed: noticeOf("request_closed", toPage),
      request_running_out: noticeOf("request_running_out", ({ uid, status }, role) =>
        status === "open" || status === "taken"
          ? `${baseUrl}/console/${role === "doctor" ? "doctor" : `practice/requests/${uid}`}`
          : null
      )
    }

    /** Every one of a patient, for exports. */
    const ofPatient = (owner: OrganisationUid, patient: PatientUid) =>
      Effect.map(opened.all(whole(owner, sql`r.patient_uid = ${patient} ORDER BY r.created_at, r.uid`)), (found) =>
        found.map(({ answer: text, ...one }): typeof ExportedRequest.Type => ({ ...one, text }))
      )

    return {
      types,
      offered,
      publicPurpose,
      askedBy,
      filesOf,
      filesIn,
      send,
      sendDraft,
      create,
      list,
      count,
      ofDoctor,
      ensureOwn,
      get,
      take,
      answer,
      close,
      behind,
      warnDue,
      notices,
      ofPatient
    } as const
  }),
  dependencies: [Forms.Default, FormFiles.Default, Responses.Default, BookingSessions.Default, OwnerByKey.Default]
}) {}
