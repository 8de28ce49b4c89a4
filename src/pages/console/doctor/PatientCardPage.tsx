import type { Article } from "../../../schemas/prescriptions/DoctorsPrescription.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Submit, useAddress, useDesk, useIsRefused, useTexts } from "../Desk.tsx"
import { calendarDate, moment } from "../parts/format.ts"
import { type FreeTime, TimeSearch, Times, type Wishes } from "../parts/Times.tsx"
import { addDays, addMonths, dayIn } from "../zoned.ts"

/** The form of the note: buttons beside it save the note, too, so that no typed text is lost. */
const NOTE_FORM = "note-form"
/** Usual intervals until a follow-up, in weeks. */
const WEEKS = [1, 2, 3, 4, 6, 12]

interface CardProps {
  readonly card: {
    readonly uid: string
    readonly display_name: string
    readonly date_of_birth: string | null
    readonly phone: string | null
    readonly email: string | null
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
  /** Whether a time for moving the shown appointment is chosen, instead of one for a follow-up. */
  readonly isMoving: boolean
  /** Articles for a prescription, and the text that they were searched by. */
  readonly articles: ReadonlyArray<Article>
  readonly articleSearch: string
}

/** Usual intervals until a recall, in months. */
const MONTHS = [3, 6, 12]

/** The patient, the doctor's own note, and the next visit. */
export const PatientCardPage = (props: CardProps) => {
  const { card, noted, note, types, type, free, wishes, now, isMoving } = props
  const { doctor: texts, statuses, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const own = `/v1/doctor/appointments/${noted?.uid}`
  const write = `PUT ${own}/note`
  const today = dayIn(now, zone)
  const book = "POST /v1/doctor/appointments"
  const followUp = { patient_uid: card.uid, appointment_type_uid: type }
  const bookIn = (start_date: number) => `${book} ${JSON.stringify({ ...followUp, start_date })}`
  const times = (
    <Times
      free={free}
      labelOf={(time) => (isMoving ? fill(texts.moveTo, { time }) : `${texts.followUpBook}: ${time}`)}
      buttonOf={({ start_date }) =>
        isMoving
          ? { name: "new_start_date", value: String(start_date) }
          : noted === null
            ? { name: "start_date", value: String(start_date) }
            : { name: "@then", value: bookIn(start_date), form: NOTE_FORM }
      }
    />
  )
  return (
    <>
      <PageHead title={card.display_name}>
        <span class="help">
          {[
            card.date_of_birth === null ? null : fill(texts.born, { date: calendarDate(language, card.date_of_birth) }),
            card.phone,
            card.email
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
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
                value={note ?? undefined}
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
            {noted.status === "confirmed" && now < noted.start_date ? <OwnActs {...props} noted={noted} /> : null}
          </Card>
        )}
        <Card id="follow-up" title={isMoving ? texts.move : texts.followUp}>
          <nav class="actions" aria-label={texts.inWeeks}>
            {WEEKS.map((weeks) => (
              <a key={weeks} class="quiet" href={address({ day: addDays(today, 7 * weeks) })}>
                {plural(language, texts.weeksAhead, weeks)}
              </a>
            ))}
          </nav>
          <TimeSearch wishes={wishes} hidden={{ appointment: noted?.uid, move: isMoving ? "true" : undefined }}>
            {isMoving ? null : <Field label={texts.followUpType} name="type" value={type} options={types} />}
          </TimeSearch>
          {isMoving ? (
            <>
              <Do operation={`POST ${own}/move`} class="stack" back={address({ move: null })}>
                {times}
              </Do>
              <a class="quiet" href={address({ move: null })}>
                {texts.dontMove}
              </a>
            </>
          ) : noted === null ? (
            <Do operation={book} hidden={followUp} class="stack" label={texts.freeTimes}>
              {times}
            </Do>
          ) : (
            times
          )}
        </Card>
        <Card id="recall" title={texts.recall}>
          <p class="help">{texts.recallHelp}</p>
          <Do
            operation="POST /v1/doctor/recalls"
            hidden={{ patient_uid: card.uid, appointment_type_uid: type }}
            class="actions"
          >
            {MONTHS.map((months) => {
              const when = plural(language, texts.months, months)
              return (
                <button
                  key={months}
                  type="submit"
                  class="secondary"
                  name="due_date"
                  value={addMonths(today, months)}
                  aria-label={fill(texts.recallIn, { when })}
                >
                  {when}
                </button>
              )
            })}
          </Do>
        </Card>
        <Prescribing {...props} />
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

/** An own appointment to come is moved or cancelled, with a question. */
const OwnActs = ({ noted }: CardProps & { readonly noted: Appointment }) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const cancel = `POST /v1/doctor/appointments/${noted.uid}/cancel`
  const time = moment(language, zone, noted.start_date)
  return (
    <>
      <p class="actions">
        <a class="secondary" href={`${address({ appointment: noted.uid, move: "true" })}#follow-up`}>
          {texts.move}
        </a>
      </p>
      <details open={useIsRefused(cancel)}>
        <summary>{`${texts.cancel} …`}</summary>
        <Do operation={cancel} class="stack">
          <p>{fill(texts.cancelQuestion, { who: noted.patient_display_name, time })}</p>
          <Field label={texts.cancelReason} name="reason" required />
          <Submit text={texts.cancel} look="primary danger" />
        </Do>
      </details>
    </>
  )
}

/** A prescription from the list of articles, which then waits for the signature. */
const Prescribing = ({ card, noted, articles, articleSearch }: CardProps) => {
  const { doctor: texts, frame } = useTexts()
  const { address } = useDesk()
  const write = "POST /v1/doctor/prescriptions"
  return (
    <Card id="prescribe" title={texts.prescribe}>
      <search>
        <form class="press" action={`${address.split("?")[0]}#prescribe`}>
          {noted === null ? null : <input type="hidden" name="appointment" value={noted.uid} />}
          <Field label={texts.findArticle} name="article" type="search" value={articleSearch} />
          <Submit text={frame.search} look="secondary" />
        </form>
      </search>
      {articles.length === 0 ? (
        <p class="help">{texts.noArticles}</p>
      ) : (
        <Do operation={write} hidden={{ patient_uid: card.uid }} back="/console/doctor/prescriptions" class="stack">
          <Field
            label={texts.article}
            name="items.0.sku_uid"
            options={articles.map(({ sku_uid, name, pzn }) => [sku_uid, [name, pzn].filter(Boolean).join(" · ")])}
          />
          <div class="entries">
            <Field label={texts.packs} name="items.0.quantity" type="number" value={1} min={1} required />
            <Field label={texts.dosage} name="items.0.dosage" />
          </div>
          <Submit text={texts.writePrescription} look="secondary" />
        </Do>
      )}
    </Card>
  )
}
