/**
 * The condition for due reminders as SQL templates, shared by the statements for one organisation (`DueRepo`) and the database functions
 * that find organisations with due reminders. `{owner}` is the organisation of all rows, `{now}` the time.
 */
import { interpolateText } from "../../database/sqlTemplate.ts"

/** Overlap that every tick reads again: longer than any transaction whose commit was not visible yet. */
const OVERLAP_SECONDS = 120
/** Minimum advance of a watermark: updating every watermark each minute would cost by the number of reminders, not by the number due. */
const STEP_SECONDS = 600

const before = "make_interval(mins => r.minutes_before)"

/** Reminders with their watermarks. */
export const marked = `reminders r LEFT JOIN reminder_watermarks w
  ON w.organisation_uid = {owner} AND w.reminder_uid = r.uid AND w.minutes_before = r.minutes_before`

export const inEffect = "r.active AND r.deleted_at IS NULL"

/** Confirmed before the reminder was due; reminder in effect then; due time reached; not started; not published. */
export const isDue = `a.organisation_uid = {owner}
  AND a.appointment_type_uid = r.appointment_type_uid AND a.status = 'confirmed'
  AND a.start_date > greatest({now}, coalesce(w.published_until, '-infinity')
    - make_interval(secs => ${OVERLAP_SECONDS}) + ${before})
  AND a.start_date <= {now} + ${before}
  AND a.confirmed_at < a.start_date - ${before} AND a.start_date >= r.effective_from + ${before}
  AND NOT EXISTS (SELECT 1 FROM published_reminders p WHERE p.organisation_uid = {owner}
    AND p.appointment_uid = a.uid AND p.reminder_uid = r.uid AND p.minutes_before = r.minutes_before)`

const ofAll = (text: string) => interpolateText(text, { owner: "r.organisation_uid", now: "moment" })

/** Body of the function that finds the organisations with due reminders at `moment`. */
export const ownersToRemind = ofAll(`SELECT DISTINCT r.organisation_uid FROM ${marked}
  WHERE ${inEffect} AND EXISTS (SELECT 1 FROM appointments a WHERE ${isDue})`)

/**
 * Body of the function that advances to `moment` the watermarks of reminders with nothing due and unpublished: of `of_owner`, or of all.
 */
export const advanceWatermarks = ofAll(`INSERT INTO reminder_watermarks AS mark
    (organisation_uid, reminder_uid, minutes_before, published_until)
  SELECT r.organisation_uid, r.uid, r.minutes_before, moment FROM ${marked}
  WHERE (of_owner IS NULL OR r.organisation_uid = of_owner) AND ${inEffect}
    AND (w.published_until IS NULL OR w.published_until < moment - make_interval(secs => ${STEP_SECONDS}))
    AND NOT EXISTS (SELECT 1 FROM appointments a WHERE ${isDue})
  ON CONFLICT (organisation_uid, reminder_uid, minutes_before) DO UPDATE
    SET published_until = greatest(mark.published_until, excluded.published_until)`)
