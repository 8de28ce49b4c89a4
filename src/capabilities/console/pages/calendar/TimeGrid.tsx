/** A calendar in columns beside a scale of time: a day of all doctors and rooms, or a week of one doctor. Rule 17.6.6. */
import type { ComponentChildren } from "preact"
import { clockTime } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../../texts/fill.ts"
import { useDesk } from "../../../shared/pages/Desk.tsx"
import { Scroll } from "../../../shared/pages/Scroll.tsx"
import { useTexts } from "../useTexts.ts"
import { placeOf } from "./places.ts"

/** Seconds of the smallest step of the scale. */
const STEP = 300
const HOUR = 3_600
/** Hours shown of a day without anything. */
const [FIRST, LAST] = [8 * HOUR, 18 * HOUR]
/** Entries beside each other; further ones of the same time are counted. */
const LANES = 3

interface Period {
  readonly from: number
  readonly to: number
}

export interface GridFree {
  readonly start: number
  /** Where a press leads; null: the time is only a place to drop at. */
  readonly address: string | null
  /** What dropping an appointment here leads to. */
  readonly drop: string
}

export interface GridColumn {
  readonly key: string
  readonly heading: ComponentChildren
  /** Day off, holiday. */
  readonly notes: ReadonlyArray<string>
  /** Midnight of the column's day, Unix seconds. */
  readonly midnight: number
  readonly open: ReadonlyArray<Period>
  readonly busy: ReadonlyArray<Period & { readonly text: string }>
  readonly appointments: ReadonlyArray<Appointment>
  readonly free: ReadonlyArray<GridFree>
  readonly isToday?: boolean
  /** Where a press on any time of it leads, to which `start` is added; by default nowhere. */
  readonly press?: string | undefined
  /** A strip without words: a resource that is not opened. */
  readonly isFolded?: boolean
}

/** What is known of an appointment beside its record. */
export type PresenceOf = (uid: string) => "waiting" | "in_call" | undefined

interface GridProps {
  readonly label: string
  readonly now: number
  readonly columns: ReadonlyArray<GridColumn>
  readonly presence: PresenceOf
  /** Appointments that were squeezed in. */
  readonly squeezed?: ReadonlySet<string>
  /** The appointment that is open beside the calendar. */
  readonly chosen: string | null
  readonly addressOf: (one: Appointment) => string
  /** Where all entries of a time are listed, if there are too many beside each other. */
  readonly listOf: (column: GridColumn, start: number) => string
  /** Whether an appointment can be dragged. */
  readonly draggable?: boolean
}

interface Laned<A> {
  readonly one: A
  readonly from: number
  readonly to: number
  readonly lane: number
  readonly lanes: number
}

/** Entries that overlap get lanes beside each other. */
export const lanesOf = <A,>(
  entries: ReadonlyArray<{ readonly one: A; readonly from: number; readonly to: number }>
): ReadonlyArray<Laned<A>> => {
  const done: Array<Laned<A>> = []
  let group: Array<{ one: A; from: number; to: number; lane: number }> = []
  let end = Number.NEGATIVE_INFINITY
  const close = () => {
    const lanes = Math.max(1, ...group.map(({ lane }) => lane + 1))
    done.push(...group.map((entry) => ({ ...entry, lanes })))
    group = []
  }
  for (const entry of [...entries].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (entry.from >= end) close()
    const taken = new Set(group.filter(({ to }) => to > entry.from).map(({ lane }) => lane))
    let lane = 0
    while (taken.has(lane)) lane += 1
    group.push({ ...entry, lane })
    end = Math.max(end, entry.to)
  }
  close()
  return done
}

/** Words and looks of the states, so that none is told by colour alone. */
export const stateOf = (one: Appointment, presence: PresenceOf) =>
  one.status === "confirmed" ? (presence(one.uid) ?? "booked") : isMoved(one) ? "moved" : one.status

/** Another appointment was made in its place. */
export const isMoved = ({ status, cancellation_reason }: Appointment) =>
  status === "cancelled" && cancellation_reason === "rebooked"

/** Why it was cancelled, as somebody wrote it. */
export const reasonOf = (one: Appointment) => (isMoved(one) ? null : one.cancellation_reason)

/** Signs before the time, which stay in sight where the words do not fit. */
export const signs: Readonly<Record<ReturnType<typeof stateOf>, string>> = {
  booked: "",
  held: "◌ ",
  waiting: "◔ ",
  in_call: "▶ ",
  completed: "✓ ",
  no_show: "✗ ",
  cancelled: "⊘ ",
  moved: "→ ",
  expired: "◌ "
}

const Placed = ({
  from,
  to,
  first,
  last,
  midnight,
  class: kind,
  children,
  ...rest
}: Period & {
  readonly first: number
  readonly last: number
  readonly midnight: number
  readonly class: string
  readonly children?: ComponentChildren
  readonly "aria-hidden"?: "true"
}) => {
  const start = Math.max(0, (from - midnight - first) / STEP)
  const end = (Math.min(to - midnight, last) - first) / STEP
  if (end <= start) return null
  return (
    <div class={`${kind} ${placeOf(start, "at")} ${placeOf(end - start, "long")}`} {...rest}>
      {children}
    </div>
  )
}

const Entry = ({
  entry: { one, from, to, lane, lanes },
  first,
  midnight,
  isFolded,
  ...props
}: {
  readonly entry: Laned<Appointment>
  readonly first: number
  readonly midnight: number
  /** The hour alone: there is no room for the name. */
  readonly isFolded: boolean
} & Pick<GridProps, "presence" | "squeezed" | "chosen" | "addressOf" | "now" | "draggable">) => {
  const { calendar: texts, formats } = useTexts()
  const { language, zone } = useDesk()
  const { presence, squeezed, chosen, addressOf, now, draggable = false } = props
  const state = stateOf(one, presence)
  const sign = signs[state] === "" ? null : <span aria-hidden="true">{signs[state]}</span>
  const time = clockTime(language, zone, one.start_date)
  const named = `${time} ${one.patient_display_name}`
  const words = [
    squeezed?.has(one.uid) ? texts.squeezedIn : null,
    state === "booked" ? formats[one.meeting_format] : texts.states[state],
    reasonOf(one)
  ]
  const movable = draggable && one.status === "confirmed" && one.start_date > now
  return (
    <li
      class={`entry-at ${placeOf((from - midnight - first) / STEP, "at")} ${placeOf((to - from) / STEP, "long")} lane-${lane}-${Math.min(lanes, LANES)}`}
    >
      <a
        class={`entry-booked ${state}`}
        title={[named, ...words].filter(Boolean).join(" · ")}
        href={addressOf(one)}
        aria-current={chosen === one.uid ? "true" : undefined}
        draggable={movable}
        data-move={movable ? one.uid : undefined}
        data-entry
      >
        <span class="lines">
          {isFolded ? (
            <>
              {sign}
              {time}
              <span class="unseen">{one.patient_display_name}</span>
            </>
          ) : (
            <>
              <b>
                {sign}
                {named}
              </b>
              {words.filter(Boolean).map((word) => ` · ${word}`)}
            </>
          )}
        </span>
      </a>
    </li>
  )
}

interface Scale {
  /** Seconds from midnight. */
  readonly first: number
  readonly last: number
}

const Column = ({ column, first, last, ...props }: { readonly column: GridColumn } & Scale & GridProps) => {
  const { calendar: texts } = useTexts()
  const { language, zone } = useDesk()
  const { midnight, open, busy, appointments, free, key } = column
  const laned = lanesOf(
    appointments.map((one) => ({ one, from: one.start_date, to: Math.max(one.end_date, one.start_date + 2 * STEP) }))
  )
  const hidden = laned.filter(({ lane }) => lane >= LANES)
  // a cancelled appointment that is shown stands where its time is free again
  const offered = free.filter(({ start }) => !laned.some(({ from, to }) => from < start + 2 * STEP && to > start))
  const place = { first, last, midnight }
  return (
    <section
      class={`time-column${column.isToday ? " today" : ""}${column.isFolded ? " folded" : ""}`}
      aria-labelledby={`column-${key}`}
    >
      <header>
        <h2 id={`column-${key}`}>{column.heading}</h2>
        {column.notes.map((note) => (
          <p key={note} class="badge warn">
            {note}
          </p>
        ))}
      </header>
      <div
        class="time-lane"
        data-press={column.press}
        data-from={column.press === undefined ? undefined : midnight + first}
        data-seconds={column.press === undefined ? undefined : last - first}
      >
        {open.map((period) => (
          <Placed key={period.from} {...period} {...place} class="time-open" aria-hidden="true" />
        ))}
        {busy.map(({ text, ...period }) => (
          <Placed key={`${period.from} ${text}`} {...period} {...place} class="time-busy">
            {text}
          </Placed>
        ))}
        <ol>
          {offered.map(({ start, address, drop }) => (
            <li
              key={`free ${start}`}
              class={`entry-at ${placeOf((start - midnight - first) / STEP, "at")}`}
              data-drop={drop}
            >
              {address === null ? (
                <span class="entry-free">{clockTime(language, zone, start)}</span>
              ) : (
                <a class="entry-free" href={address} draggable={false} data-entry>
                  <span aria-hidden="true">+ </span>
                  {clockTime(language, zone, start)}
                  <span class="unseen">{` ${texts.free}`}</span>
                </a>
              )}
            </li>
          ))}
          {laned
            .filter(({ lane }) => lane < LANES)
            .map((entry) => (
              <Entry
                key={entry.one.uid}
                entry={entry}
                first={first}
                midnight={midnight}
                isFolded={column.isFolded ?? false}
                {...props}
              />
            ))}
        </ol>
        {props.now >= midnight + first && props.now < midnight + last ? (
          <div class={`time-now ${placeOf((props.now - midnight - first) / STEP, "at")}`} aria-hidden="true" />
        ) : null}
      </div>
      {hidden.length === 0 ? null : (
        <p>
          <a href={props.listOf(column, hidden[0]?.from ?? 0)}>
            {fill(texts.moreBeside, { n: String(hidden.length) })}
          </a>
        </p>
      )}
    </section>
  )
}

/** The columns with their scale. Arrow keys go from entry to entry. */
export const TimeGrid = (props: GridProps) => {
  const { language, zone } = useDesk()
  const { columns, label } = props
  /** A room that is free at all times says nothing about the hours to show. */
  const hoursIn = (open: ReadonlyArray<Period>) => open.filter(({ from, to }) => to - from < 23 * HOUR)
  const seconds = columns.flatMap(({ midnight, open, appointments, free }) => [
    ...hoursIn(open).map(({ from }) => from - midnight),
    ...appointments.map(({ start_date }) => start_date - midnight),
    ...free.map(({ start }) => start - midnight)
  ])
  const ends = columns.flatMap(({ midnight, open, appointments, free }) => [
    ...hoursIn(open).map(({ to }) => to - midnight),
    ...appointments.map(({ end_date }) => end_date - midnight),
    ...free.map(({ start }) => start + 2 * STEP - midnight)
  ])
  const first = Math.max(0, Math.floor(Math.min(FIRST, ...seconds) / HOUR) * HOUR)
  const last = Math.min(25 * HOUR, Math.ceil(Math.max(LAST, ...ends) / HOUR) * HOUR)
  const hours = Array.from({ length: (last - first) / HOUR }, (_, at) => first / HOUR + at)
  const midnight = columns[0]?.midnight ?? 0
  return (
    <Scroll label={label}>
      <div
        class={`time-grid ${placeOf((last - first) / STEP, "long")}${columns.some(({ notes }) => notes.length > 0) ? " with-notes" : ""}`}
        data-grid
      >
        <ol class="time-scale" aria-hidden="true">
          {hours.map((hour) => (
            <li key={hour}>{clockTime(language, zone, midnight + hour * HOUR)}</li>
          ))}
        </ol>
        {columns.map((column) => (
          <Column key={column.key} {...props} column={column} first={first} last={last} />
        ))}
      </div>
    </Scroll>
  )
}

/** What the looks of the calendar mean, and what can be pressed. */
export const Legend = () => {
  const { calendar: texts } = useTexts()
  const states = ["booked", "held", "waiting", "in_call", "completed", "no_show", "cancelled"] as const
  return (
    <details class="legend-of-grid">
      <summary>{texts.legend}</summary>
      <div>
        <p class="help">{texts.help}</p>
        <ul>
          {states.map((state) => (
            <li key={state} class={`entry-booked ${state}`}>
              <span aria-hidden="true">{signs[state]}</span>
              {texts.states[state]}
            </li>
          ))}
          <li class="entry-free">{texts.free}</li>
          <li class="time-busy">{texts.busy}</li>
          <li class="time-closed">{texts.closed}</li>
        </ul>
      </div>
    </details>
  )
}
