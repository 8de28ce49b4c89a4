import { Card, Do, Field, PageHead, Rows, Submit, useAddress, useDesk } from "../../../../pages/staff/Desk.tsx"
import { calendarDate, moment } from "../../../../pages/staff/format.ts"
import { RecordLink } from "../../../../pages/staff/rows.tsx"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { type Holiday, HolidayRegion } from "../../../../schemas/scheduling/Holiday.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { useTexts } from "../useTexts.ts"

export interface WantedHolidays {
  readonly holiday_region: HolidayRegion | null
  readonly extra_holidays: ReadonlyArray<Holiday>
}

interface FieldsProps extends WantedHolidays {
  /** The text of no region: none, or that of the practice. */
  readonly none: string
}

/** Rows for days that are not there yet. */
const NEW_ROWS = 2

/** The fields of a search: the region, and the further days one by one. */
export const HolidayFields = ({ holiday_region, extra_holidays, none }: FieldsProps) => {
  const { holidays: texts } = useTexts().planning
  const rows = [...extra_holidays, ...Array.from({ length: NEW_ROWS }, () => ({ date: "", name: "" }))]
  return (
    <>
      <Field
        label={texts.region}
        name="region"
        value={holiday_region ?? ""}
        options={[["", none], ...HolidayRegion.literals.map((one) => [one, texts.regions[one]] as const)]}
      />
      <fieldset>
        <legend>{texts.extra}</legend>
        {rows.map(({ date, name }, index) => (
          <div class="entries" key={`${date} ${index}`}>
            <Field label={`${texts.day} ${index + 1}`} name="date" type="date" value={date} />
            <Field label={`${texts.name} ${index + 1}`} name="name" value={name} />
          </div>
        ))}
      </fieldset>
    </>
  )
}

/** The same as the fields of an operation's body. */
export const holidayBody = ({ holiday_region, extra_holidays }: WantedHolidays) => ({
  holiday_region: holiday_region ?? "",
  ...(extra_holidays.length === 0
    ? { extra_holidays: "" }
    : Object.fromEntries(
        extra_holidays.flatMap(({ date, name }, index) => [
          [`extra_holidays.${index}.date`, date],
          [`extra_holidays.${index}.name`, name]
        ])
      ))
})

interface HolidaysProps {
  readonly current: WantedHolidays
  /** What the query asks to see first, and what it would hit; null: nothing. */
  readonly wanted: WantedHolidays | null
  readonly hit: { readonly appointments: ReadonlyArray<Appointment>; readonly count: number } | null
  readonly year: number
  /** Those of the year, by date. */
  readonly listed: ReadonlyArray<Holiday>
}

/** The practice's holidays: the Land, further days, what a change hits, and the names of a year's days. */
export const HolidaysPage = ({ current, wanted, hit, year, listed }: HolidaysProps) => {
  const { holidays: texts, pages } = useTexts().planning
  const { language, zone } = useDesk()
  const address = useAddress()
  return (
    <>
      <PageHead title={pages.holidays} />
      <div class="board">
        <Card id="holidays" title={pages.holidays}>
          <p class="help">{texts.help}</p>
          <form class="stack" action="/console/practice/holidays">
            <HolidayFields {...(wanted ?? current)} none={texts.noRegion} />
            <Submit text={texts.preview} />
          </form>
        </Card>
        {wanted === null || hit === null ? null : (
          <Card id="effects" title={texts.question}>
            <p>{hit.count === 0 ? texts.hitNone : plural(language, texts.hit, hit.count)}</p>
            {hit.count === 0 ? null : (
              <Rows of={hit.appointments} empty={{ what: "week" }}>
                {(one) => (
                  <li key={one.uid}>
                    <RecordLink
                      of="appointments"
                      uid={one.uid}
                      class="grow"
                      text={moment(language, zone, one.start_date)}
                    />
                    <span class="help">{`${one.patient_display_name}, ${one.doctor_display_name}`}</span>
                  </li>
                )}
              </Rows>
            )}
            <Do
              operation="PATCH /v1/management/organisation"
              hidden={holidayBody(wanted)}
              back="/console/practice/holidays"
            >
              <Submit text={texts.save} />
            </Do>
          </Card>
        )}
        <Card id="year" title={fill(texts.listed, { year: String(year) })}>
          <Rows of={listed} empty={{ what: "holidays", to: "#holidays" }}>
            {({ date, name }) => (
              <li key={`${date} ${name}`}>
                <span class="grow">{name}</span>
                <time datetime={date}>{calendarDate(language, date)}</time>
              </li>
            )}
          </Rows>
          <p class="actions">
            {[year - 1, year + 1].map((other) => (
              <a key={other} class="quiet" href={address({ year: other })}>
                {fill(texts.year, { year: String(other) })}
              </a>
            ))}
          </p>
        </Card>
      </div>
    </>
  )
}
