import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../texts/fill.ts"
import { clockTime, longDay } from "../../time.ts"
import { Card, Do, Field, PageHead, Press, Submit, useDesk, useTexts } from "../Desk.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import { type FreeTime, slotButton, TimeSearch, Times, type Wishes } from "../parts/Times.tsx"
import { WeekHead } from "../parts/WeekHead.tsx"
import { addDays, dayIn } from "../zoned.ts"

interface CalendarProps {
  readonly now: number
  /** Monday of the week, `2026-05-04`. */
  readonly monday: string
  /** Midnights of its days and of the next Monday, Unix seconds. */
  readonly midnights: ReadonlyArray<number>
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  readonly types: ReadonlyArray<readonly [uid: string, name: string]>
  readonly doctor: string
  readonly type: string
  readonly appointments: ReadonlyArray<Appointment>
  readonly free: ReadonlyArray<FreeTime>
}

/** Maximum appointments shown per day; the page of the day shows all. */
const SHOWN = 40
/** Maximum free times shown per day: a full day of 20 minutes each. The pages of the appointment and of the patient show more. */
const FREE_SHOWN = 72

const kindOf = ({ status }: Appointment) => (status === "confirmed" ? undefined : status === "held" ? "held" : "ended")

/** A doctor's week with its free times; dropping an appointment on a free time moves it. */
export const CalendarPage = (props: CalendarProps) => {
  const { now, monday, midnights, doctors, types, doctor, type, appointments, free } = props
  const { practice: texts, statuses } = useTexts()
  const { language, zone, address } = useDesk()
  const days = midnights.slice(0, 7)
  const within = (start: number, index: number) =>
    start >= (midnights[index] ?? 0) && start < (midnights[index + 1] ?? 0)
  const today = dayIn(now, zone)
  return (
    <>
      <WeekHead monday={monday} midnight={midnights[0] ?? 0} label={texts.pages.calendar}>
        <form class="press" action={address.split("?")[0]}>
          <Field label={texts.weekWith} name="week" type="date" value={monday} />
          <Field label={texts.doctor} name="doctor" value={doctor} options={doctors} />
          <Field label={texts.type} name="type" value={type} options={types} />
          <Submit text={texts.apply} look="secondary" />
        </form>
      </WeekHead>
      <p class="help">{texts.dragHelp}</p>
      <Scroll label={texts.pages.calendar}>
        <div class="week" data-drop-doctor={doctor}>
          {days.map((midnight, index) => {
            const own = appointments.filter(({ start_date }) => within(start_date, index))
            const open = free.filter(({ start_date }) => within(start_date, index))
            const rows = [
              ...own.slice(0, SHOWN).map((one) => ({ start: one.start_date, one })),
              ...open.slice(0, FREE_SHOWN).map((time) => ({ start: time.start_date, one: null }))
            ].sort((a, b) => a.start - b.start)
            return (
              <section key={midnight} aria-labelledby={`day-${index}`}>
                <h2 id={`day-${index}`} class={addDays(monday, index) === today ? "today" : undefined}>
                  {longDay(language, zone, midnight + 43_200)}
                </h2>
                <ul>
                  {rows.map(({ start, one }) =>
                    one === null ? (
                      <li key={`free-${start}`} class="free" data-drop-start={start}>
                        <a
                          href={`/console/practice/patients?${new URLSearchParams({ type, doctor, start: String(start) })}`}
                          draggable={false}
                        >
                          {`${clockTime(language, zone, start)} ${texts.free}`}
                        </a>
                      </li>
                    ) : (
                      <li
                        key={one.uid}
                        class={kindOf(one)}
                        draggable={one.status === "confirmed" && one.start_date > now}
                        data-move={one.uid}
                      >
                        <a href={`/console/practice/appointments/${one.uid}`} draggable={false}>
                          {`${clockTime(language, zone, start)} ${one.patient_display_name}`}
                        </a>
                        {one.status === "confirmed" ? null : ` (${statuses[one.status]})`}
                      </li>
                    )
                  )}
                </ul>
                {own.length > SHOWN ? <p class="help">{fill(texts.more, { n: String(own.length - SHOWN) })}</p> : null}
              </section>
            )
          })}
        </div>
      </Scroll>
      <Moves />
    </>
  )
}

/** Filled in and submitted by dropping. */
const Moves = () => {
  const { csrf, address } = useDesk()
  return (
    <form method="post" action="/console/practice/do" data-moves="POST /v1/scheduling/appointments/{uid}/rebook" hidden>
      {["@operation", "new_start_date", "new_doctor_uid"].map((name) => (
        <input key={name} type="hidden" name={name} value="" />
      ))}
      <input type="hidden" name="@csrf" value={csrf} />
      <input type="hidden" name="@back" value={address} />
    </form>
  )
}

interface AppointmentProps {
  readonly now: number
  readonly one: Appointment
  readonly free: ReadonlyArray<FreeTime>
  readonly wishes: Wishes
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  /** The only doctor whose times are shown; empty: all. */
  readonly doctor: string
  /** The patient's telephone number and mail address, as far as they are known. */
  readonly contact: ReadonlyArray<string>
}

/** One appointment: move, cancel, complete or mark as no-show. */
export const AppointmentPage = ({ now, one, free, wishes, doctors, doctor, contact }: AppointmentProps) => {
  const { practice: texts, statuses, formats } = useTexts()
  const { language, zone } = useDesk()
  const path = `/v1/management/scheduling/appointments/${one.uid}`
  const isLive = one.status === "confirmed" || one.status === "held"
  const at = (seconds: number) => `${longDay(language, zone, seconds)}, ${clockTime(language, zone, seconds)}`
  return (
    <>
      <PageHead title={at(one.start_date)}>
        <span class="badge">{statuses[one.status]}</span>
      </PageHead>
      <div class="board">
        <Card id="details" title={texts.details}>
          <p>
            <a href={`/console/practice/patients/${one.patient_uid}`}>{one.patient_display_name}</a>
            {contact.map((text) => (
              <span key={text}>
                <br />
                {text}
              </span>
            ))}
            <br />
            {one.doctor_display_name}
            <br />
            {[one.appointment_type_name, formats[one.meeting_format]].filter(Boolean).join(" · ")}
          </p>
          {one.visit_reason === null ? null : <p>{one.visit_reason}</p>}
          {one.cancellation_reason === null ? null : <p>{`${texts.cancelledBecause}: ${one.cancellation_reason}`}</p>}
          {one.status === "confirmed" && now >= one.start_date ? (
            <p class="actions">
              <Do operation={`POST ${path}/complete`}>
                <Submit text={texts.complete} look="secondary" />
              </Do>
              <Do operation={`POST ${path}/no-show`}>
                <Submit text={texts.noShow} look="quiet" />
              </Do>
            </p>
          ) : null}
        </Card>
        {one.status === "confirmed" ? (
          <Card id="link" title={texts.patientLink}>
            <p class="help">{texts.patientLinkHelp}</p>
            <p class="actions">
              {(["join", "rebook", "cancel"] as const).map((action) => (
                <Press
                  key={action}
                  operation={`POST ${path}/action-links`}
                  hidden={{ action }}
                  show="url"
                  text={texts.linkTo[action]}
                />
              ))}
            </p>
          </Card>
        ) : null}
        {isLive ? (
          <Card id="cancel" title={texts.cancel}>
            <Do operation={`POST ${path}/cancel`} class="stack">
              <Field label={texts.reason} name="reason" required />
              <Submit text={texts.cancel} look="primary danger" />
            </Do>
          </Card>
        ) : null}
      </div>
      {one.status === "confirmed" ? (
        <Card id="move" title={texts.move}>
          <TimeSearch wishes={wishes}>
            <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
          </TimeSearch>
          <Do operation={`POST /v1/scheduling/appointments/${one.uid}/rebook`} class="stack" back="/console/practice">
            <Times
              free={free}
              doctorNames={new Map(doctors)}
              labelOf={(time) => fill(texts.moveTo, { time })}
              buttonOf={slotButton}
            />
          </Do>
        </Card>
      ) : null}
    </>
  )
}
