import { clockTime, fullDay } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { joinWindowState, LATE_BEGIN_SECONDS, opensAt } from "../../../../schemas/scheduling/joinWindow.ts"
import { HOUR } from "../../../../schemas/seconds.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { Ask, Card, Do, Empty, Field, PageHead, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { Subject, useMoment } from "../../../shared/pages/rows.tsx"
import { useTexts } from "../useTexts.ts"

/** The interface's default. */
const LATE_WITHIN = 3 * HOUR

interface TodayProps {
  readonly now: number
  readonly appointments: ReadonlyArray<Appointment>
  readonly waiting: ReadonlyArray<{ readonly appointment_uid: string; readonly waiting_since: number }>
}

const isOpen = (one: Appointment, now: number) =>
  one.status === "confirmed" && one.meeting_format === "DIGITAL" && joinWindowState(one, now) === "open"

const Join = ({ uid, name, first }: { readonly uid: string; readonly name: string; readonly first: boolean }) => {
  const { csrf } = useDesk()
  const { doctor } = useTexts()
  return (
    // of the whole window, also from beside another call
    <form method="post" action="/console/doctor/join" class="press" target="_top">
      <input type="hidden" name="@csrf" value={csrf} />
      <input type="hidden" name="appointment_uid" value={uid} />
      <button
        type="submit"
        class="primary"
        aria-keyshortcuts={first ? "Alt+J" : undefined}
        aria-label={`${doctor.join}: ${name}`}
      >
        {doctor.join}
      </button>
    </form>
  )
}

const WaitingSince = ({ since }: { readonly since: number }) => {
  const { language, zone } = useDesk()
  const { waitingSince } = useTexts().doctor
  return <span class="badge now">{fill(waitingSince, { time: clockTime(language, zone, since) })}</span>
}

/** One appointment with the actions that are possible now. */
export const DayRow = ({
  one,
  now,
  first,
  waitingSince
}: {
  readonly one: Appointment
  readonly now: number
  readonly first: boolean
  /** Unix seconds; undefined: the patient is not there. */
  readonly waitingSince?: number | undefined
}) => {
  const { language, zone } = useDesk()
  const at = useMoment()
  const { doctor, statuses, formats, calendar } = useTexts()
  const started = one.status === "confirmed" && now >= one.start_date
  const name = one.patient_display_name
  const card = `/console/doctor/patients/${one.patient_uid}?appointment=${one.uid}`
  return (
    <li>
      <time>{clockTime(language, zone, one.start_date)}</time>
      <Subject
        below={[[one.appointment_type_name, formats[one.meeting_format], one.visit_reason].filter(Boolean).join(" · ")]}
      >
        <a href={card}>{name}</a>
      </Subject>
      {one.status === "confirmed" ? null : <span class="badge">{statuses[one.status]}</span>}
      {waitingSince === undefined ? null : <WaitingSince since={waitingSince} />}
      {isOpen(one, now) ? <Join uid={one.uid} name={name} first={first} /> : null}
      {started ? (
        <>
          {/* the question is beside the note, which is usually written then */}
          <a class="secondary" href={`${card}&complete=true#note`} aria-label={`${doctor.complete}: ${name}`}>
            {`${doctor.complete} …`}
          </a>
          <Ask
            operation={`POST /v1/doctor/appointments/${one.uid}/no-show`}
            text={doctor.noShow}
            label={`${doctor.noShow}: ${name}`}
            question={fill(calendar.noShowQuestion, {
              who: name,
              time: at(one.start_date)
            })}
          />
        </>
      ) : null}
    </li>
  )
}

const LATE_MINUTES = [5, 10, 15, 20, 30, 45, 60]

/** "I am late" for the next patients, and what they were told. */
const Late = ({ appointments, now }: { readonly appointments: ReadonlyArray<Appointment>; readonly now: number }) => {
  const { language } = useDesk()
  const { doctor } = useTexts()
  const isExpected = ({ start_date, end_date, meeting_format: format }: Appointment) =>
    start_date < now + LATE_WITHIN && (format === "DIGITAL" ? end_date > now : start_date > now - LATE_BEGIN_SECONDS)
  const count = appointments.filter((one) => one.status === "confirmed" && isExpected(one)).length
  return count === 0 ? null : (
    <Card id="late" title={doctor.late}>
      <p class="help">{plural(language, doctor.lateHelp, count)}</p>
      <Do operation="POST /v1/doctor/late" class="press">
        <Field
          label={doctor.lateBy}
          name="minutes"
          value={10}
          options={[
            ...LATE_MINUTES.map(
              (minutes) => [String(minutes), fill(doctor.lateMinutes, { n: String(minutes) })] as const
            ),
            ["0", doctor.lateNoMore]
          ]}
        />
        <Submit text={doctor.lateTell} look="secondary" />
      </Do>
    </Card>
  )
}

/** The day at a glance: who is there or next, and the rest of the day. Nobody stands twice. */
export const TodayPage = ({ now, appointments, waiting }: TodayProps) => {
  const { language, zone } = useDesk()
  const { doctor } = useTexts()
  const live = appointments.filter(({ status }) => status === "confirmed")
  const sinceOf = (one: Appointment) =>
    waiting.find(({ appointment_uid }) => appointment_uid === one.uid)?.waiting_since
  const isCurrent = (one: Appointment) => now >= opensAt(one) && now < one.end_date
  const there = [
    ...waiting.flatMap(({ appointment_uid }) => appointments.filter(({ uid }) => uid === appointment_uid)),
    ...live.filter((one) => isCurrent(one) && sinceOf(one) === undefined)
  ]
  const next = there.length > 0 ? undefined : live.find((one) => opensAt(one) > now)
  const shown = next === undefined ? there : [next]
  const unknown = waiting.filter(({ appointment_uid }) => !appointments.some(({ uid }) => uid === appointment_uid))
  const rest = appointments.filter((one) => !shown.includes(one) && one.status !== "expired")
  return (
    <>
      <PageHead title={fullDay(language, zone, now)} />
      <div class="board">
        <div class="column">
          <Card id="now" title={next === undefined ? doctor.now : doctor.next}>
            {waiting.length === 0 ? <Empty what="nobodyWaits" /> : null}
            <ul class="rows" data-waiting={waiting.length}>
              {shown.map((one, index) => (
                <DayRow key={one.uid} one={one} now={now} first={index === 0} waitingSince={sinceOf(one)} />
              ))}
              {unknown.map(({ appointment_uid, waiting_since }) => (
                <li key={appointment_uid}>
                  <WaitingSince since={waiting_since} />
                </li>
              ))}
            </ul>
            {shown.length + unknown.length === 0 ? <Empty what="nothingToday" to="/console/doctor/week" /> : null}
            <p>
              <button
                type="button"
                class="quiet"
                data-sound
                data-on={doctor.soundOn}
                data-off={doctor.soundOff}
                hidden
              />
            </p>
          </Card>
          <Late appointments={appointments} now={now} />
        </div>
        <Card id="day" title={doctor.restOfDay}>
          <Rows of={rest} empty={{ what: "nothingElse", to: "/console/doctor/hours" }}>
            {(one) => <DayRow key={one.uid} one={one} now={now} first={false} />}
          </Rows>
        </Card>
      </div>
    </>
  )
}
