import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../texts/fill.ts"
import { clockTime, longDay } from "../../time.ts"
import { Card, Do, Field, PageHead, Press, Submit, useAddress, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { calendarDate, moment } from "../parts/format.ts"
import type { FreeTime } from "../practice/CalendarPage.tsx"

interface CardProps {
  readonly card: {
    readonly uid: string
    readonly display_name: string
    readonly date_of_birth: string | null
    readonly visits: ReadonlyArray<Appointment>
  }
  /** The appointment whose note is shown; null if the doctor has none with this patient. */
  readonly noted: Appointment | null
  readonly note: string | null
  readonly types: ReadonlyArray<readonly [uid: string, name: string]>
  readonly type: string
  readonly free: ReadonlyArray<FreeTime>
  readonly now: number
}

/** The patient, the doctor's own note, and the next visit. */
export const PatientCardPage = ({ card, noted, note, types, type, free, now }: CardProps) => {
  const { doctor: texts, statuses, frame, practice } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const own = `/v1/doctor/appointments/${noted?.uid}`
  const write = `PUT ${own}/note`
  const typed = useFormValues(write)
  const at = (seconds: number) => `${longDay(language, zone, seconds)}, ${clockTime(language, zone, seconds)}`
  return (
    <>
      <PageHead title={card.display_name}>
        {card.date_of_birth === null ? null : (
          <span class="help">{fill(texts.born, { date: calendarDate(language, card.date_of_birth) })}</span>
        )}
      </PageHead>
      <div class="board">
        {noted === null ? null : (
          <Card id="note" title={texts.note}>
            {noted.visit_reason === null ? null : <p>{`${texts.reason}: ${noted.visit_reason}`}</p>}
            {noted.status === "confirmed" && now >= noted.start_date ? (
              <p class="actions">
                <Press operation={`POST ${own}/complete`} text={texts.complete} look="primary" />
                <Press operation={`POST ${own}/no-show`} text={texts.noShow} look="quiet" />
              </p>
            ) : null}
            <Do operation={write} class="stack">
              <Field
                label={fill(texts.noteOf, { time: moment(language, zone, noted.start_date) })}
                name="note"
                rows={6}
                value={typed("note", note)}
                help={texts.noteHelp}
              />
              <Submit text={frame.save} />
            </Do>
          </Card>
        )}
        <Card id="follow-up" title={texts.followUp}>
          <form class="press">
            {noted === null ? null : <input type="hidden" name="appointment" value={noted.uid} />}
            <Field label={texts.followUpType} name="type" value={type} options={types} />
            <Submit text={practice.apply} look="secondary" />
          </form>
          {free.length === 0 ? <p class="help">{texts.noFreeTimes}</p> : null}
          <Do
            operation="POST /v1/doctor/appointments"
            hidden={{ patient_uid: card.uid, appointment_type_uid: type }}
            class="stack"
            label={texts.freeTimes}
          >
            {free.map(({ start_date }) => (
              <button key={start_date} type="submit" class="secondary" name="start_date" value={start_date}>
                {`${texts.followUpBook}: ${at(start_date)}`}
              </button>
            ))}
          </Do>
        </Card>
        <Card id="visits" title={texts.visits}>
          <ul class="rows">
            {[...card.visits].reverse().map((one) => (
              <li key={one.uid}>
                <a href={address({ appointment: one.uid })}>{moment(language, zone, one.start_date)}</a>
                <span class="grow">{[one.doctor_display_name, one.visit_reason].filter(Boolean).join(" · ")}</span>
                <span class="badge">{statuses[one.status]}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}
