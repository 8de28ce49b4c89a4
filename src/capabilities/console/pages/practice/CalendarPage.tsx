import { clockTime, fullDay, longDay, tileDay } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { Card, Empty, Field, Hidden, PageHead, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { type Choices, Filter } from "../../../shared/pages/rows.tsx"
import { Table } from "../../../shared/pages/Table.tsx"
import { addDays, dayIn } from "../../../shared/pages/zoned.ts"
import type { CalendarSubject } from "../../../shared/schemas/Calendar.ts"
import { type GridColumn, Legend, type PresenceOf, reasonOf, stateOf, TimeGrid } from "../calendar/TimeGrid.tsx"
import { type FreeTime, Times, type Wishes, WishFields } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"
import { AppointmentPanel, MovePanel, type PanelProps } from "./AppointmentPanel.tsx"

export const calendarViews = ["day", "week", "list", "next"] as const
export type CalendarView = (typeof calendarViews)[number]

export interface CalendarProps {
  readonly view: CalendarView
  readonly now: number
  /** The day that is shown, or one of the week: `2026-05-04`. */
  readonly day: string
  /** Midnights of the shown days and of the day after them, Unix seconds. */
  readonly midnights: ReadonlyArray<number>
  readonly doctors: Choices
  readonly types: Choices
  /** Of the week; in the list and of the next free time empty for all. */
  readonly doctor: string
  /** The type whose free times are shown. */
  readonly type: string
  readonly subjects: ReadonlyArray<CalendarSubject>
  readonly presence: PresenceOf
  readonly squeezed: ReadonlySet<string>
  readonly appointments: ReadonlyArray<Appointment>
  readonly free: ReadonlyArray<FreeTime>
  readonly withCancelled: boolean
  /** Whether doctors without hours and appointments on the day have a column, too. */
  readonly withAll: boolean
  /** Whether resources have columns with names instead of strips. */
  readonly withRooms: boolean
  /** Whether the day has more appointments than are shown. */
  readonly isCut: boolean
  readonly wishes: Wishes
  readonly page: number
  readonly pages: number
  readonly panel: PanelProps | null
  /** What a new practice still needs before anybody can book; null: it has all of it. */
  readonly missing: ReadonlyArray<FirstStep> | null
  /** Patients whom no message about an appointment has reached. */
  readonly unreached: number
}

/** A step of setting up a practice, and whether it is done; null: not known here. */
export type FirstStep = readonly [step: "doctor" | "hours" | "type" | "legal" | "shop", isDone: boolean | null]

const stepPages = {
  doctor: "/console/practice/people#new-doctor",
  hours: "/console/practice/hours",
  type: "/console/practice/types",
  legal: "/console/practice/branding",
  shop: "/console/practice/shops"
}

/** The first page of a new practice: what to do, in order, each with its page. */
const FirstSteps = ({ steps }: { readonly steps: ReadonlyArray<FirstStep> }) => {
  const { practice } = useTexts()
  const { firstSteps: texts, checklist } = practice
  return (
    <Card id="first-steps" title={texts.title}>
      <p class="help">{texts.help}</p>
      <ol class="rows">
        {steps.map(([step, isDone]) => (
          <li key={step}>
            <a class="grow" href={stepPages[step]}>
              {texts.steps[step]}
            </a>
            {isDone === null ? null : (
              <span class={isDone ? "badge" : "badge warn"}>{isDone ? checklist.done : checklist.open}</span>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

const PATIENTS = "/console/practice/patients"

/** The calendar: a day of all doctors and rooms, a week of one doctor, a list, and the next free times. */
export const CalendarPage = (props: CalendarProps) => {
  const { view, now, day, midnights, doctors, types, doctor, type, withCancelled, isCut, wishes, panel } = props
  const { calendar: texts, practice, frame } = useTexts()
  const { language, zone, address } = useDesk()
  const link = useAddress()
  const step = view === "week" ? 7 : 1
  const noon = (midnights[0] ?? 0) + 43_200
  const title =
    view === "next"
      ? texts.views.next
      : view === "week"
        ? fill(frame.weekOf, { day: longDay(language, zone, noon) })
        : fullDay(language, zone, noon)
  const closed = { appointment: null, move: null, to: null, page: null }
  return (
    <>
      <PageHead title={title}>
        {view === "next" ? null : (
          <nav class="console-links" aria-label={practice.pages.calendar}>
            <a href={link({ ...closed, day: addDays(day, -step) })} aria-keyshortcuts="Alt+P">
              {frame.earlier}
            </a>
            <a href={link({ ...closed, day: dayIn(now, zone) })} aria-keyshortcuts="Alt+H">
              {practice.today}
            </a>
            <a href={link({ ...closed, day: addDays(day, step) })} aria-keyshortcuts="Alt+N">
              {frame.later}
            </a>
          </nav>
        )}
        <Filter
          label={texts.view}
          name="view"
          of={calendarViews.map((one) => [one === "day" ? null : one, texts.views[one]])}
          chosen={view === "day" ? null : view}
          also={closed}
        />
      </PageHead>
      <div class="calendar-tools">
        <button type="button" class="secondary console-fold" popovertarget="filter">
          {texts.filter}
        </button>
        <div id="filter" class="console-menu" popover>
          <form class="press" action={address.split("?")[0]}>
            <Hidden
              fields={{ view: view === "day" ? null : view, move: panel?.kind === "move" ? panel.one.uid : null }}
            />
            {view === "next" ? (
              <WishFields wishes={wishes} withFormat={panel?.kind !== "move"} />
            ) : (
              <Field label={practice.dayOf} name="day" type="date" value={day} required />
            )}
            {view === "day" ? null : (
              <Field
                label={practice.doctor}
                name="doctor"
                value={doctor}
                options={view === "week" ? doctors : [["", practice.everybody], ...doctors]}
              />
            )}
            {view === "list" ? null : <Field label={practice.type} name="type" value={type} options={types} />}
            {view === "next" ? null : (
              <label class="choice">
                <input type="checkbox" name="cancelled" value="true" checked={withCancelled} />
                {practice.withCancelled}
              </label>
            )}
            <Submit text={view === "next" ? practice.findTimes : practice.apply} look="secondary" />
          </form>
        </div>
        {panel?.kind === "move" || view === "next" || doctors.length === 0 ? null : <WalkIn {...props} />}
        {view === "day" || view === "week" ? <Legend /> : null}
      </div>
      {props.missing === null ? null : <FirstSteps steps={props.missing} />}
      {props.unreached === 0 ? null : (
        <p class="notice warn">
          {`${plural(language, practice.calls.waiting, props.unreached)} `}
          <a href="/console/practice/calls">{practice.calls.title}</a>
        </p>
      )}
      {isCut ? <p class="notice warn">{practice.dayCut}</p> : null}
      <div class={panel === null ? "calendar" : "calendar with-panel"}>
        <div>
          {view === "list" ? <DayList {...props} /> : view === "next" ? <NextFree {...props} /> : <Grid {...props} />}
        </div>
        {panel === null ? null : panel.kind === "move" ? <MovePanel {...panel} /> : <AppointmentPanel {...panel} />}
      </div>
    </>
  )
}

/** A patient without an appointment: at any time, now unless another one is said. */
const WalkIn = ({ now, day, doctors, doctor, type }: CalendarProps) => {
  const { calendar: texts, practice } = useTexts()
  const { zone } = useDesk()
  return (
    <details>
      <summary>{`${texts.walkIn} …`}</summary>
      <form class="entries" action={PATIENTS}>
        <Hidden fields={{ type, squeeze: "true" }} />
        <Field label={practice.doctor} name="doctor" value={doctor} options={doctors} />
        <Field label={practice.dayOf} name="day" type="date" value={day} required />
        <Field
          label={texts.walkInTime}
          name="time"
          type="time"
          value={clockTime("de", zone, Math.ceil(now / 300) * 300)}
          help={texts.walkInHelp}
          required
        />
        <Submit text={texts.walkIn} look="secondary" />
      </form>
    </details>
  )
}

/** Where a press on a free time leads: to the patient for whom it is, or to the question whether to move there. */
const useFreeAddress = ({ type, panel, wishes }: Pick<CalendarProps, "type" | "panel" | "wishes">) => {
  const link = useAddress()
  return ({ doctor_uid, start_date }: FreeTime) =>
    panel?.kind === "move"
      ? link({ to: `${start_date}.${doctor_uid}` })
      : `${PATIENTS}?${new URLSearchParams({
          type,
          doctor: doctor_uid,
          start: String(start_date),
          ...(wishes.format !== "" && { format: wishes.format })
        })}`
}

/** A name in a strip: the first letters of its words with its number, of a single word its first three. */
export const signOf = (name: string) => {
  const words = name.split(/[\s/().-]+/).filter((word) => word !== "")
  const [only = "", ...more] = words
  return more.length === 0
    ? only.slice(0, 3)
    : words
        .map((word) => (/^\d/.test(word) ? word : word.slice(0, 1).toUpperCase()))
        .join("")
        .slice(0, 4)
}

const Grid = (props: CalendarProps) => {
  const { view, now, day, midnights, doctor, subjects, presence, appointments, free, type, panel, withAll, withRooms } =
    props
  const { calendar: texts, practice } = useTexts()
  const { language, zone, inCalendar } = useDesk()
  const link = useAddress()
  const freeAddress = useFreeAddress(props)
  if (props.doctors.length === 0) return <Empty what="calendar" to="/console/practice/people" />
  const today = dayIn(now, zone)
  const gridFree = (times: ReadonlyArray<FreeTime>) =>
    times.map((time) => ({
      start: time.start_date,
      address: freeAddress(time),
      drop: `${time.start_date}.${time.doctor_uid}`
    }))
  const columnOf = (subject: CalendarSubject, index: number): Omit<GridColumn, "heading" | "key"> => {
    const { uid, kind, open, busy, days_off, holidays } = subject
    const [midnight = 0, next = 0] = [midnights[index], midnights[index + 1]]
    const date = view === "week" ? addDays(day, index) : day
    const isOn = ({ from, to }: { readonly from: number; readonly to: number }) => from < next && to > midnight
    const within = (start: number) => start >= midnight && start < next
    const inDay = ({ from, to }: { readonly from: number; readonly to: number }) => ({
      from: Math.max(from, midnight),
      to: Math.min(to, next)
    })
    return {
      midnight,
      notes: [
        ...holidays.filter((holiday) => holiday.date === date).map(({ name }) => name),
        ...(days_off.some((midnight) => midnight === Date.parse(`${date}T00:00Z`) / 1000) ? [practice.dayOff] : [])
      ],
      open: open.filter(isOn).map(inDay),
      busy: [
        ...busy.filter(isOn).map((period) => ({ ...inDay(period), text: texts.busy })),
        ...inCalendar(subject)
          .filter(isOn)
          .map(({ text, ...period }) => ({ ...inDay(period), text }))
      ],
      appointments: appointments.filter(
        (one) =>
          within(one.start_date) &&
          (kind === "doctor"
            ? one.doctor_uid === uid || one.further_doctors.some((further) => further.uid === uid)
            : one.resources.some((resource) => resource.uid === uid))
      ),
      free: kind === "doctor" ? gridFree(free.filter((one) => one.doctor_uid === uid && within(one.start_date))) : [],
      press:
        kind === "doctor" && panel?.kind !== "move" && next > now
          ? `${PATIENTS}?${new URLSearchParams({ type, doctor: uid, squeeze: "true" })}`
          : undefined,
      isToday: date === today
    }
  }
  const all = subjects.map((subject) => ({ subject, column: columnOf(subject, 0) }))
  const isEmpty = ({ column, subject }: (typeof all)[number]) =>
    subject.kind === "doctor" &&
    column.open.length + column.appointments.length + column.busy.length + column.notes.length === 0
  const left = all.filter(isEmpty).length
  // on a day on which nobody works all are shown
  const isClosed = left === all.filter(({ subject }) => subject.kind === "doctor").length
  const columns: ReadonlyArray<GridColumn> =
    view === "week"
      ? midnights.slice(0, 7).map((midnight, index) => ({
          key: String(index),
          heading: (
            <a href={link({ view: null, day: addDays(day, index) })}>
              {tileDay(language, zone, midnight + 43_200).join(", ")}
            </a>
          ),
          ...(subjects[0] === undefined
            ? { midnight, notes: [], open: [], busy: [], appointments: [], free: [] }
            : columnOf(subjects[0], index))
        }))
      : all
          .filter((one) => withAll || isClosed || !isEmpty(one))
          .map(({ subject: { kind, uid, name }, column }) => ({
            key: uid,
            heading:
              kind === "doctor" ? (
                <a href={link({ view: "week", doctor: uid })} title={name}>
                  {name}
                </a>
              ) : (
                <a href={link({ rooms: withRooms ? null : "true" })} title={name}>
                  {withRooms ? (
                    name
                  ) : (
                    <>
                      <span aria-hidden="true">{signOf(name)}</span>
                      <span class="unseen">{name}</span>
                    </>
                  )}
                </a>
              ),
            isFolded: kind !== "doctor" && !withRooms,
            ...column
          }))
  return (
    <>
      <TimeGrid
        label={practice.pages.calendar}
        now={now}
        columns={columns}
        presence={presence}
        squeezed={props.squeezed}
        chosen={panel?.one.uid ?? null}
        addressOf={(one) => `${link({ appointment: one.uid, move: null, to: null })}#panel`}
        listOf={(column) => link({ view: "list", doctor: view === "week" ? doctor : column.key })}
        draggable
      />
      {view === "day" && left > 0 && !isClosed ? (
        <p>
          <a class="quiet" href={link({ all: withAll ? null : "true" })}>
            {withAll ? texts.onlyPresent : fill(texts.alsoAbsent, { n: String(left) })}
          </a>
        </p>
      ) : null}
      {type === "" ? <Empty what="calendarTypes" to="/console/practice/types" /> : null}
      <form data-moves action="/console/practice" hidden>
        <Hidden
          fields={{
            view: view === "day" ? "" : view,
            day,
            doctor: view === "week" && doctor !== "" ? doctor : null,
            type,
            move: "",
            to: ""
          }}
        />
      </form>
    </>
  )
}

/** The appointments of a day in a table: for a phone, and to print. */
const DayList = ({ appointments, presence, page, pages }: CalendarProps) => {
  const { calendar: texts, practice, formats } = useTexts()
  const { language, zone } = useDesk()
  const link = useAddress()
  if (appointments.length === 0) return <Empty what="day" to={link({ view: "next" })} />
  return (
    <>
      <Table
        label={practice.pages.calendar}
        columns={[texts.time, practice.appointment, practice.doctor, practice.type, texts.state]}
      >
        {appointments.map((one) => {
          const state = stateOf(one, presence)
          return (
            <tr key={one.uid}>
              <td>
                <time>{`${clockTime(language, zone, one.start_date)}–${clockTime(language, zone, one.end_date)}`}</time>
              </td>
              <td>
                <a href={`${link({ appointment: one.uid })}#panel`}>{one.patient_display_name}</a>
              </td>
              <td>{one.doctor_display_name}</td>
              <td>{[one.appointment_type_name, formats[one.meeting_format]].filter(Boolean).join(" · ")}</td>
              <td>{[texts.states[state], reasonOf(one)].filter(Boolean).join(" · ")}</td>
            </tr>
          )
        })}
      </Table>
      <Pager page={page} pages={pages} />
    </>
  )
}

/** The next free times across doctors, with the wishes of a caller. */
const NextFree = (props: CalendarProps) => {
  const { free, doctors } = props
  const { practice } = useTexts()
  const address = useFreeAddress(props)
  return (
    <section class="card" aria-label={practice.findTimes}>
      <Times
        free={free}
        wished={props.wishes}
        doctorNames={new Map(doctors)}
        labelOf={(time) => fill(practice.bookAt, { time })}
        addressOf={address}
      />
    </section>
  )
}
