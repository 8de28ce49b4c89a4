/** Links by which a patient joins, moves or cancels one appointment without further credentials (Rule 5.4). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Conflict } from "../../../schemas/conflicts.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { type Invalid, NotFound } from "../../../schemas/problems.ts"
import type { ActionLinkContext, LinkAction } from "../../../schemas/scheduling/ActionLink.ts"
import { transition } from "../../../schemas/scheduling/AppointmentStates.ts"
import { Patients } from "../../access/Patients.ts"
import { DomainClock } from "../../DomainClock.ts"
import { transaction } from "../../transaction.ts"
import { hashOf } from "../../uid.ts"
import { BookingSessions } from "../booking/BookingSessions.ts"
import { joinWindowState, opensAt } from "../joining/joinWindow.ts"
import { Meetings } from "../joining/Meetings.ts"
import { AppointmentChangesRepo } from "./AppointmentChangesRepo.ts"
import { Appointments, type Caller, isCancellable } from "./Appointments.ts"
import type { StoredAppointment } from "./AppointmentsRepo.ts"
import { LinkIssuer } from "./LinkIssuer.ts"
import { Replacements, rebookingFault } from "./Replacements.ts"

const SESSION_SPAN_SECONDS = 31 * 86_400

interface Link {
  readonly organisation_uid: OrganisationUid
  readonly uid: string
  readonly appointment_uid: AppointmentUid
  readonly action: LinkAction
}

/** What has become of an appointment that no longer stands. */
export type AppointmentFate = "moved" | "cancelled" | "over"

const notFound = new NotFound({ what: "Appointment link" })
const callerOf = ({ organisation_uid, uid }: Link): Caller => ({
  organisation_uid,
  actor: { kind: "action_link", uid }
})
/** Behind a link a rule that blocks is a conflict: there is no body whose field could be wrong. */
const asConflict = (error: Invalid) =>
  Effect.fail(new Conflict({ reason: "not_possible_any_more", hint: error.message }))

export class ActionLinks extends Effect.Service<ActionLinks>()("scheduling/ActionLinks", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const links = yield* LinkIssuer
    const appointments = yield* Appointments
    const changes = yield* AppointmentChangesRepo
    const meetings = yield* Meetings
    const sessions = yield* BookingSessions
    const replacements = yield* Replacements
    const patients = yield* Patients

    /** A link for a partner's own mails; 404 when the appointment is not the caller's. */
    const issueFor = Effect.fn("ActionLinks.issueFor")(function* (
      caller: Caller,
      uid: AppointmentUid,
      action: LinkAction
    ) {
      const [issued] = yield* links.issue(yield* appointments.find(caller, uid), [action])
      return issued ?? (yield* Effect.dieMessage("one action, one link"))
    })

    /** The link of a code that still lives; of the action asked for, if one is. Everything else is 404. */
    const resolve = Effect.fnUntraced(function* (code: string, action?: LinkAction) {
      const now = yield* clock.now
      const [link] = yield* sql<Link>`SELECT organisation_uid, uid, appointment_uid, action FROM action_links
        WHERE code_hash = ${hashOf(code)} AND expires_at > to_timestamp(${now})`.pipe(Effect.orDie)
      return link === undefined || (action ?? link.action) !== link.action ? yield* notFound : link
    })

    const isDone = (link: Link, appointment: StoredAppointment) => {
      if (link.action === "cancel") return Effect.succeed(appointment.status === "cancelled")
      return link.action === "rebook"
        ? changes.isReplaced(link.organisation_uid, link.appointment_uid)
        : Effect.succeed(false)
    }

    const load = Effect.fnUntraced(function* (code: string) {
      const link = yield* resolve(code)
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
        appointment_type_name: appointment.appointment_type_name,
        join_window: { state: joinWindowState(appointment, now), opens_at: UnixSeconds.make(opensAt(appointment)) },
        rebook_allowed: allows("rebook") && rebookingFault(appointment, callerOf(link).actor, now) === undefined,
        cancel_allowed: allows("cancel") && isCancellable(appointment, now),
        already_actioned: yield* isDone(link, appointment),
        ...(link.action === "rebook" && {
          doctor_uid: appointment.doctor_uid,
          rebooking_mode: appointment.rebooking_mode
        })
      }
      return shown
    })

    /** What the specification tells of a link. Looking changes nothing. */
    const context = Effect.fn("ActionLinks.context")((code: string) => Effect.flatMap(load(code), contextOf))

    /** The same with what has become of the appointment, which a patient wants to know whatever the link was for. */
    const standing = Effect.fn("ActionLinks.standing")(function* (code: string) {
      const found = yield* load(code)
      const { link, appointment } = found
      const fate: AppointmentFate | null =
        appointment.status === "cancelled"
          ? (yield* changes.isReplaced(link.organisation_uid, link.appointment_uid))
            ? "moved"
            : "cancelled"
          : appointment.status === "completed" || appointment.status === "no_show"
            ? "over"
            : null
      return { ...(yield* contextOf(found)), fate }
    })

    /** Enters the room; as often as its window is open. */
    const join = Effect.fn("ActionLinks.join")(function* (code: string) {
      const link = yield* resolve(code, "join")
      return yield* meetings.join(callerOf(link), link.appointment_uid)
    })

    /** Cancels; 409 the second time, once it is over, or inside the notice. */
    const cancel = Effect.fn("ActionLinks.cancel")(
      function* (code: string, reason: string | null) {
        const link = yield* resolve(code, "cancel")
        return yield* appointments.cancel(callerOf(link), link.appointment_uid, reason)
      },
      Effect.catchTag("Invalid", asConflict)
    )

    const openSession = Effect.fnUntraced(
      function* (link: Link) {
        const now = yield* clock.now
        const caller = callerOf(link)
        const original = yield* appointments.claim(caller, link.appointment_uid, now)
        yield* replacements.ensureMovable(original, caller.actor, now)
        const living = yield* sessions.reopen(link.organisation_uid, link.appointment_uid, caller.actor)
        if (living !== undefined) return living
        return yield* sessions.open({
          mode: "rebooking",
          actor: caller.actor,
          patient: yield* patients.find(link.organisation_uid, original.patient_uid),
          appointment_type_uid: original.appointment_type_uid ?? "",
          replaces_appointment_uid: original.uid,
          return_url: null,
          start_from: now,
          start_to: now + SESSION_SPAN_SECONDS
        })
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /**
     * A session in which another time can be chosen; the same one again until it expires. The appointment stays as it
     * is until the new time is confirmed. 409 when it cannot be moved.
     */
    const rebookSession = Effect.fn("ActionLinks.rebookSession")(
      function* (code: string) {
        return yield* openSession(yield* resolve(code, "rebook"))
      },
      Effect.catchTag("Invalid", asConflict)
    )

    return { issueFor, context, standing, join, cancel, rebookSession } as const
  }),
  dependencies: [
    DomainClock.Default,
    Appointments.Default,
    AppointmentChangesRepo.Default,
    LinkIssuer.Default,
    Meetings.Default,
    BookingSessions.Default,
    Replacements.Default,
    Patients.Default
  ]
}) {}
