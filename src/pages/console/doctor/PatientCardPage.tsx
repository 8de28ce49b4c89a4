import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Submit, useAddress, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { calendarDate, moment } from "../parts/format.ts"
import { type FreeTime, TimeSearch, Times, type Wishes } from "../parts/Times.tsx"
import { addDays, dayIn } from "../zoned.ts"

/** The form of the note: buttons beside it save the note, too, so that no typed text is lost. */
const NOTE_FORM = "note-form"
/** Usual intervals until a follow-up, in weeks. */
const WEEKS = [1, 2, 3, 4, 6, 12]

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
  readonly wishes: Wishes
  readonly now: number
}

/** The patient, the doctor's own note, and the next visit. */
export const PatientCardPage = ({ card, noted, note, types, type, free, wishes, now }: CardProps) => {
  const { doctor: texts, statuses, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const own = `/v1/doctor/appointments/${noted?.uid}`
  const write = `PUT ${own}/note`
  const typed = useFormValues(write)
  const today = dayIn(now, zone)
  const book = "POST /v1/doctor/appointments"
  const followUp = { patient_uid: card.uid, appointment_type_uid: type }
  const bookIn = (start_date: number) => `${book} ${JSON.stringify({ ...followUp, start_date })}`
  const times = (
    <Times
      free={free}
      labelOf={(time) => `${texts.followUpBook}: ${time}`}
      buttonOf={({ start_date }) =>
        noted === null
          ? { name: "start_date", value: String(start_date) }
          : { name: "@then", value: bookIn(start_date), form: NOTE_FORM }
      }
    />
  )
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
            <Do operation={write} class="stack" id={NOTE_FORM} saves>
              <Field
                label={fill(texts.noteOf, { time: moment(language, zone, noted.start_date) })}
                name="note"
                rows={6}
                value={typed("note", note)}
                help={texts.noteHelp}
              />
              <p class="actions">
                <Submit text={frame.save} />
                {noted.status === "confirmed" && now >= noted.start_date ? (
                  <>
                    <button type="submit" class="secondary" name="@then" value={`POST ${own}/complete`}>
                      {texts.saveAndComplete}
                    </button>
                    <button type="submit" class="quiet" name="@then" value={`POST ${own}/no-show`}>
                      {texts.noShow}
                    </button>
                  </>
                ) : null}
              </p>
            </Do>
          </Card>
        )}
        <Card id="follow-up" title={texts.followUp}>
          <nav class="actions" aria-label={texts.inWeeks}>
            {WEEKS.map((weeks) => (
              <a key={weeks} class="quiet" href={address({ day: addDays(today, 7 * weeks) })}>
                {plural(language, texts.weeksAhead, weeks)}
              </a>
            ))}
          </nav>
          <TimeSearch wishes={wishes} hidden={{ appointment: noted?.uid }}>
            <Field label={texts.followUpType} name="type" value={type} options={types} />
          </TimeSearch>
          {noted === null ? (
            <Do operation={book} hidden={followUp} class="stack" label={texts.freeTimes}>
              {times}
            </Do>
          ) : (
            times
          )}
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
