import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import type { DateOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Hours } from "../parts/Hours.tsx"

interface HoursProps {
  readonly rules: ReadonlyArray<AvailabilityRule>
  readonly overrides: ReadonlyArray<DateOverride>
  readonly day: string | null
  readonly hit: ReadonlyArray<Appointment>
}

/** The doctor's own hours; before a day off, whom it would hit. */
export const DoctorHoursPage = ({ rules, overrides, day, hit }: HoursProps) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.hours}</h1>
      </header>
      {day === null ? null : (
        <section class="card" aria-labelledby="hit">
          <h2 id="hit">{texts.hit}</h2>
          {hit.length === 0 ? (
            <p class="help">{texts.noneHit}</p>
          ) : (
            <>
              <ul class="rows">
                {hit.map((one) => (
                  <li key={one.uid}>
                    <time>{moment(language, zone, one.start_date)}</time>
                    <span class="grow">{one.patient_display_name}</span>
                  </li>
                ))}
              </ul>
              <p class="help">{texts.hitStay}</p>
            </>
          )}
        </section>
      )}
      <Hours path="/v1/doctor" rules={rules} overrides={overrides} day={day} />
    </>
  )
}
