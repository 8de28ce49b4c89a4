import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../texts/fill.ts"
import { clockTime, longDay } from "../../time.ts"
import { useAddress, useDesk, useTexts } from "../Desk.tsx"
import { addDays } from "../zoned.ts"

interface WeekProps {
  readonly monday: string
  readonly midnights: ReadonlyArray<number>
  readonly appointments: ReadonlyArray<Appointment>
}

/** The doctor's own week. */
export const WeekPage = ({ monday, midnights, appointments }: WeekProps) => {
  const { frame, doctor, statuses } = useTexts()
  const { language, zone } = useDesk()
  const link = useAddress()
  return (
    <>
      <header class="page-head">
        <h1>{fill(frame.weekOf, { day: longDay(language, zone, (midnights[0] ?? 0) + 43_200) })}</h1>
        <nav class="console-links" aria-label={doctor.pages.week}>
          <a href={link({ week: addDays(monday, -7) })} aria-keyshortcuts="Alt+P">
            {frame.earlier}
          </a>
          <a href={link({ week: null })}>{frame.thisWeek}</a>
          <a href={link({ week: addDays(monday, 7) })} aria-keyshortcuts="Alt+N">
            {frame.later}
          </a>
        </nav>
      </header>
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
