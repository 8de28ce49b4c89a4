import { tileDay } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../../texts/fill.ts"
import { Card, Do, Field, Hidden, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { type Choices, useMoment } from "../../../shared/pages/rows.tsx"
import { addDays, dayIn } from "../../../shared/pages/zoned.ts"
import { Legend, TimeGrid } from "../calendar/TimeGrid.tsx"
import type { FreeTime } from "../parts/Times.tsx"
import { WeekHead } from "../parts/WeekHead.tsx"
import { useTexts } from "../useTexts.ts"

interface WeekProps {
  readonly now: number
  readonly monday: string
  readonly midnights: ReadonlyArray<number>
  readonly appointments: ReadonlyArray<Appointment>
  /** Types of those that can be moved, and the one whose free times are shown. */
  readonly types: Choices
  readonly type: string
  readonly free: ReadonlyArray<FreeTime>
  /** The appointment that was dragged, and where to; null: none. */
  readonly move: { readonly one: Appointment; readonly to: number; readonly fits: boolean } | null
}

/** The doctor's own week, in which appointments are moved by dragging. */
export const WeekPage = ({ now, monday, midnights, appointments, types, type, free, move }: WeekProps) => {
  const { doctor, practice } = useTexts()
  const { language, zone } = useDesk()
  const today = dayIn(now, zone)
  return (
    <>
      <WeekHead monday={monday} midnight={midnights[0] ?? 0} label={doctor.pages.week}>
        {types.length < 2 ? null : (
          <form class="press">
            <Hidden fields={{ week: monday }} />
            <Field label={doctor.freeFor} name="type" value={type} options={types} />
            <Submit text={practice.apply} look="secondary" />
          </form>
        )}
        <Legend />
      </WeekHead>
      <div class={move === null ? "calendar" : "calendar with-panel"}>
        <div>
          <TimeGrid
            label={doctor.pages.week}
            now={now}
            columns={midnights.slice(0, 7).map((midnight, index) => {
              const within = (start: number) => start >= midnight && start < (midnights[index + 1] ?? 0)
              return {
                key: String(index),
                heading: tileDay(language, zone, midnight + 43_200).join(", "),
                notes: [],
                midnight,
                // the doctor's hours are on their page: here every time is open
                open: [{ from: midnight, to: midnights[index + 1] ?? midnight }],
                busy: [],
                appointments: appointments.filter(({ start_date }) => within(start_date)),
                free: free
                  .filter(({ start_date }) => within(start_date))
                  .map(({ start_date: start, doctor_uid }) => ({
                    start,
                    address: null,
                    drop: `${start}.${doctor_uid}`
                  })),
                isToday: addDays(monday, index) === today
              }
            })}
            presence={() => undefined}
            chosen={move?.one.uid ?? null}
            addressOf={({ uid, patient_uid }) => `/console/doctor/patients/${patient_uid}?appointment=${uid}`}
            listOf={() => "/console/doctor"}
            draggable
          />
        </div>
        {move === null ? null : <MoveQuestion {...move} />}
        <form data-moves action="/console/doctor/week" hidden>
          <Hidden fields={{ week: monday, type, move: "", to: "" }} />
        </form>
      </div>
    </>
  )
}

/** Asks before an own appointment is moved: nothing is sent to the patient until then. */
const MoveQuestion = ({ one, to, fits }: NonNullable<WeekProps["move"]>) => {
  const { calendar, practice } = useTexts()
  const link = useAddress()
  const when = useMoment()
  const back = link({ move: null, to: null })
  return (
    <aside id="panel" aria-label={practice.move}>
      <Card id="chosen" title={practice.move}>
        <p>{`${one.patient_display_name}: ${when(one.start_date)}`}</p>
        {fits ? (
          <Do operation={`POST /v1/doctor/appointments/${one.uid}/move`} hidden={{ new_start_date: to }} back={back}>
            <p>{fill(calendar.moveQuestion, { time: when(to) })}</p>
            <Submit text={calendar.moveNow} />
          </Do>
        ) : (
          <p class="notice warn" role="alert">
            {calendar.doesNotFit}
          </p>
        )}
        <p class="actions">
          <a class="quiet" href={back}>
            {calendar.dontMove}
          </a>
        </p>
      </Card>
    </aside>
  )
}
