import { fill, plural } from "../../../texts/fill.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import {
  Ask,
  Card,
  Do,
  Field,
  PageHead,
  Rows,
  Submit,
  useAddress,
  useDesk,
  useTexts
} from "../../shared/pages/Desk.tsx"
import { calendarDate, moment } from "../../shared/pages/format.ts"
import { Pager } from "../../shared/pages/Pager.tsx"
import { RecordLink, Subject } from "../../shared/pages/rows.tsx"
import { Table } from "../../shared/pages/Table.tsx"
import { addMonths, dayIn } from "../../shared/pages/zoned.ts"
import type { Recall, RecallsWeek } from "../schemas/Recall.ts"

import { deskTextsOf } from "../texts/desk.ts"

const RECALLS = "/v1/management/scheduling/recalls"
/** Months after which patients are usually to come again. */
const MONTHS = [1, 3, 6, 12] as const

/** "Come again in six months", set from an appointment by one press. */
export const RecallCard = ({ one }: AddedCardProps["appointment"]) => {
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language)
  const day = dayIn(one.start_date, zone)
  if (one.appointment_type_uid === null) return null
  return (
    <Card id="recall" title={texts.again}>
      <p class="help">{texts.againHelp}</p>
      <Do
        operation={`POST ${RECALLS}`}
        hidden={{
          patient_uid: one.patient_uid,
          appointment_type_uid: one.appointment_type_uid,
          doctor_uid: one.doctor_uid
        }}
        label={texts.again}
      >
        <Field label={texts.note} name="message_text" />
        <fieldset class="times">
          <legend>{texts.in}</legend>
          {MONTHS.map((months) => {
            const due = addMonths(day, months)
            return (
              <button
                key={months}
                type="submit"
                class="secondary"
                name="due_date"
                value={due}
                aria-label={`${plural(language, texts.inMonths, months)}: ${fill(texts.setFor, { day: calendarDate(language, due) })}`}
              >
                {plural(language, texts.inMonths, months)}
              </button>
            )
          })}
        </fieldset>
      </Do>
    </Card>
  )
}

/** The same from a doctor's card of a patient. */
export const OwnRecallCard = ({ patient_uid, appointment_type_uid, today }: AddedCardProps["ownPatient"]) => {
  const { language } = useDesk()
  const { own: texts } = deskTextsOf(language)
  return (
    <Card id="recall" title={texts.title}>
      <p class="help">{texts.help}</p>
      <Do operation="POST /v1/doctor/recalls" hidden={{ patient_uid, appointment_type_uid }} class="actions">
        {MONTHS.map((months) => {
          const when = plural(language, texts.months, months)
          return (
            <button
              key={months}
              type="submit"
              class="secondary"
              name="due_date"
              value={addMonths(today, months)}
              aria-label={fill(texts.in, { when })}
            >
              {when}
            </button>
          )
        })}
      </Do>
    </Card>
  )
}

interface RecallsProps {
  readonly recalls: ReadonlyArray<Recall>
  readonly status: Recall["status"] | null
  readonly page: number
  readonly pages: number
  /** Names of patients, types and doctors by uid. */
  readonly names: ReadonlyMap<string, string>
  readonly weeks: ReadonlyArray<RecallsWeek>
}

const RecallRow = ({ one, names }: { readonly one: Recall } & Pick<RecallsProps, "names">) => {
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language)
  const name = names.get(one.patient_uid) ?? one.patient_uid
  const facts = [
    fill(texts.due, { day: calendarDate(language, one.due_date) }),
    names.get(one.appointment_type_uid),
    one.doctor_uid === null ? null : names.get(one.doctor_uid),
    one.sent_at === null
      ? fill(texts.asked, { n: String(one.lead_days) })
      : fill(texts.sentAt, { time: moment(language, zone, one.sent_at) })
  ]
  return (
    <li>
      <Subject below={[facts.filter(Boolean).join(" · "), one.message_text]}>
        <RecordLink of="patients" uid={one.patient_uid} text={name} />
      </Subject>
      <span class="badge">{texts.statuses[one.status]}</span>
      {one.appointment_uid === null ? null : (
        <RecordLink of="appointments" uid={one.appointment_uid} class="quiet" text={texts.toAppointment} />
      )}
      {one.status === "waiting" || one.status === "sent" ? (
        <Ask
          operation={`PATCH ${RECALLS}/${one.uid}`}
          hidden={{ status: "cancelled" }}
          text={texts.end}
          label={`${texts.end}: ${name}`}
        />
      ) : null}
    </li>
  )
}

/** Patients who are to come again, and how many of those who were asked came. */
export const RecallsPage = ({ recalls, status, page, pages, names, weeks }: RecallsProps) => {
  const { words } = useTexts()
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language)
  const address = useAddress()
  const active = weeks.filter(({ sent, booked, lost }) => sent + booked + lost > 0)
  return (
    <>
      <PageHead title={texts.title}>
        <form class="press" action={address({}).split("?")[0]}>
          <Field
            label={texts.filter}
            name="status"
            value={status ?? ""}
            options={[["", texts.all], ...Object.entries(texts.statuses)]}
          />
          <Submit text={words.apply} look="secondary" />
        </form>
      </PageHead>
      <Card id="recalls" title={texts.title}>
        <Rows
          of={recalls}
          empty={
            status === null
              ? { what: { name: "recalls", ...texts.empty }, to: "/console/practice" }
              : { what: "filtered", to: "/console/practice/recalls" }
          }
        >
          {(one) => <RecallRow key={one.uid} one={one} names={names} />}
        </Rows>
        <Pager page={page} pages={pages} />
      </Card>
      {active.length === 0 ? null : (
        <div class="card">
          <Table
            label={texts.statistics}
            caption={texts.statistics}
            columns={[
              null,
              { number: texts.figures.sent },
              { number: texts.figures.booked },
              { number: texts.figures.lost }
            ]}
          >
            {active.map(({ week_starts_at, sent, booked, lost }) => (
              <tr key={week_starts_at}>
                <th scope="row">{calendarDate(language, dayIn(week_starts_at, zone))}</th>
                <td class="number">{sent}</td>
                <td class="number">{booked}</td>
                <td class="number">{lost}</td>
              </tr>
            ))}
          </Table>
          <p class="help">{texts.lostHelp}</p>
        </div>
      )}
    </>
  )
}
