import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../../texts/fill.ts"
import { Added, Card, Do, Field, PageHead, Press } from "../../../shared/pages/Desk.tsx"
import { type Choices, useMoment } from "../../../shared/pages/rows.tsx"
import { isMoved } from "../calendar/TimeGrid.tsx"
import { type FreeTime, slotButton, TimeSearch, Times, useOverlaps, type Wishes } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"
import { AppointmentActs, AppointmentFacts } from "./AppointmentPanel.tsx"

interface AppointmentProps {
  readonly now: number
  readonly one: Appointment
  /** What was made in its place; null: it was not moved. */
  readonly replacement: Appointment | null
  readonly free: ReadonlyArray<FreeTime>
  /** The patient's other confirmed appointments from now on. */
  readonly others: ReadonlyArray<Appointment>
  readonly wishes: Wishes
  readonly doctors: Choices
  /** The only doctor whose times are shown; empty: all. */
  readonly doctor: string
  /** The patient's profile. */
  readonly profile: Readonly<Record<string, unknown>>
}

/** One appointment: move, cancel, complete or mark as no-show. */
export const AppointmentPage = ({
  now,
  one,
  replacement,
  free,
  others,
  wishes,
  doctors,
  doctor,
  profile
}: AppointmentProps) => {
  const { practice: texts, statuses, calendar } = useTexts()
  const at = useMoment()
  const warningOf = useOverlaps(others)
  const path = `/v1/management/scheduling/appointments/${one.uid}`
  return (
    <>
      <PageHead title={at(one.start_date)}>
        <span class="badge">{isMoved(one) ? calendar.states.moved : statuses[one.status]}</span>
      </PageHead>
      <div class="board">
        <Card id="details" title={texts.details}>
          <AppointmentFacts one={one} profile={profile} replacement={replacement} />
          <Added at="appointmentDetails" one={one} />
          <AppointmentActs one={one} now={now} />
        </Card>
        <Added at="appointment" one={one} />
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
      </div>
      {one.status === "confirmed" ? (
        <Card id="move" title={texts.move}>
          <TimeSearch wishes={wishes}>
            <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
          </TimeSearch>
          <Do operation={`POST /v1/scheduling/appointments/${one.uid}/rebook`} back="/console/practice">
            <Times
              free={free}
              wished={wishes}
              doctorNames={new Map(doctors)}
              warningOf={warningOf}
              labelOf={(time) => fill(texts.moveTo, { time })}
              buttonOf={slotButton}
            />
          </Do>
        </Card>
      ) : null}
    </>
  )
}
