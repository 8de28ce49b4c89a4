/** Codes with which a patient acts on one appointment without further credentials (Rule 5.4). `codePowers` states what each kind permits. */
import { Effect, Option, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { ActionLinkUid, AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import {
  type ActionLinkContext,
  CodeKind,
  type CodePowerName,
  LinkAction,
  permits
} from "../../../schemas/scheduling/ActionLink.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import { meetingTypeNames } from "../../../schemas/scheduling/AppointmentType.ts"
import {
  ActionLinkNotFound,
  ActionNotPossible,
  type CancellationTooLate,
  type RebookingBlocked
} from "../../../schemas/scheduling/errors.ts"
import { joinWindowState, opensAt } from "../../../schemas/scheduling/joinWindow.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { Patients } from "../../patients/Patients.ts"
import { Service } from "../../Service.ts"
import { OwnerByKey, tagKey } from "../../tenancy/OwnerByKey.ts"
import { enter } from "../../tenancy/Tenancy.ts"
import { hashOf } from "../../uid.ts"
import { BookingSessions } from "../booking/BookingSessions.ts"
import { Meetings } from "../joining/Meetings.ts"
import { Appointments, type Caller, isCancellable } from "./Appointments.ts"
import { LinkIssuer, MOVES_FOLLOWED } from "./LinkIssuer.ts"
import { Replacements, rebookingBlock } from "./Replacements.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

const Link = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: ActionLinkUid,
  /** The newest one: the code acts on the replacement of a moved appointment. */
  appointment_uid: AppointmentUid,
  action: LinkAction,
  kind: CodeKind,
  /** Whether a session that it opened has moved the appointment. */
  has_moved: Schema.Boolean,
  /** Whether the appointment was moved since the code was issued, by whatever way. */
  is_followed: Schema.Boolean
})
export type Link = typeof Link.Type

/** A link moves its appointment to a time at most so long after it, or after now if that is later. Seconds. */
const MOVED_WITHIN = 90 * DAY

export const callerOf = ({ organisation_uid, uid }: Link): Caller => ({
  organisation_uid,
  actor: { kind: "action_link", uid }
})

/** A link's request has no field that could be invalid, so a rule that blocks the action maps to `ActionNotPossible`. */
export const asNotPossible = ({ message }: CancellationTooLate | RebookingBlocked) =>
  new ActionNotPossible({ reason: message })

export class ActionLinks extends Service<ActionLinks>()("scheduling/ActionLinks", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const owners = yield* OwnerByKey
    const clock = yield* DomainClock
    const links = yield* LinkIssuer
    const appointments = yield* Appointments
    const meetings = yield* Meetings
    const sessions = yield* BookingSessions
    const replacements = yield* Replacements
    const patients = yield* Patients
    const stored = rowsOf(Link)

    /** A link for a partner's own mails. Fails with `AppointmentNotFound`. */
    const issueFor = Effect.fn("ActionLinks.issueFor")(function* (
      caller: Caller,
      uid: AppointmentUid,
      action: LinkAction
    ) {
      return yield* links.issue({ appointment: yield* appointments.find(caller, uid) }, action)
    })

    /** The end of the chain of replacements that starts at the link's appointment, at most 100 long. */
    const newest = (owner: OrganisationUid) => sql`(WITH RECURSIVE chain AS (
        SELECT l.appointment_uid AS uid, 0 AS place
        UNION ALL SELECT a.uid, chain.place + 1 FROM appointments a JOIN chain ON a.previous_meeting_uid = chain.uid
          WHERE a.organisation_uid = ${owner} AND chain.place < ${MOVES_FOLLOWED}::integer)
      SELECT uid FROM chain ORDER BY place DESC LIMIT 1)`

    /** The link of a live code that permits `power`, to the newest appointment. Fails with `ActionLinkNotFound`. */
    const resolve = Effect.fnUntraced(function* (code: string, power: CodePowerName) {
      const now = yield* clock.now
      const unknown = () => new ActionLinkNotFound()
      const link = yield* owners.within(tagKey(code), unknown, (owner) =>
        stored.firstOr(
          sql`SELECT l.organisation_uid, l.uid, newest.uid AS appointment_uid, action, kind, has_moved, newest.uid <> appointment_uid AS is_followed
            FROM action_links l CROSS JOIN LATERAL ${newest(owner)} newest
            WHERE organisation_uid = ${owner} AND code_hash = ${hashOf(code)} AND expires_at > to_timestamp(${now})`,
          unknown
        )
      )
      yield* enter(callerOf(link))
      return permits(link.kind, power) ? link : yield* unknown()
    })

    const isDone = ({ action, has_moved }: Link, { status }: StoredAppointment) =>
      action === "cancel" ? status === "cancelled" : action === "rebook" && has_moved

    const load = Effect.fnUntraced(function* (code: string) {
      const link = yield* resolve(code, "read")
      return { link, appointment: yield* appointments.find(callerOf(link), link.appointment_uid) }
    })

    const contextOf = Effect.fnUntraced(function* ({
      link,
      appointment
    }: Effect.Effect.Success<ReturnType<typeof load>>) {
      const now = yield* clock.now
      const allows = (trigger: "cancel" | "rebook") => transition(appointment.status, trigger) !== "refused"
      const shown: ActionLinkContext = {
        action: link.action,
        appointment_start: appointment.start_date,
        appointment_end: appointment.end_date,
        doctor_display_name: appointment.doctor_display_name,
        appointment_type_name: appointment.appointment_type_name ?? meetingTypeNames[appointment.meeting_type],
        join_window: { state: joinWindowState(appointment, now), opens_at: UnixSeconds.make(opensAt(appointment)) },
        rebook_allowed:
          allows("rebook") &&
          appointment.type_bookable &&
          Option.isNone(rebookingBlock(appointment, callerOf(link).actor, now)),
        cancel_allowed: allows("cancel") && isCancellable(appointment, now),
        already_actioned: isDone(link, appointment),
        ...(link.action === "rebook" && {
          doctor_uid: appointment.doctor_uid,
          rebooking_mode: appointment.rebooking_mode
        })
      }
      return shown
    })

    /** The link's purpose and the actions still possible (Rule 5.4.5). Read-only. */
    const context = Effect.fn("ActionLinks.context")((code: string) => Effect.flatMap(load(code), contextOf))

    /** A join token, any number of times while the window is open. Fails as `Meetings.join`. */
    const join = Effect.fn("ActionLinks.join")(function* (code: string) {
      const link = yield* resolve(code, "join")
      return yield* meetings.join(callerOf(link), link.appointment_uid)
    })

    /** As `Appointments.cancel`; fails with `ActionNotPossible` inside the notice. */
    const cancel = Effect.fn("ActionLinks.cancel")(
      function* (code: string, reason: string | null) {
        const link = yield* resolve(code, "cancel")
        return yield* appointments.cancel(callerOf(link), link.appointment_uid, reason)
      },
      Effect.catchTag("CancellationTooLate", asNotPossible)
    )

    const openSession = Effect.fnUntraced(function* (link: Link) {
      const now = yield* clock.now
      const caller = callerOf(link)
      const original = yield* appointments.lock(caller, link.appointment_uid, now)
      yield* replacements.ensureMovable(original, caller.actor, now)
      const { appointment_type_uid, type_bookable } = original
      if (appointment_type_uid === null || !type_bookable)
        return yield* new ActionNotPossible({ reason: "The appointment's type can no longer be booked" })
      const existing = yield* sessions.reopen(link.organisation_uid, link.appointment_uid, caller.actor)
      if (Option.isSome(existing)) return existing.value
      return yield* sessions.open({
        mode: "rebooking",
        actor: caller.actor,
        patient: yield* patients.find(link.organisation_uid, original.patient_uid),
        appointment_type_uid,
        replaces_appointment_uid: original.uid,
        return_url: null,
        link_kind: link.kind,
        start_from: now,
        start_to: Math.max(now, original.start_date) + MOVED_WITHIN
      })
    }, transaction)

    /**
     * A session in which another time can be chosen; repeated calls return the same session until it expires. The appointment is
     * unchanged until the new time is confirmed. Fails with `ActionLinkNotFound`, `AppointmentNotConfirmed`, `ActionNotPossible`.
     */
    const rebookSession = Effect.fn("ActionLinks.rebookSession")(
      function* (code: string) {
        return yield* openSession(yield* resolve(code, "rebook"))
      },
      Effect.catchTag("RebookingBlocked", asNotPossible)
    )

    return { issueFor, resolve, context, contextOf, openSession, join, cancel, rebookSession } as const
  }),
  dependencies: [
    OwnerByKey.Default,
    Appointments.Default,
    LinkIssuer.Default,
    Meetings.Default,
    BookingSessions.Default,
    Replacements.Default,
    Patients.Default
  ]
}) {}
