import { plural } from "../../../texts/fill.ts"
import { type Language, localeOf } from "../../../texts/language.ts"
import { Empty, Field, PageHead, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import { calendarDate, shortDate } from "../../shared/pages/format.ts"
import type { Choices } from "../../shared/pages/rows.tsx"
import { Scroll } from "../../shared/pages/Scroll.tsx"
import { Table } from "../../shared/pages/Table.tsx"
import { addDays, dayIn } from "../../shared/pages/zoned.ts"
import type { DoctorsWeek, ResourcesWeek } from "../schemas/Statistics.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { activeWeeks, type Sum, sumOf } from "./weeks.ts"

interface StatisticsProps {
  readonly rows: ReadonlyArray<DoctorsWeek>
  readonly use: ReadonlyArray<ResourcesWeek>
  readonly doctors: Choices
  readonly doctor: string
  readonly from: string
  readonly until: string
  readonly by: Step
  readonly csv: string
}

export const steps = ["week", "month"] as const
export type Step = (typeof steps)[number]

interface Line {
  readonly name: string
  /** Below its bar. */
  readonly short?: string
  readonly sum: Sum
}

const HEIGHT = 160
const STEP = 48
const LABELS = 20

/** A bar chart by week or month: kept appointments below, lost ones above. The table has the same numbers. */
const Plot = ({ lines, label }: { readonly lines: ReadonlyArray<Line>; readonly label: string }) => {
  const highest = Math.max(1, ...lines.map(({ sum }) => sum.booked))
  const scaled = (count: number) => (count / highest) * (HEIGHT - LABELS)
  const width = STEP * lines.length
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${width} ${HEIGHT + LABELS}`}
      // on a phone it is wider than its card, and begins where that does
      preserveAspectRatio="xMinYMid"
      role="img"
      aria-label={label}
    >
      {lines.map(({ name, short, sum }, index) => {
        const x = index * STEP + 6
        const parts = [
          ["cancelled", sum.cancelled],
          ["no-show", sum.no_show],
          ["kept", sum.booked - sum.cancelled - sum.no_show]
        ] as const
        let y = HEIGHT - scaled(sum.booked)
        return (
          <g key={name}>
            {parts.map(([kind, count]) => {
              const top = y
              y += scaled(count)
              return <rect key={kind} class={kind} x={x} y={top} width={STEP - 12} height={scaled(count)} />
            })}
            <text x={x + (STEP - 12) / 2} y={HEIGHT - scaled(sum.booked) - 4} text-anchor="middle">
              {sum.booked}
            </text>
            <text x={x + (STEP - 12) / 2} y={HEIGHT + LABELS - 4} text-anchor="middle">
              {short}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

interface FiguresProps {
  readonly title: string
  readonly lines: ReadonlyArray<Line>
  /** Of all lines: the same in every table of the page. */
  readonly total: Sum
}

const Figures = ({ title, lines, total }: FiguresProps) => {
  const { language } = useDesk()
  const texts = deskTextsOf(language)
  const number = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(localeOf(language), { style: "percent", maximumFractionDigits: 1 })
  const { booked, completed, cancelled, noShow, lead, utilisation } = texts.figures
  const figures = [booked, completed, cancelled, noShow, lead, utilisation].map((number) => ({ number }))
  return (
    <Table label={title} caption={title} columns={[null, ...figures]}>
      {[...lines, { name: texts.total, sum: total }].map(({ name, sum }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="number">{sum.booked}</td>
          <td class="number">{sum.completed}</td>
          <td class="number">{sum.cancelled}</td>
          <td class="number">{sum.no_show}</td>
          <td class="number">{sum.lead_days === null ? "–" : number.format(sum.lead_days)}</td>
          <td class="number">{sum.utilisation === null ? "–" : percent.format(sum.utilisation)}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Each resource's appointments and minutes, by week. */
const Use = ({ rows }: { readonly rows: ReadonlyArray<ResourcesWeek> }) => {
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language)
  const weeks = [...Map.groupBy(rows, ({ week_starts_at }) => week_starts_at)].filter(([, own]) =>
    own.some(({ booked }) => booked > 0)
  )
  const used = new Set(rows.filter(({ booked }) => booked > 0).map(({ resource_uid }) => resource_uid))
  const resources = (weeks[0]?.[1] ?? []).filter(({ resource_uid }) => used.has(resource_uid))
  return (
    <Table
      label={texts.use.title}
      caption={texts.use.title}
      columns={[null, ...resources.map(({ name }) => ({ number: name }))]}
    >
      {weeks.map(([week, own]) => (
        <tr key={week}>
          <th scope="row">{calendarDate(language, dayIn(week, zone))}</th>
          {own
            .filter(({ resource_uid }) => used.has(resource_uid))
            .map(({ resource_uid, booked, booked_minutes }) => (
              <td key={resource_uid} class="number">
                {booked === 0 ? "–" : `${booked} (${plural(language, texts.use.minutes, booked_minutes)})`}
              </td>
            ))}
        </tr>
      ))}
    </Table>
  )
}

/** Offers and times given again, week by week, over all doctors; nothing where there are none. */
export const RefilledCard = ({ weeks }: { readonly weeks: ReadonlyArray<DoctorsWeek> }) => {
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language).waitlist
  const byWeek = [...Map.groupBy(weeks, ({ week_starts_at }) => week_starts_at)]
    .filter(([, rows]) => rows.some(({ waitlist_offers }) => waitlist_offers > 0))
    .toSorted(([a], [b]) => b - a)
  const sum = (rows: ReadonlyArray<DoctorsWeek>, of: (row: DoctorsWeek) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const { figures } = texts
  return byWeek.length === 0 ? null : (
    <div class="card">
      <Table
        label={texts.refilled}
        caption={texts.refilled}
        columns={[null, { number: figures.offers }, { number: figures.refilled }, { number: figures.minutes }]}
      >
        {byWeek.map(([week, rows]) => (
          <tr key={week}>
            <th scope="row">{calendarDate(language, dayIn(week, zone))}</th>
            <td class="number">{sum(rows, (row) => row.waitlist_offers)}</td>
            <td class="number">{sum(rows, (row) => row.refilled_appointments)}</td>
            <td class="number">{sum(rows, (row) => row.refilled_minutes)}</td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

/** The Monday itself, or the first day of the month that has most of its week. */
const stepOf = (monday: string, by: Step) => (by === "week" ? monday : `${addDays(monday, 3).slice(0, 7)}-01`)

const monthAs = (style: Intl.DateTimeFormatOptions) => (language: Language, day: string) =>
  new Intl.DateTimeFormat(localeOf(language), { ...style, timeZone: "UTC" }).format(Date.parse(`${day}T00:00Z`))
const monthName = monthAs({ month: "long", year: "numeric" })
const monthShort = monthAs({ month: "short" })

/** The practice's statistics: bar chart, by week or month, by doctor, and as a file. */
export const StatisticsPage = ({ rows, use, doctors, doctor, from, until, by, csv }: StatisticsProps) => {
  const { words } = useTexts()
  const { language, zone } = useDesk()
  const texts = deskTextsOf(language)
  const chosen = activeWeeks(rows.filter(({ doctor_uid }) => doctor === "" || doctor_uid === doctor))
  const total = sumOf(chosen)
  const names = { week: calendarDate, month: monthName }[by]
  const short = { week: shortDate, month: monthShort }[by]
  const byStep = [...Map.groupBy(chosen, ({ week_starts_at }) => stepOf(dayIn(week_starts_at, zone), by))].map(
    ([day, own]) => ({ name: names(language, day), short: short(language, day), sum: sumOf(own) })
  )
  const byDoctor = [...Map.groupBy(chosen, ({ doctor_uid }) => doctor_uid).values()]
    .map((own) => ({ name: own[0]?.doctor_display_name ?? "", sum: sumOf(own) }))
    .filter(({ sum }) => sum.booked > 0 || sum.utilisation !== null)
  const mondays = rows.map(({ week_starts_at }) => week_starts_at)
  // without a choice, the interface's default range
  const shownFrom = from === "" && mondays.length > 0 ? dayIn(Math.min(...mondays), zone) : from
  const shownUntil = until === "" && mondays.length > 0 ? addDays(dayIn(Math.max(...mondays), zone), 6) : until
  return (
    <>
      <PageHead title={texts.title}>
        <form class="press">
          <Field label={words.doctor} name="doctor" value={doctor} options={[["", words.everybody], ...doctors]} />
          <Field label={words.from} name="from" type="date" value={shownFrom} />
          <Field label={words.until} name="until" type="date" value={shownUntil} />
          <Field label={texts.by} name="by" value={by} options={steps.map((step) => [step, texts.steps[step]])} />
          <Submit text={words.apply} look="secondary" />
        </form>
        <a class="secondary" href={csv} download="statistics.csv">
          {texts.csv}
        </a>
      </PageHead>
      {byStep.length === 0 ? (
        <div class="card">
          <Empty what={{ name: "statistics", ...texts.empty }} to="/console/practice" />
        </div>
      ) : (
        <>
          <div class="card">
            <Scroll label={texts.title}>
              <Plot lines={byStep} label={by === "week" ? texts.byWeek : texts.byMonth} />
            </Scroll>
            <ul class="legend">
              <li class="kept">{texts.figures.kept}</li>
              <li class="no-show">{texts.figures.noShow}</li>
              <li class="cancelled">{texts.figures.cancelled}</li>
            </ul>
            <Figures title={by === "week" ? texts.byWeek : texts.byMonth} lines={byStep} total={total} />
            {by === "week" ? null : <p class="help">{texts.weeksOfMonth}</p>}
          </div>
          <div class="card">
            <Figures title={texts.byDoctor} lines={byDoctor} total={total} />
          </div>
        </>
      )}
      <div class="board">
        <RefilledCard weeks={chosen} />
        {use.every(({ booked }) => booked === 0) ? null : (
          <div class="card">
            <Use rows={use} />
          </div>
        )}
      </div>
    </>
  )
}
