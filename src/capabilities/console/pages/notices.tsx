import { byWord } from "../../../schemas/byWord.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { noticeName } from "../../../texts/notices.ts"
import { Press, type Problem, useDesk } from "../../shared/pages/Desk.tsx"
import { moment } from "../../shared/pages/format.ts"
import { RecordLink } from "../../shared/pages/rows.tsx"
import type { SentMessage } from "../schemas/SentMessage.ts"
import { useTexts } from "./useTexts.ts"

/** Why a form was rejected; screen readers read it first. Fields are named as the form names them. */
export const ProblemNotice = ({ problem }: { readonly problem: Problem }) => {
  const { labels, reasonOf } = useDesk()
  return (
    <div class="notice warn" role="alert" tabindex={-1}>
      <strong>{reasonOf(problem.code)}</strong>
      {problem.faults.length === 0 ? null : (
        <ul>
          {problem.faults.map(({ field, text }) => {
            const label = labels.get(field)
            return <li key={`${field} ${text}`}>{label === undefined ? text : `${label}: ${text}`}</li>
          })}
        </ul>
      )}
    </div>
  )
}

/** A secret that only this response contains. */
export const ShownOnce = ({ value }: { readonly value: string }) => {
  const { frame } = useTexts()
  return (
    <div class="notice" role="status">
      <strong>{frame.shownOnce}</strong>
      <output class="code" tabindex={0}>
        {value}
      </output>
    </div>
  )
}

/** What a form did. */
export interface Done {
  /** Group and name of the operation; `1`: of a page's own act only that it was done. */
  readonly action: string
  readonly appointment: Appointment | null
  /** The operation that takes it back; null: none. */
  readonly reopen: string | null
  /** What the patient is sent about it, and whether there is any address; null where the reader may not know. */
  readonly messages: { readonly sent: ReadonlyArray<SentMessage>; readonly isReachable: boolean } | null
}

const WithAppointment = ({ appointment, messages }: Done & { readonly appointment: Appointment }) => {
  const { frame, practice: texts } = useTexts()
  const { language, zone } = useDesk()
  const { uid, start_date, doctor_display_name, patient_display_name } = appointment
  const who = [moment(language, zone, start_date), doctor_display_name, patient_display_name].join(" · ")
  return (
    <>
      {": "}
      {messages === null ? who : <RecordLink of="appointments" uid={uid} text={who} />}
      {messages === null ? null : messages.sent.length > 0 ? (
        messages.sent.map((one) => (
          <span key={one.uid}>
            {` ${noticeName(one.kind, language)} ${one.channel === "email" ? texts.byMail : texts.bySms}: ${texts.messageStatuses[one.status]}.`}
          </span>
        ))
      ) : (
        <>
          <strong>{` ${messages.isReachable ? frame.nothingSent : frame.unreachable}`}</strong>
          {messages.isReachable ? null : (
            <>
              {" "}
              <a href="/console/practice/calls">{texts.calls.title}</a>
            </>
          )}
        </>
      )}
    </>
  )
}

/** What was done, with whom and when, and what the patient is told of it: to be read back to a caller. */
export const DoneNotice = (done: Done) => {
  const { frame, calendar } = useTexts()
  const text = byWord<string>({ ...useDesk().names.actions, ...frame.did })[done.action]
  return (
    <div class="notice" role="status" data-done>
      {text === undefined ? frame.done : `${text.charAt(0).toUpperCase()}${text.slice(1)}`}
      {done.appointment === null ? (
        text === undefined ? null : (
          "."
        )
      ) : (
        <WithAppointment {...done} appointment={done.appointment} />
      )}
      {done.reopen === null ? null : <Press operation={done.reopen} text={calendar.undo} />}
    </div>
  )
}
