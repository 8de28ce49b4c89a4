import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { clockTime, longDay } from "../../time.ts"
import { useDesk, useTexts } from "../Desk.tsx"
import { WeekHead } from "../parts/WeekHead.tsx"

interface WeekProps {
  readonly monday: string
  readonly midnights: ReadonlyArray<number>
  readonly appointments: ReadonlyArray<Appointment>
}

/** The doctor's own week. */
export const WeekPage = ({ monday, midnights, appointments }: WeekProps) => {
  const { doctor, statuses } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <WeekHead monday={monday} midnight={midnights[0] ?? 0} label={doctor.pages.week} />
      <div class="week">
        {midnights.slice(0, 7).map((midnight, index) => (
          <section key={midnight} aria-labelledby={`day-${index}`}>
            <h2 id={`day-${index}`}>{longDay(language, zone, midnight + 43_200)}</h2>
            <ul>
              {appointments
                .filter(({ start_date }) => start_date >= midnight && start_date < (midnights[index + 1] ?? 0))
                .map((one) => (
                  <li key={one.uid} class={one.status === "confirmed" ? undefined : "ended"}>
                    <a href={`/console/doctor/patients/${one.patient_uid}?appointment=${one.uid}`}>
                      {`${clockTime(language, zone, one.start_date)} ${one.patient_display_name}`}
                    </a>
                    {one.status === "confirmed" ? null : ` (${statuses[one.status]})`}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
