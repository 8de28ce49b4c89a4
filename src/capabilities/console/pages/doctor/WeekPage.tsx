import { useDesk } from "../../../../pages/staff/Desk.tsx"
import { addDays, dayIn } from "../../../../pages/staff/zoned.ts"
import { tileDay } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { Legend, TimeGrid } from "../calendar/TimeGrid.tsx"
import { WeekHead } from "../parts/WeekHead.tsx"
import { useTexts } from "../useTexts.ts"

interface WeekProps {
  readonly now: number
  readonly monday: string
  readonly midnights: ReadonlyArray<number>
  readonly appointments: ReadonlyArray<Appointment>
}

/** The doctor's own week. */
export const WeekPage = ({ now, monday, midnights, appointments }: WeekProps) => {
  const { doctor } = useTexts()
  const { language, zone } = useDesk()
  const today = dayIn(now, zone)
  return (
    <>
      <WeekHead monday={monday} midnight={midnights[0] ?? 0} label={doctor.pages.week}>
        <Legend />
      </WeekHead>
      <div class="calendar">
        <TimeGrid
          label={doctor.pages.week}
          now={now}
          columns={midnights.slice(0, 7).map((midnight, index) => ({
            key: String(index),
            heading: tileDay(language, zone, midnight + 43_200).join(", "),
            notes: [],
            midnight,
            // the doctor's hours are on their page: here every time is open
            open: [{ from: midnight, to: midnights[index + 1] ?? midnight }],
            busy: [],
            appointments: appointments.filter(
              ({ start_date }) => start_date >= midnight && start_date < (midnights[index + 1] ?? 0)
            ),
            free: [],
            isToday: addDays(monday, index) === today
          }))}
          presence={() => undefined}
          chosen={null}
          addressOf={({ uid, patient_uid }) => `/console/doctor/patients/${patient_uid}?appointment=${uid}`}
          listOf={() => "/console/doctor"}
        />
      </div>
    </>
  )
}
