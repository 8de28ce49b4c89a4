import type { ComponentChildren } from "preact"
import type { Article } from "../../../../schemas/prescriptions/Article.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { isReopenable } from "../../../../schemas/scheduling/AppointmentStates.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import {
  Added,
  Card,
  Do,
  Field,
  Hidden,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk,
  useIsRefused
} from "../../../shared/pages/Desk.tsx"
import { birthDate, calendarDate, countryName, languageName, moment } from "../../../shared/pages/format.ts"
import { type Choices, Subject, useMoment } from "../../../shared/pages/rows.tsx"
import { addDays, dayIn } from "../../../shared/pages/zoned.ts"
import type { PatientCard } from "../../schemas/DoctorDay.ts"
import { type FreeTime, TimeSearch, Times, useOverlaps, type Wishes } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"

/** The form of the note: buttons beside it save the note, too, so that no typed text is lost. */
const NOTE_FORM = "note-form"
/** Usual intervals until a follow-up, in weeks. */
export const WEEKS = [1, 2, 3, 4, 6, 12]

interface CardProps {
  readonly card: PatientCard
  /** The appointment whose note is shown; null if the doctor has none with this patient. */
  readonly noted: Appointment | null
  readonly note: string | null
  readonly types: Choices
  readonly type: string
  readonly free: ReadonlyArray<FreeTime>
  /** The first free time in so many weeks; without those that have none. */
  readonly soonest: ReadonlyArray<readonly [weeks: number, time: FreeTime]>
  readonly wishes: Wishes
  readonly now: number
  /** Whether the question is open that marks the shown appointment as completed. */
  readonly completes: boolean
  /** Whether a time for moving the shown appointment is chosen, instead of one for a follow-up. */
  readonly isMoving: boolean
  /** Articles for a prescription, and the text that they were searched by. */
  readonly articles: ReadonlyArray<Article>
  readonly articleSearch: string
  /** What capabilities have on the card. */
  readonly added: ComponentChildren
}

/** The patient, the doctor's own note, and the next visit. */
export const PatientCardPage = (props: CardProps) => {
  const { card, noted, note, types, type, free, wishes, now, isMoving, completes, added } = props
  const { doctor: texts, statuses, frame, calendar } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  const own = `/v1/doctor/appointments/${noted?.uid}`
  const write = `PUT ${own}/note`
  const today = dayIn(now, zone)
  const book = "POST /v1/doctor/appointments"
  const followUp = { patient_uid: card.uid, appointment_type_uid: type }
  const question = (text: string) =>
    fill(text, { who: card.display_name, time: moment(language, zone, noted?.start_date ?? now) })
  const bookIn = (start_date: number) => `${book} ${JSON.stringify({ ...followUp, start_date })}`
  const isOther = ({ uid, status }: Appointment) => status === "confirmed" && !(isMoving && uid === noted?.uid)
  const warningOf = useOverlaps(card.visits.filter(isOther))
  const when = useMoment()
  const labelOf = (time: string) => (isMoving ? fill(texts.moveTo, { time }) : `${texts.followUpBook}: ${time}`)
  const buttonOf = ({ start_date }: FreeTime) =>
    isMoving
      ? { name: "new_start_date", value: String(start_date) }
      : noted === null
        ? { name: "start_date", value: String(start_date) }
        : { name: "@then", value: bookIn(start_date), form: NOTE_FORM }
  const first = new Map(props.soonest)
  const soonest = (
    <ul class="soonest" aria-label={texts.inWeeks}>
      {WEEKS.map((weeks) => {
        const time = first.get(weeks)
        const warning = time === undefined ? null : warningOf(time)
        return (
          <li key={weeks}>
            <a href={address({ day: addDays(today, 7 * weeks) })}>{plural(language, texts.weeksAhead, weeks)}</a>
            {warning === null ? null : <span class="badge warn">{warning}</span>}
            {time === undefined ? null : (
              <button
                type="submit"
                class="secondary"
                aria-label={[labelOf(when(time.start_date)), warning && `(${warning})`].filter(Boolean).join(" ")}
                {...buttonOf(time)}
              >
                {when(time.start_date)}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
  const times = <Times free={free} wished={wishes} warningOf={warningOf} labelOf={labelOf} buttonOf={buttonOf} />
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
        <div class="column">
          {noted === null ? null : (
            <Card id="note" title={texts.note}>
              {noted.visit_reason === null ? null : <p>{`${texts.reason}: ${noted.visit_reason}`}</p>}
              <Do operation={write} id={NOTE_FORM} saves={texts.noteSaved}>
                <Field
                  label={fill(texts.noteOf, { time: moment(language, zone, noted.start_date) })}
                  name="note"
                  rows={6}
                  value={note}
                  help={texts.noteHelp}
                />
                <p class="actions">
                  <Submit text={frame.save} />
                </p>
                {noted.status === "confirmed" && now >= noted.start_date ? (
                  <>
                    <details open={completes}>
                      <summary>{`${texts.complete} …`}</summary>
                      <div class="stack">
                        <p>{question(calendar.completeQuestion)}</p>
                        <button type="submit" class="primary danger" name="@then" value={`POST ${own}/complete`}>
                          {texts.saveAndComplete}
                        </button>
                      </div>
                    </details>
                    <details>
                      <summary>{`${texts.noShow} …`}</summary>
                      <div class="stack">
                        <p>{question(calendar.noShowQuestion)}</p>
                        <button type="submit" class="primary danger" name="@then" value={`POST ${own}/no-show`}>
                          {texts.noShow}
                        </button>
                      </div>
                    </details>
                  </>
                ) : null}
              </Do>
              {isReopenable(noted, now) ? <Press operation={`POST ${own}/reopen`} text={calendar.undo} /> : null}
              {noted.status === "confirmed" && now < noted.start_date ? <OwnActs {...props} noted={noted} /> : null}
            </Card>
          )}
          {added}
          <Person {...props} />
        </div>
        <div class="column">
          <Card id="follow-up" title={isMoving ? texts.move : texts.followUp}>
            {isMoving || noted !== null ? (
              soonest
            ) : (
              <Do operation={book} hidden={followUp} label={texts.inWeeks}>
                {soonest}
              </Do>
            )}
            <TimeSearch wishes={wishes} hidden={{ appointment: noted?.uid, move: isMoving ? "true" : undefined }}>
              {isMoving ? null : <Field label={texts.followUpType} name="type" value={type} options={types} />}
            </TimeSearch>
            {isMoving ? (
              <>
                <Do operation={`POST ${own}/move`} back={address({ move: null })}>
                  {times}
                </Do>
                <a class="quiet" href={address({ move: null })}>
                  {texts.dontMove}
                </a>
              </>
            ) : noted === null ? (
              <Do operation={book} hidden={followUp} label={texts.freeTimes}>
                {times}
              </Do>
            ) : (
              times
            )}
          </Card>
          <Added at="ownPatient" patient_uid={card.uid} appointment_type_uid={type} today={today} />
        </div>
        <div class="column">
          <Prescribed {...props} />
          <Prescribing {...props} />
          <Card id="visits" title={texts.visits} folds>
            <ul class="rows">
              {[...card.visits].reverse().map((one) => (
                <li key={one.uid}>
                  <Subject below={[[one.doctor_display_name, one.visit_reason].filter(Boolean).join(" · ")]}>
                    {one.doctor_uid === noted?.doctor_uid ? (
                      <a href={address({ appointment: one.uid, complete: null })}>
                        {moment(language, zone, one.start_date)}
                      </a>
                    ) : (
                      moment(language, zone, one.start_date)
                    )}
                    {` · ${statuses[one.status]}`}
                  </Subject>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </>
  )
}

/** Values of the partner's own profile fields as text. */
const useValueText = () => {
  const { frame } = useTexts()
  const textOf = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(", ")
    if (typeof value === "boolean") return value ? frame.yes : frame.no
    if (typeof value !== "object" || value === null) return String(value ?? "")
    return Object.entries(value)
      .map(([name, one]) => `${labelOf(name)}: ${textOf(one)}`)
      .join("; ")
  }
  return textOf
}
/** `insurance_number` as `Insurance number`: the partner's own fields have no other name. */
const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ")

/** What is known of the patient: contact data, and what the patient or the partner stated beside. */
const Person = ({ card }: CardProps) => {
  const { doctor: texts, frame, practice } = useTexts()
  const { language } = useDesk()
  const textOf = useValueText()
  const { first_name, last_name, date_of_birth, phone, email, gender, street, zip, city, country_code, ...rest } =
    card.profile
  const { language: spoken, insurance_kind, insurance_number, insurance_carrier, ...own } = rest
  const { insurance } = practice
  const kind = insurance.kinds[insurance_kind as keyof typeof insurance.kinds] // one of the three
  const known = [
    [texts.birthDate, date_of_birth ? birthDate(language, date_of_birth) : null],
    [texts.gender, texts.genders[gender as keyof typeof texts.genders]], // one of the three
    [texts.phone, phone ? <a href={`tel:${phone}`}>{phone}</a> : null],
    [texts.email, email ? <a href={`mailto:${email}`}>{email}</a> : null],
    [
      texts.address,
      [street, [zip, city].filter(Boolean).join(" "), country_code ? countryName(language, country_code) : null]
        .filter(Boolean)
        .join(", ") || null
    ],
    [insurance.title, [kind, insurance_carrier, insurance_number].filter(Boolean).join(" · ") || null],
    [frame.language, spoken ? languageName(language, spoken) : null]
  ] as const
  const answers = [
    ...Object.entries(own).map(([name, value]) => [labelOf(name), textOf(value)] as const),
    ...card.prescriptions.flatMap(({ items }) =>
      items.flatMap(({ anamnesis_uid, article, sku_uid }) =>
        anamnesis_uid === null ? [] : [[`${texts.questionnaire}: ${article ?? sku_uid}`, anamnesis_uid] as const]
      )
    )
  ].filter(([, text]) => text !== "")
  return (
    <>
      <Card id="person" title={texts.person} folds>
        <Facts of={known} />
      </Card>
      <Card id="answers" title={texts.answers} folds>
        {answers.length === 0 ? <p class="help">{texts.noAnswers}</p> : <Facts of={answers} />}
      </Card>
    </>
  )
}

/** Names with their values; without those that are unknown. */
const Facts = ({ of }: { readonly of: ReadonlyArray<readonly [name: string, value: ComponentChildren]> }) => (
  <dl class="facts">
    {of.map(([name, value]) =>
      value === null || value === undefined ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )
    )}
  </dl>
)

/** The patient's prescriptions, by whichever doctor. */
const Prescribed = ({ card }: CardProps) => {
  const { doctor: texts, practice } = useTexts()
  const { language } = useDesk()
  return (
    <Card id="prescribed" title={texts.prescribed} folds>
      <Rows of={card.prescriptions} empty={{ what: "prescribed", to: "#prescribe" }}>
        {(one) => (
          <li key={one.uid}>
            <time>{calendarDate(language, one.created_at)}</time>
            <span class="grow">
              {one.items.map(({ uid, quantity, article, sku_uid, dosage }) => (
                <span key={uid}>
                  {`${fill(texts.quantity, { n: String(quantity) })} ${[article ?? sku_uid, dosage].filter(Boolean).join(" · ")}`}
                  <br />
                </span>
              ))}
              {one.doctor === null ? null : <span class="help">{one.doctor.display_name}</span>}
            </span>
            {one.status === "waiting_for_doctor" ? (
              <a href="/console/doctor/prescriptions">{texts.toSign}</a>
            ) : (
              <span class="badge">{practice.prescriptionStatuses[one.status]}</span>
            )}
          </li>
        )}
      </Rows>
    </Card>
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
        <Do operation={cancel}>
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
    <Card id="prescribe" title={texts.prescribe} folds>
      <search>
        <form class="press" action={`${address.split("?")[0]}#prescribe`}>
          <Hidden fields={{ appointment: noted?.uid }} />
          <Field label={texts.findArticle} name="article" type="search" value={articleSearch} />
          <Submit text={frame.search} look="secondary" />
        </form>
      </search>
      {articles.length === 0 ? (
        <p class="help">{texts.noArticles}</p>
      ) : (
        <Do operation={write} hidden={{ patient_uid: card.uid }} back="/console/doctor/prescriptions">
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
