import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { clockTime, fullDay } from "../../time.ts"
import { Field, PageHead, Submit, useAddress, useDesk, useTexts } from "../Desk.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import type { FreeTime } from "../parts/Times.tsx"
import { addDays, dayIn } from "../zoned.ts"

/** Seconds of a row of the scale; every second row has its time. */
const STEP = 900
/** Rows shown of a day without anything: from 8 to 18. */
const [FIRST, END] = [8 * 3_600, 18 * 3_600]

interface DayProps {
  readonly now: number
  /** `2026-05-04` */
  readonly day: string
  /** Its midnight, Unix seconds. */
  readonly midnight: number
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  readonly types: ReadonlyArray<readonly [uid: string, name: string]>
  /** The type whose free times are shown. */
  readonly type: string
  readonly appointments: ReadonlyArray<Appointment>
  readonly free: ReadonlyArray<FreeTime>
  readonly withCancelled: boolean
  /** Whether the day has more appointments than are shown. */
  readonly isCut: boolean
}

interface Entry {
  readonly from: number
  readonly to: number
  readonly one: Appointment | null
  readonly start: number
}

interface Cell {
  readonly from: number
  readonly to: number
  readonly entries: ReadonlyArray<Entry>
}

/** Entries that overlap share a cell. */
export const cellsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  for (const entry of [...entries].sort((a, b) => a.from - b.from || a.start - b.start)) {
    const last = cells.at(-1)
    if (last !== undefined && entry.from < last.to)
      cells[cells.length - 1] = { ...last, to: Math.max(last.to, entry.to), entries: [...last.entries, entry] }
    else cells.push({ from: entry.from, to: entry.to, entries: [entry] })
  }
  return cells
}

const lookOf = ({ status }: Appointment) =>
  status === "confirmed" ? undefined : status === "held" ? "held" : status === "cancelled" ? "cancelled" : "ended"

/** One day of all doctors, in columns beside a scale of time. */
export const DayPage = (props: DayProps) => {
  const { now, day, midnight, doctors, types, type, appointments, free, withCancelled, isCut } = props
  const { practice: texts, frame, statuses, formats } = useTexts()
  const { language, zone, address } = useDesk()
  const link = useAddress()
  const rowOf = (second: number) => Math.floor((second - midnight) / STEP)
  const starts = [...appointments, ...free].map(({ start_date }) => start_date - midnight)
  const first = Math.floor(Math.min(FIRST, ...starts) / 3_600) * (3_600 / STEP)
  const latest = Math.max(
    END,
    ...appointments.map(({ end_date }) => end_date - midnight),
    ...starts.map((second) => second + STEP)
  )
  const end = 2 * Math.ceil(latest / (2 * STEP))
  const columns = doctors.map(([uid, name]) => {
    const booked = appointments
      .filter(({ doctor_uid }) => doctor_uid === uid)
      .map((one) => ({
        from: rowOf(one.start_date),
        to: Math.max(rowOf(one.start_date) + 1, Math.min(end, Math.ceil((one.end_date - midnight) / STEP))),
        start: one.start_date,
        one
      }))
    const open = free
      .filter(({ doctor_uid }) => doctor_uid === uid)
      .map(({ start_date }) => ({ from: rowOf(start_date), to: rowOf(start_date) + 1, start: start_date, one: null }))
    return { uid, name, cells: cellsOf([...booked, ...open]) }
  })
  const rows = Array.from({ length: end - first }, (_, index) => first + index)
  return (
    <>
      <PageHead title={fullDay(language, zone, midnight + 43_200)}>
        <nav class="console-links" aria-label={texts.pages.day}>
          <a href={link({ day: addDays(day, -1) })} aria-keyshortcuts="Alt+P">
            {frame.earlier}
          </a>
          <a href={link({ day: dayIn(now, zone) })}>{texts.today}</a>
          <a href={link({ day: addDays(day, 1) })} aria-keyshortcuts="Alt+N">
            {frame.later}
          </a>
        </nav>
        <form class="press" action={address.split("?")[0]}>
          <Field label={texts.dayOf} name="day" type="date" value={day} required />
          <Field label={texts.type} name="type" value={type} options={types} />
          <Field label={texts.withCancelled} name="cancelled" type="checkbox" value={String(withCancelled)} />
          <Submit text={texts.apply} look="secondary" />
        </form>
      </PageHead>
      {isCut ? <p class="notice warn">{texts.dayCut}</p> : null}
      <Scroll label={texts.pages.day}>
        <table class="day">
          <thead>
            <tr>
              <td />
              {columns.map(({ uid, name }) => (
                <th key={uid} scope="col">
                  <a href={`/console/practice?${new URLSearchParams({ doctor: uid, week: day, type })}`}>{name}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const second = midnight + row * STEP
              return (
                <tr key={row} class={row % (3_600 / STEP) === 0 ? "hour" : undefined}>
                  {row % 2 === 0 ? (
                    <th scope="row" rowspan={2}>
                      {clockTime(language, zone, second)}
                    </th>
                  ) : null}
                  {columns.map(({ uid, name, cells }) => {
                    const cell = cells.find(({ from, to }) => row >= from && row < to)
                    if (cell === undefined) return <td key={uid} />
                    if (cell.from !== row) return null
                    return (
                      <td key={uid} rowspan={cell.to - cell.from}>
                        {cell.entries.map(({ one, start }) =>
                          one === null ? (
                            <a
                              key={`free ${start}`}
                              class="entry-free"
                              href={`/console/practice/patients?${new URLSearchParams({ type, doctor: uid, start: String(start) })}`}
                              aria-label={`${clockTime(language, zone, start)} ${texts.free}, ${name}`}
                            >
                              {`${clockTime(language, zone, start)} ${texts.free}`}
                            </a>
                          ) : (
                            <a
                              key={one.uid}
                              class={["entry-booked", lookOf(one)].filter(Boolean).join(" ")}
                              href={`/console/practice/appointments/${one.uid}`}
                            >
                              {[
                                `${clockTime(language, zone, start)} ${one.patient_display_name}`,
                                one.status === "confirmed" ? null : statuses[one.status],
                                one.status === "confirmed" ? formats[one.meeting_format] : null,
                                one.cancellation_reason
                              ]
                                .filter(Boolean)
                                .join(" · ")}
                            </a>
                          )
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}
