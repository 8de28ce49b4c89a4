/** What patients answer before they book and before they come: the only writer of the answers. Rules 22.3 and 22.4. */
import type { Statement } from "@effect/sql"
import { Array as Arr, Effect, Option, Schema, Struct } from "effect"
import { midnightOf } from "../../../schemas/birthDate.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { type AppointmentTypeUid, type AppointmentUid, type OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import type { Fault } from "../../../schemas/problems.ts"
import { Invalid, invalid } from "../../../schemas/problems.ts"
import { ActionNotPossible, PreparationMissing } from "../../../schemas/scheduling/errors.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import type { Extension, SessionBearer } from "../../../services/Extensions.ts"
import { Service } from "../../../services/Service.ts"
import { ActionLinks, callerOf } from "../../../services/scheduling/appointments/ActionLinks.ts"
import { Appointments, type Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { newUid } from "../../../services/uid.ts"
import { fill } from "../../../texts/fill.ts"
import { type Answers, type Form, type FormItem, FormNotFound, FormUid } from "../schemas/Form.ts"
import { type ComparableItem, comparableFault } from "../schemas/formRules.ts"
import {
  type AskedForm,
  BUILT_IN,
  Entry,
  type EntryAnswer,
  type EntryRule,
  type EntryState,
  Intake,
  type PatientForm,
  type ReadForm,
  ResponseUid
} from "../schemas/TypeFields.ts"
import { questionTexts } from "../texts/questions.ts"
import { faultsOf, flattened, holds, judge, textIn } from "./engine.ts"
import { FormFiles } from "./FormFiles.ts"
import { Forms } from "./Forms.ts"
import { type FilesOf, lockPatient, ofPlace, type Place } from "./places.ts"

/** A doctor's look at the answers of an appointment ends after this time without one. */
const LOOK_SECONDS = 30 * MINUTE

/** What a type asks, in its added fields. */
const AskedBy = Schema.Struct({
  entry: Schema.optionalWith(Entry, { default: () => null }),
  intake: Schema.optionalWith(Intake, { default: () => [] })
})
const decodeAsked = Schema.decodeUnknown(AskedBy)

const Stored = Schema.Struct({
  organisation_uid: Schema.String,
  uid: ResponseUid,
  patient_uid: PatientUid,
  door: Schema.Literal("entry", "intake", "request"),
  subject_uid: Schema.String,
  asked_by: Schema.String,
  form_uid: Schema.NullOr(FormUid),
  form_version: Schema.Number,
  answers: Schema.String,
  complete: Schema.Boolean,
  outcome: Schema.NullOr(Schema.Literal("continue", "refuse", "type")),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
})
type Stored = typeof Stored.Type
const answersOf = ({ answers }: Pick<Stored, "answers">): Answers => JSON.parse(answers)

const Facts = Schema.Struct({
  known: Schema.Boolean,
  date_of_birth: Schema.NullOr(Schema.String),
  zip: Schema.NullOr(Schema.String),
  today: Schema.String
})

/** Full years between two dates, YYYY-MM-DD. */
const yearsBetween = (from: string, to: string) =>
  Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(5) < from.slice(5) ? 1 : 0)

const notFound = () => new FormNotFound()

/** The page below a booking session's that asks before times are shown. */
export const QUESTIONS = "/questions"

/** A response to store. */
export interface NewResponse extends FilesOf {
  /** By which it was judged; null: only facts that the service knows were asked. */
  readonly form: Pick<Form, "uid" | "version" | "items"> | null
  readonly answers: Answers
  readonly complete: boolean
  readonly outcome?: Stored["outcome"]
  readonly appointment_uid?: AppointmentUid | null
}

export class Responses extends Service<Responses>()("forms/Responses", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const forms = yield* Forms
    const files = yield* FormFiles
    const sessions = yield* BookingSessions
    const links = yield* ActionLinks
    const appointments = yield* Appointments
    const opened = envelope.openRows("form_responses", ["organisation_uid", "uid"])
    const stored = rowsOf(Stored, opened)
    const types = rowsOf(Schema.Struct({ added: AskedBy }))
    const facts = rowsOf(Facts)
    const looks = rowsOf(Schema.Struct({ before: Schema.NullOr(UnixSeconds) }))
    const columns = sql`organisation_uid, uid, patient_uid, door, subject_uid, asked_by, form_uid, form_version,
      answers_encrypted, complete, outcome, created_at, updated_at`

    const notErased = (owner: OrganisationUid) => sql`EXISTS (SELECT FROM patients p
      WHERE p.organisation_uid = ${owner} AND p.uid = patient_uid AND p.erased_at IS NULL)`

    /** What a type asks, also one that was deleted since. */
    const askedBy = (owner: OrganisationUid, type: string | null) =>
      Effect.map(
        types.first(sql`SELECT added FROM appointment_types WHERE organisation_uid = ${owner} AND uid = ${type}`),
        Option.match({ onNone: () => ({ entry: null, intake: [] }), onSome: ({ added }) => added })
      )

    const find = (owner: OrganisationUid, place: Place) =>
      stored.first(sql`SELECT ${columns} FROM form_responses WHERE ${ofPlace(sql, owner, place)}`)
    /** In the order in which they were answered first. */
    const allOf = (owner: OrganisationUid, condition: Statement.Fragment) =>
      stored.all(sql`SELECT ${columns} FROM form_responses WHERE organisation_uid = ${owner} AND ${condition}
        ORDER BY created_at, uid`)

    /** Replaces what was answered before. Fails with `PatientRestricted`. */
    const save = Effect.fn("Responses.save")(function* (
      owner: OrganisationUid,
      { answers, form, outcome = null, appointment_uid = null, ...response }: NewResponse
    ) {
      yield* lockPatient(sql)(owner, response.patient_uid)
      const before = Option.getOrUndefined(yield* find(owner, response))
      const uid = before?.uid ?? (yield* newUid(ResponseUid))
      const place = { table: "form_responses", column: "answers_encrypted", row: [owner, uid] } as const
      const now = timestamp(yield* clock.now)
      const row = {
        organisation_uid: owner,
        uid,
        ...response,
        form_uid: form?.uid ?? null,
        form_version: form?.version ?? 0,
        outcome,
        appointment_uid,
        answers_encrypted: yield* envelope.sealed(place, JSON.stringify(answers)),
        created_at: now,
        updated_at: now
      }
      yield* done(sql`INSERT INTO form_responses ${sql.insert(row)} ON CONFLICT (organisation_uid, uid) DO UPDATE
        SET ${sql.update(row, ["organisation_uid", "uid", "created_at"])}`)
      if (form !== null) yield* forms.keepVersion(owner, form)
    }, transaction)

    /** As `save`, of what is not complete. The booking session in which it is answered lasts longer. Rule 22.9.8. */
    const saveDraft = Effect.fn("Responses.saveDraft")(function* (
      owner: OrganisationUid,
      draft: Omit<NewResponse, "complete" | "outcome">
    ) {
      yield* save(owner, { ...draft, complete: false })
      if (draft.door !== "intake") yield* sessions.prolong(owner, draft.subject_uid)
    }, transaction)

    /**
     * Gives a booking session the draft, with its files, that the same patient began in one that has ended since; only a session that no
     * link has opened, and none that led to an appointment. Rule 22.9.8.
     */
    const adopt = Effect.fn("Responses.adopt")(function* (owner: OrganisationUid, of: FilesOf) {
      const draft = yield* stored.first(sql`SELECT ${columns} FROM form_responses r WHERE organisation_uid = ${owner}
        AND patient_uid = ${of.patient_uid} AND door = ${of.door} AND asked_by = ${of.asked_by} AND NOT complete
        AND EXISTS (SELECT FROM booking_sessions s WHERE s.organisation_uid = ${owner} AND s.uid = r.subject_uid
          AND s.expires_at <= to_timestamp(${yield* clock.now}))
        AND EXISTS (SELECT FROM booking_sessions s WHERE s.organisation_uid = ${owner} AND s.uid = ${of.subject_uid}
          AND s.link_kind IS NULL)
        AND NOT EXISTS (SELECT FROM appointments a WHERE a.organisation_uid = ${owner}
          AND a.booking_session_uid = r.subject_uid AND a.confirmed_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM form_responses WHERE ${ofPlace(sql, owner, of)})
        ORDER BY updated_at DESC, uid LIMIT 1 FOR NO KEY UPDATE OF r`)
      if (Option.isNone(draft)) return
      const { uid, subject_uid } = draft.value
      yield* done(sql`UPDATE form_responses SET subject_uid = ${of.subject_uid}
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
      yield* files.move(owner, { ...of, subject_uid }, of)
    }, transaction)

    /** Whether anything was answered at a place. */
    const isBegun = (owner: OrganisationUid, place: Place) =>
      any(sql`SELECT FROM form_responses WHERE ${ofPlace(sql, owner, place)}`)

    /** A draft that was sent elsewhere. Returns whether there was one. */
    const forget = (owner: OrganisationUid, place: Place) =>
      any(sql`DELETE FROM form_responses WHERE ${ofPlace(sql, owner, place)} RETURNING uid`)

    /** What was answered to a form so far, and the files of it; of answers to another form, whose items may have the same names, none. */
    const stateOf = Effect.fn("Responses.stateOf")(function* (
      owner: OrganisationUid,
      of: FilesOf,
      form: Pick<Form, "uid"> | null
    ) {
      const found = Option.getOrUndefined(yield* find(owner, of))
      const { complete = false, outcome = null } = found ?? {}
      const answers = found?.form_uid === form?.uid && found ? answersOf(found) : {}
      return { complete, outcome, answers, files: yield* files.of(owner, of) }
    })

    /** Judges answers to a form; its files must be the patient's own for it. Fails with `Invalid`. */
    const judged = Effect.fn("Responses.judged")(function* (
      owner: OrganisationUid,
      of: FilesOf,
      items: ReadonlyArray<FormItem>,
      sent: Readonly<Record<string, unknown>>,
      complete: boolean
    ) {
      const usable = new Set(
        (yield* files.of(owner, of)).flatMap((one) => (one.status === "rejected" ? [] : [one.uid]))
      )
      const found = judge(items, sent, (uid) => usable.has(uid as never))
      const faults = complete ? faultsOf(found) : found.faults
      if (faults.length > 0) return yield* new Invalid({ faults })
      return { answers: found.answers, complete: found.missing.length === 0 }
    })

    // ---- before booking

    /** Whether the session's bearer is asked: moves, offers, recalls, keys and staff are exempt. */
    const isAsked = ({ mode, link_kind, actor }: SessionBearer) =>
      mode === "booking" && link_kind === null && actor.kind === "patient"

    const ofEntry = ({ uid, appointment_type_uid, patient_uid }: SessionBearer) => ({
      door: "entry" as const,
      subject_uid: uid,
      asked_by: appointment_type_uid,
      patient_uid
    })

    /** What the session's bearer is asked; null: nothing. */
    const entryFor = (session: SessionBearer) =>
      isAsked(session) && session.type_fields.entry != null
        ? Effect.orDie(Effect.map(decodeAsked(session.type_fields), ({ entry }) => entry))
        : Effect.succeed(null)

    const entryIn = Effect.fnUntraced(function* (session: SessionBearer) {
      const owner = session.organisation_uid
      const entry = yield* entryFor(session)
      const form = entry?.form_uid == null ? null : Option.getOrNull(yield* forms.asked(owner, entry.form_uid))
      return { session, owner, entry, form, of: ofEntry(session) }
    })
    type AskedEntry = Effect.Effect.Success<ReturnType<typeof entryIn>>
    /** The session with what its type asks. Fails with `BookingSessionNotFound`. */
    const entryOf = Effect.fn("Responses.entryOf")((code: string) =>
      Effect.flatMap(sessions.byLaunchCode(code), entryIn)
    )

    const builtIn = Effect.fnUntraced(function* (owner: OrganisationUid, patient: PatientUid) {
      const now = yield* clock.now
      const { known, date_of_birth, zip, today } = yield* facts.one(sql`SELECT EXISTS (SELECT FROM appointments a
            WHERE a.organisation_uid = ${owner} AND a.patient_uid = ${patient} AND a.status = 'completed') AS known,
          p.profile ->> 'date_of_birth' AS date_of_birth, p.profile ->> 'zip' AS zip,
          (to_timestamp(${now}) AT TIME ZONE o.timezone)::date::text AS today
        FROM patients p JOIN organisations o ON o.organisation_uid = ${owner}
        WHERE p.organisation_uid = ${owner} AND p.uid = ${patient}`)
      const born = midnightOf(date_of_birth ?? "") === undefined ? null : date_of_birth
      return {
        "@known_patient": known,
        ...(born !== null && { "@age": yearsBetween(born, today) }),
        ...(zip !== null && zip !== "" && { "@zip": zip })
      }
    })

    /** The rule that counts for these answers; undefined: none does. */
    const ruleFor = Effect.fnUntraced(function* ({ owner, entry, session }: AskedEntry, answers: Answers) {
      const known = { ...answers, ...(yield* builtIn(owner, session.patient_uid)) }
      return entry?.rules.find(({ when }) => when.every((one) => holds(one, known)))
    })
    /** What it says to the patient. */
    const saidBy = (rule: EntryRule | undefined, language: string) =>
      rule?.text == null ? null : textIn(rule.text, language, "de")

    /** What is asked before times are shown, and what was answered. Fails with `BookingSessionNotFound`. */
    const entryState = Effect.fn("Responses.entryState")(function* (code: string, language: string) {
      const asked = yield* entryOf(code)
      const { form, entry, session } = asked
      const { answers, outcome, files } = yield* stateOf(asked.owner, asked.of, form)
      const state: typeof EntryState.Type = {
        form_uid: form?.uid ?? null,
        form_version: form?.version ?? null,
        title: form?.title ?? null,
        items: form?.items ?? [],
        answers: judge(form?.items ?? [], answers).answers,
        answered: entry === null || outcome !== null,
        outcome: entry === null ? "continue" : outcome,
        appointment_type_uid: session.appointment_type_uid,
        text: outcome === null ? null : saidBy(yield* ruleFor(asked, answers), language),
        files
      }
      return state
    })

    const enterIn = Effect.fnUntraced(function* (
      asked: AskedEntry,
      sent: Readonly<Record<string, unknown>>,
      language: string
    ) {
      const { session, owner, entry, form, of } = asked
      const { appointment_type_uid } = session
      if (entry === null) return { outcome: "continue" as const, appointment_type_uid, text: null }
      const { answers } = yield* judged(owner, of, form?.items ?? [], sent, true)
      const rule = yield* ruleFor(asked, answers)
      const target = rule?.then === "type" ? rule.appointment_type_uid : null
      // a type that led here leads to nobody's end
      const isCircle =
        target !== null &&
        Option.exists(yield* find(owner, { ...of, asked_by: target }), ({ outcome }) => outcome === "type")
      const isChanged = target !== null && !isCircle && (yield* sessions.retype(session, target))
      const outcome = rule === undefined ? entry.otherwise : rule.then === "type" && !isChanged ? "refuse" : rule.then
      yield* save(owner, { ...of, form, answers, complete: true, outcome })
      const reached: EntryAnswer = {
        outcome,
        appointment_type_uid: isChanged ? target : appointment_type_uid,
        text: saidBy(rule, language)
      }
      return reached
    }, transaction)

    /** Judges the answers by the type's rules. Fails with `Invalid`, `BookingSessionNotFound` and `PatientRestricted`. */
    const enter = Effect.fn("Responses.enter")(
      (code: string, sent: Readonly<Record<string, unknown>>, language: string) =>
        Effect.flatMap(entryOf(code), (asked) => enterIn(asked, sent, language))
    )

    /** Where the bearer of a session answers before times are shown; null where there is nothing more to answer. */
    const beforeTimes = Effect.fn("Responses.beforeTimes")(function* (session: SessionBearer) {
      const asked = yield* entryIn(session)
      if (asked.entry === null) return null
      const { outcome } = yield* stateOf(asked.owner, asked.of, asked.form)
      if (outcome === "continue") return null
      if (asked.form !== null || outcome === "refuse") return QUESTIONS
      // what the service knows itself is enough; whoever is restricted is told so with the hold
      const entered = yield* Effect.option(enterIn(asked, {}, "de"))
      return Option.exists(entered, (one) => one.outcome !== "continue") ? QUESTIONS : null
    })

    /** What the session's earlier type said that led to this one; none where none did. */
    const ledBy = Effect.fn("Responses.ledBy")(function* (session: SessionBearer, language: string) {
      const found = yield* stored.first(sql`SELECT ${columns} FROM form_responses
        WHERE organisation_uid = ${session.organisation_uid} AND door = 'entry' AND subject_uid = ${session.uid} AND outcome = 'type'
        ORDER BY updated_at DESC LIMIT 1`)
      if (Option.isNone(found)) return Option.none<string | null>()
      const owner = session.organisation_uid
      const { entry } = yield* askedBy(owner, found.value.asked_by)
      const asked = { owner, entry, session, form: null, of: ofEntry(session) }
      return Option.some(saidBy(yield* ruleFor(asked, answersOf(found.value)), language))
    })

    /** Fails with `Invalid` where the bearer of a session was not asked yet, or was refused. */
    const beforeHold = Effect.fn("Responses.beforeHold")(function* (session: SessionBearer) {
      if ((yield* entryFor(session)) === null) return
      const found = yield* find(session.organisation_uid, ofEntry(session))
      const outcome = Option.getOrUndefined(found)?.outcome ?? null
      if (outcome === null) return yield* invalid("entry", "answer the questions of the appointment type first")
      if (outcome !== "continue")
        return yield* invalid("entry", "by the answers this appointment type cannot be booked here")
    })

    // ---- before the visit

    const ofIntake = ({ slot_group, patient_uid }: StoredAppointment, form: string) => ({
      door: "intake" as const,
      subject_uid: slot_group,
      asked_by: form,
      patient_uid
    })

    /** The appointment of a code with the form that its type asks. Fails with `ActionLinkNotFound`, `AppointmentNotFound` and `FormNotFound`. */
    const intakeOf = Effect.fn("Responses.intakeOf")(function* (code: string, form_uid: FormUid) {
      const link = yield* links.resolve(code, "read")
      const appointment = yield* appointments.find(callerOf(link), link.appointment_uid)
      const owner = link.organisation_uid
      const { intake } = yield* askedBy(owner, appointment.appointment_type_uid)
      const form = yield* forms.asked(owner, form_uid)
      if (Option.isNone(form) || !intake.some((one) => one.form_uid === form_uid)) return yield* notFound()
      return { owner, appointment, form: form.value, of: ofIntake(appointment, form_uid) }
    })

    /** Fails as `intakeOf`. */
    const readIntake = Effect.fn("Responses.readIntake")(function* (code: string, form_uid: FormUid) {
      const { owner, form, of } = yield* intakeOf(code, form_uid)
      const { outcome, ...state } = yield* stateOf(owner, of, form)
      const { version: form_version, title, items } = form
      const answers = judge(items, state.answers).answers
      const shown: AskedForm = { ...state, form_uid, form_version, title, items, answers }
      return shown
    })

    /**
     * Fails with `ActionNotPossible` from the start on, unless the answers are not complete: from the end on; and unless the appointment is
     * confirmed.
     */
    const ensureCorrectable = Effect.fnUntraced(function* (
      { organisation_uid, status, start_date, end_date }: StoredAppointment,
      of: Place
    ) {
      const isComplete = Option.exists(yield* find(organisation_uid, of), ({ complete }) => complete)
      if (status !== "confirmed" || (isComplete ? start_date : end_date) <= (yield* clock.now))
        return yield* new ActionNotPossible({ reason: "The answers can be changed until the appointment starts" })
    })

    /** Fails as `intakeOf`, and with `Invalid`, `ActionNotPossible` and `PatientRestricted`. */
    const answerIntake = Effect.fn("Responses.answerIntake")(function* (
      code: string,
      form_uid: FormUid,
      { answers: sent, complete }: { readonly answers: Readonly<Record<string, unknown>>; readonly complete: boolean }
    ) {
      const { owner, appointment, form, of } = yield* intakeOf(code, form_uid)
      yield* ensureCorrectable(appointment, of)
      const { answers } = yield* judged(owner, of, form.items, sent, complete)
      yield* save(owner, {
        ...of,
        form,
        answers,
        complete,
        appointment_uid: appointment.slot_group
      })
      return yield* readIntake(code, form_uid)
    }, transaction)

    /** The forms that an appointment's type asks, and whether they are complete. */
    const askedFor = Effect.fn("Responses.askedFor")(function* (
      owner: OrganisationUid,
      first_uid: AppointmentUid,
      type: AppointmentTypeUid | null
    ) {
      const { intake } = yield* askedBy(owner, type)
      const found = yield* Effect.forEach(
        intake,
        Effect.fnUntraced(function* (one) {
          const form = yield* forms.asked(owner, one.form_uid)
          const answers = yield* find(owner, { door: "intake", subject_uid: first_uid, asked_by: one.form_uid })
          const complete = Option.exists(answers, ({ complete }) => complete)
          return Option.toArray(form).map((form) => ({ ...one, form, complete }))
        })
      )
      return found.flat()
    })
    type Asked = Effect.Effect.Success<ReturnType<typeof askedFor>>

    /** Of these, the forms without which the patient does not get into the call: none once the doctor has let the patient in. */
    const blockingOf = Effect.fnUntraced(function* (owner: OrganisationUid, first_uid: AppointmentUid, asked: Asked) {
      const blocking = asked.filter(({ complete, blocks }) => !complete && blocks === "join")
      if (blocking.length === 0) return []
      const isLetIn = yield* any(sql`SELECT FROM intake_let_ins
        WHERE organisation_uid = ${owner} AND appointment_uid = ${first_uid}`)
      return isLetIn ? [] : blocking
    })

    /** The same for the patient: on the appointment's page, and in reminders from `due_minutes_before` on. */
    const toDo: Extension["toDo"] = Effect.fn("Responses.toDo")(function* (
      owner,
      { first_uid, appointment_type_uid, start_date },
      language
    ) {
      const asked = yield* askedFor(owner, first_uid, appointment_type_uid)
      if (asked.length === 0) return null
      const now = yield* clock.now
      const { intake: texts, states } = questionTexts(language)
      const missing = asked.filter(({ complete }) => !complete)
      const named = (some: Asked) => some.map(({ form }) => textIn(form.title, language, "de")).join(", ")
      const blocking = yield* blockingOf(owner, first_uid, asked)
      const due = missing.filter(({ due_minutes_before }) => start_date - due_minutes_before * MINUTE <= now)
      return {
        title: texts.title,
        tasks: asked.map(({ form, complete }) => ({
          path: `/intake/${form.uid}` as const,
          text: textIn(form.title, language, "de"),
          state: complete ? states.complete : states.missing
        })),
        blocked: blocking.length > 0 ? fill(texts.blocks, { forms: named(blocking) }) : null,
        reminder: due.length === 0 ? null : ([texts.reminder, named(due)] as const)
      }
    })

    /** Fails with `PreparationMissing` while a form that blocks joining is not complete, unless the doctor lets the patient in. */
    const beforeJoin = Effect.fn("Responses.beforeJoin")(function* (appointment: StoredAppointment) {
      const { organisation_uid: owner, slot_group, appointment_type_uid } = appointment
      const asked = yield* askedFor(owner, slot_group, appointment_type_uid)
      if ((yield* blockingOf(owner, slot_group, asked)).length > 0) return yield* new PreparationMissing()
    })

    /** The doctor lets the patient in all the same. Calling it again changes nothing. Fails with `AppointmentNotFound`. */
    const letIn = Effect.fn("Responses.letIn")(function* (caller: Caller, uid: AppointmentUid) {
      const { organisation_uid, slot_group } = yield* appointments.findOwn(caller, uid)
      yield* done(
        sql`INSERT INTO intake_let_ins ${sql.insert({
          organisation_uid,
          appointment_uid: slot_group,
          actor_uid: caller.actor.uid,
          created_at: timestamp(yield* clock.now)
        })} ON CONFLICT DO NOTHING`
      )
    })

    // ---- reading

    /** `seen`: until when the reader has looked before; by default everything is known. */
    const readable = (owner: OrganisationUid, found: ReadonlyArray<Stored>, seen = Number.POSITIVE_INFINITY) =>
      Effect.forEach(
        found,
        Effect.fnUntraced(function* (one) {
          const shown = Struct.pick(one, "door", "form_uid", "form_version", "complete", "updated_at")
          const version = Option.getOrUndefined(yield* forms.version(owner, one.form_uid, one.form_version))
          const read: ReadForm = {
            ...shown,
            title: version?.title ?? null,
            items: version?.items ?? [],
            answers: answersOf(one),
            files: yield* files.readable(owner, one),
            blocks: false,
            is_new: one.updated_at > seen
          }
          return read
        })
      )

    /** Notes that the doctor looks, and returns until when they had looked before: a look lasts until half an hour without one. */
    const lookedAt = Effect.fnUntraced(function* ({ organisation_uid, actor }: Caller, appointment_uid: string) {
      const now = yield* clock.now
      const row = { organisation_uid, appointment_uid, doctor_uid: actor.uid, looked_at: timestamp(now) }
      const { before } = yield* looks.one(sql`INSERT INTO intake_looks AS l ${sql.insert(row)}
        ON CONFLICT (organisation_uid, appointment_uid, doctor_uid) DO UPDATE SET looked_at = excluded.looked_at,
          before = CASE WHEN l.looked_at < to_timestamp(${now - LOOK_SECONDS}) THEN l.looked_at ELSE l.before END
        RETURNING before`)
      return before ?? 0
    })

    /** What was answered before an appointment was booked and before it takes place. Fails with `AppointmentNotFound`. */
    const ofAppointment = Effect.fn("Responses.ofAppointment")(function* (caller: Caller, uid: AppointmentUid) {
      const appointment = yield* appointments.find(caller, uid)
      const { organisation_uid: owner, slot_group, appointment_type_uid } = appointment
      const session = sql`SELECT a.booking_session_uid FROM appointments a
        WHERE a.organisation_uid = ${owner} AND a.uid = ${slot_group}`
      const found = yield* allOf(
        owner,
        sql`(appointment_uid = ${slot_group} OR door = 'entry' AND subject_uid = (${session})) AND ${notErased(owner)}`
      )
      const seen = caller.actor.kind === "doctor" ? yield* lookedAt(caller, slot_group) : undefined
      const asked = yield* askedFor(owner, slot_group, appointment_type_uid)
      const blocking = (yield* blockingOf(owner, slot_group, asked)).map(({ form_uid }) => form_uid)
      const begun = yield* readable(owner, found, seen)
      const others = asked.flatMap(({ form_uid, form, complete }): ReadonlyArray<ReadForm> => {
        const { version: form_version, title, items } = form
        const isBegun = begun.some((one) => one.door === "intake" && one.form_uid === form_uid)
        const nothing = { answers: {}, files: [], updated_at: null, blocks: false, is_new: false }
        if (isBegun || complete) return []
        return [{ door: "intake", form_uid, form_version, title, items, complete, ...nothing }]
      })
      const isBlocking = ({ door, form_uid }: ReadForm) =>
        door === "intake" && form_uid !== null && blocking.includes(form_uid)
      return [...begun, ...others].map((one) => ({ ...one, blocks: isBlocking(one) }))
    })

    /** What was answered with a request. */
    const ofRequest = (owner: OrganisationUid, request: string) =>
      Effect.flatMap(allOf(owner, sql`door = 'request' AND subject_uid = ${request}`), (found) =>
        readable(owner, found)
      )

    /** A patient's answers, or those of one uid, with what was asked; none of an erased patient. */
    const exchanged = Effect.fn("Responses.exchanged")(function* (
      owner: OrganisationUid,
      of: { readonly uid: string } | { readonly patient_uid: PatientUid }
    ) {
      const which = "uid" in of ? sql`uid = ${of.uid}` : sql`patient_uid = ${of.patient_uid}`
      const found = yield* allOf(owner, sql`${which} AND ${notErased(owner)}`)
      return Arr.zipWith(found, yield* readable(owner, found), ({ uid, patient_uid, updated_at }, form) => ({
        uid,
        patient_uid,
        updated_at,
        form
      }))
    })

    /** Every answer of a patient with its files, for exports. */
    const ofPatient = Effect.fn("Responses.ofPatient")(function* (owner: OrganisationUid, patient: PatientUid) {
      const found = yield* allOf(owner, sql`patient_uid = ${patient}`)
      const exported = (one: Stored) =>
        Effect.map(files.readable(owner, one), (files): typeof PatientForm.Type => ({
          ...one,
          answers: answersOf(one),
          files
        }))
      return yield* Effect.forEach(found, exported)
    })

    // ---- what types ask

    /** Fails with `Invalid` for forms and types that there are not, and conditions that no answer could meet. */
    const ensureAsked = Effect.fn("Responses.ensureAsked")(function* (
      owner: OrganisationUid,
      sent: Readonly<Record<string, unknown>>
    ) {
      const { entry = null, intake = [] } = sent as { entry?: Entry; intake?: Intake } // decoded by these schemas
      const faults: Array<Fault> = []
      const fault = (field: string, message: string) => faults.push({ field, message })
      const formOf = Effect.fnUntraced(function* (uid: FormUid, field: string) {
        const form = yield* Effect.option(forms.get(owner, uid))
        if (Option.isNone(form)) fault(field, "is no form of the organisation")
        return form
      })
      for (const [i, { form_uid }] of intake.entries()) {
        yield* formOf(form_uid, `intake[${i}].form_uid`)
        if (intake.findIndex((one) => one.form_uid === form_uid) < i) fault(`intake[${i}].form_uid`, "is there already")
      }
      const form = entry?.form_uid == null ? Option.none<Form>() : yield* formOf(entry.form_uid, "entry.form_uid")
      const items = Option.match(form, { onNone: () => [], onSome: ({ items }) => flattened(items) })
      const known = new Map<string, ComparableItem>([
        ...items.map((item) => [item.link_id, item] as const),
        ...Object.entries(BUILT_IN).map(([link_id, type]) => [link_id, { type, options: [] }] as const)
      ])
      for (const [i, { when, then, appointment_type_uid }] of (entry?.rules ?? []).entries()) {
        for (const [j, { link_id, operator, answer }] of when.entries()) {
          const at = `entry.rules[${i}].when[${j}]`
          const item = known.get(link_id)
          const wrong = item === undefined ? null : comparableFault(item, operator, answer)
          if (item === undefined) fault(`${at}.link_id`, "must name an item of the form, @known_patient, @age or @zip")
          if (wrong !== null) fault(`${at}.answer`, wrong)
        }
        const field = `entry.rules[${i}].appointment_type_uid`
        if (then !== "type" && appointment_type_uid !== null) fault(field, "is of `type` alone")
        const isKnown =
          then !== "type" ||
          (yield* any(sql`SELECT FROM appointment_types WHERE organisation_uid = ${owner}
            AND uid = ${appointment_type_uid} AND deleted_at IS NULL`))
        if (!isKnown) fault(field, "must be a type of the organisation")
      }
      if (faults.length > 0) return yield* new Invalid({ faults })
    })

    return {
      entryOf,
      entryIn,
      entryState,
      enter,
      beforeTimes,
      ledBy,
      stateOf,
      saveDraft,
      adopt,
      isBegun,
      forget,
      beforeHold,
      intakeOf,
      readIntake,
      answerIntake,
      ensureCorrectable,
      toDo,
      beforeJoin,
      letIn,
      ofAppointment,
      ofRequest,
      ofPatient,
      exchanged,
      ensureAsked,
      judged,
      save
    } as const
  }),
  dependencies: [Forms.Default, FormFiles.Default, BookingSessions.Default, ActionLinks.Default, Appointments.Default]
}) {}
