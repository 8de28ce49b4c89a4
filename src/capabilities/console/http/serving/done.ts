/** What a form did, for the page after it: which act, on which appointment, and what is sent about it. Rule 17.2.13. */
import { Effect, Option } from "effect"
import { AppointmentUid } from "../../../../schemas/ids.ts"
import { isReopenable } from "../../../../schemas/scheduling/AppointmentStates.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import type { Done } from "../../pages/notices.tsx"
import type { Visitor } from "./visitor.ts"

/** Messages of the patient among which those of the act are, and how old these can be. */
const MESSAGES_READ = 20
const RECENT_SECONDS = 2 * MINUTE

const APPOINTMENT = /apt_[\w-]{1,100}/
/** Acts that a patient is told of by a message, if the practice sends any. */
const TOLD = /\.(book|rebook|move|follow_up|cancel|bulk_cancel)$/

/** Acts that can be taken back. */
const ENDED = /\.(complete|no_show)$/

/** The uid of the appointment that the answer or the operation names; empty without one. */
export const appointmentOf = (answer: unknown, target: string): string => {
  const { appointment_uid, uid } = Object(answer) as Readonly<Record<string, unknown>> // of any answer
  const named = [appointment_uid, uid, target].map((one) => APPOINTMENT.exec(String(one ?? ""))?.[0])
  return named.find((one) => one !== undefined) ?? ""
}

/** What the patient of an appointment is sent about the act; null where the visitor may not know. */
const messagesOn = Effect.fnUntraced(function* (
  { api, consoleApi, now }: Pick<Visitor, "api" | "consoleApi" | "now">,
  { uid, patient_uid }: NonNullable<Done["appointment"]>
) {
  const { data } = yield* consoleApi["management.reports"].messages({
    urlParams: { page: 0, limit: MESSAGES_READ, patient_uid }
  })
  const { profile } = yield* api["organisation.patients"].one({ path: { patient_uid } })
  const addressed = { email: Boolean(profile.email), sms: Boolean(profile.phone) }
  const sent = data.filter(
    (one) => one.appointment_uid === uid && one.created_at > now - RECENT_SECONDS && addressed[one.channel]
  )
  return { sent, isReachable: addressed.email }
}, Effect.option)

/** The act that the query names, `1` for a page's own; null without one. */
export const doneIn = Effect.fnUntraced(function* (
  { api, consoleApi, now }: Pick<Visitor, "api" | "consoleApi" | "now">,
  isDoctor: boolean,
  action: string | null,
  uid: string | null
) {
  if (action === null) return null
  const bare: Done = { action, appointment: null, messages: null, reopen: null }
  if (uid === null || !APPOINTMENT.test(uid)) return bare
  const appointment_uid = AppointmentUid.make(uid, true)
  const found = yield* Effect.option(
    isDoctor
      ? api.doctor.appointment({ path: { appointment_uid } })
      : api["management.appointments"].one({ path: { appointment_uid } })
  )
  if (Option.isNone(found)) return bare
  const messages =
    isDoctor || !TOLD.test(action) ? Option.none() : yield* messagesOn({ api, consoleApi, now }, found.value)
  const path = isDoctor ? "/v1/doctor/appointments" : "/v1/management/scheduling/appointments"
  const reopen = ENDED.test(action) && isReopenable(found.value, now) ? `POST ${path}/${appointment_uid}/reopen` : null
  return { ...bare, appointment: found.value, messages: Option.getOrNull(messages), reopen }
})
