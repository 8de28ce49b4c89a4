/** Issues action links in batches. A code is returned only once: only its hash is stored. */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { ActionLinkUid, type AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { CodeKind, IssuedActionLink, LinkAction } from "../../../schemas/scheduling/ActionLink.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { done } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { timestamp } from "../../database/SqlErrors.ts"
import { hashOf, newCodeOf, newUid } from "../../uid.ts"
import type { StoredAppointment } from "./StoredAppointment.ts"

/** How long a link outlives its appointment, so that a late visitor reads that it is over. Seconds. */
const EXPIRES_AFTER_END_SECONDS = 7 * DAY

/** Links of one action of an appointment that are kept when a page issues another. */
const LINKS_KEPT = 200
/**
 * Replacements of one appointment that its links follow. Each move walks back through all earlier ones: without a limit, a thousand moves
 * would cost a million steps.
 */
export const MOVES_FOLLOWED = 100

export type Linked = Pick<StoredAppointment, "organisation_uid" | "uid" | "end_date">

interface Terms {
  readonly appointment: Linked
  /** Links to the whole page, which shows the action first. Default: each permits its action alone. */
  readonly page?: boolean
  /** When they expire, also after a move, Unix seconds. Default: 7 days after the end of the appointment, or of its replacement. */
  readonly until?: number
}

/** Links for some actions of an appointment. */
interface Wanted extends Terms {
  readonly actions: ReadonlyArray<LinkAction>
}

/** Actions offered to a patient in a message. */
export const offeredActions = (appointment: Pick<StoredAppointment, "allow_patient_rebooking">) =>
  ["join", "cancel", ...(appointment.allow_patient_rebooking ? (["rebook"] as const) : [])] as const

export class LinkIssuer extends Effect.Service<LinkIssuer>()("scheduling/LinkIssuer", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { meetingsUrl } = yield* Settings
    const clock = yield* DomainClock

    const make = Effect.fnUntraced(function* (
      { appointment, page = false, until }: Terms,
      action: LinkAction,
      now: number
    ) {
      const code = yield* newCodeOf("aac", appointment.organisation_uid)
      const expires_at = UnixSeconds.make(until ?? appointment.end_date + EXPIRES_AFTER_END_SECONDS)
      const kind: CodeKind = page ? "page" : action
      const link: IssuedActionLink = { action, code, url: `${meetingsUrl}/appointment/${code}`, expires_at }
      const row = {
        organisation_uid: appointment.organisation_uid,
        uid: yield* newUid(ActionLinkUid),
        appointment_uid: appointment.uid,
        action,
        kind,
        code_hash: hashOf(code),
        created_at: timestamp(now),
        expires_at: timestamp(expires_at),
        fixed_expiry: until !== undefined
      }
      return { link, row }
    })

    /** Links for the requested actions, in the order of `wanted`. */
    const issueAll = Effect.fn("LinkIssuer.issueAll")(function* (wanted: ReadonlyArray<Wanted>) {
      const now = yield* clock.now
      const made = yield* Effect.forEach(wanted, (one) =>
        Effect.forEach(one.actions, (action) => make(one, action, now))
      )
      const rows = made.flat().map(({ row }) => row)
      if (rows.length > 0) yield* sql`INSERT INTO action_links ${sql.insert(rows)}`
      return made.map((some) => some.map(({ link }) => link))
    }, Effect.orDie)

    /** A link that permits its action alone. */
    const issue = Effect.fnUntraced(function* (terms: Omit<Terms, "page">, action: LinkAction) {
      const { link, row } = yield* make(terms, action, yield* clock.now)
      yield* sql`INSERT INTO action_links ${sql.insert(row)}`
      return link
    }, Effect.orDie)

    /** For messages to the patient: each link opens the appointment's page, with its action first. */
    const issuePages = (appointment: Linked, actions: ReadonlyArray<LinkAction>) =>
      Effect.map(issueAll([{ appointment, actions, page: true }]), (made) => made.flat())

    /**
     * As `issue`, for a page that issues one on every request: keeps only the newest links of the action. They expire with the page, at
     * `until`.
     */
    const issueOnPage = Effect.fnUntraced(function* (appointment: Linked, action: LinkAction, until: number) {
      const link = yield* issue({ appointment, until }, action)
      const { organisation_uid, uid } = appointment
      yield* Effect.orDie(sql`DELETE FROM action_links WHERE organisation_uid = ${organisation_uid} AND uid IN (
        SELECT uid FROM action_links WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${uid}
          AND kind = ${action} ORDER BY created_at DESC, uid DESC OFFSET ${LINKS_KEPT})`)
      return link
    })

    /**
     * Extends the links of a moved appointment, and of those that it replaced, to the expiry of the new one's links, since they lead to
     * it; not those that end with the code that issued them. Beyond `MOVES_FOLLOWED` replacements, the oldest links are not extended.
     */
    const extend = (owner: OrganisationUid, uid: AppointmentUid, end_date: number) =>
      sql`UPDATE action_links SET expires_at = greatest(expires_at, to_timestamp(${end_date + EXPIRES_AFTER_END_SECONDS}))
        WHERE organisation_uid = ${owner} AND NOT fixed_expiry AND appointment_uid IN (
          WITH RECURSIVE earlier AS (
            SELECT uid, previous_meeting_uid, 1 AS place FROM appointments WHERE organisation_uid = ${owner} AND uid = ${uid}
            UNION ALL SELECT a.uid, a.previous_meeting_uid, e.place + 1 FROM appointments a
              JOIN earlier e ON a.uid = e.previous_meeting_uid
              WHERE a.organisation_uid = ${owner} AND e.place < ${MOVES_FOLLOWED}::integer)
          SELECT uid FROM earlier)`.pipe(Effect.orDie, Effect.asVoid)

    /** A session that the link opened has moved its appointment. */
    const recordMove = (owner: OrganisationUid, uid: string) =>
      done(sql`UPDATE action_links SET has_moved = true WHERE organisation_uid = ${owner} AND uid = ${uid}`)

    return { issue, issueAll, issuePages, issueOnPage, extend, recordMove } as const
  })
}) {}
