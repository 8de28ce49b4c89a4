import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { Doctor } from "../../../schemas/scheduling/Doctor.ts"
import type { Holiday } from "../../../schemas/scheduling/Holiday.ts"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Rows, Submit, useAddress, useDesk } from "../../shared/pages/Desk.tsx"
import { calendarDate, moment } from "../../shared/pages/format.ts"
import { type Choices, RecordLink } from "../../shared/pages/rows.tsx"
import { deskTextsOf } from "../texts/desk.ts"

const useOwnTexts = () => deskTextsOf(useDesk().language)

export interface WantedHolidays {
  readonly holiday_region: string | null
  readonly extra_holidays: ReadonlyArray<Holiday>
}

interface FieldsProps extends WantedHolidays {
  /** The text of no region: none, or that of the practice. */
  readonly none: string
  readonly regions: Choices
}

/** Rows for days that are not there yet. */
const NEW_ROWS = 2

/** The fields of a search: the region, and the further days one by one. */
const HolidayFields = ({ holiday_region, extra_holidays, none, regions }: FieldsProps) => {
  const texts = useOwnTexts()
  const rows = [...extra_holidays, ...Array.from({ length: NEW_ROWS }, () => ({ date: "", name: "" }))]
  return (
    <>
      <Field label={texts.region} name="region" value={holiday_region ?? ""} options={[["", none], ...regions]} />
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
const holidayBody = ({ holiday_region, extra_holidays }: WantedHolidays) => ({
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
  readonly regions: Choices
  readonly current: WantedHolidays
  /** What the query asks to see first, and what it would hit; null: nothing. */
  readonly wanted: WantedHolidays | null
  readonly hit: { readonly appointments: ReadonlyArray<Appointment>; readonly count: number } | null
  readonly year: number
  /** Those of the year, by date. */
  readonly listed: ReadonlyArray<Holiday>
}

/** The practice's holidays: the region, further days, what a change hits, and the names of a year's days. */
export const HolidaysPage = ({ regions, current, wanted, hit, year, listed }: HolidaysProps) => {
  const texts = useOwnTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  return (
    <>
      <PageHead title={texts.title} />
      <div class="board">
        <Card id="holidays" title={texts.title}>
          <p class="help">{texts.help}</p>
          <form class="stack" action="/console/practice/holidays">
            <HolidayFields {...(wanted ?? current)} none={texts.noRegion} regions={regions} />
            <Submit text={texts.preview} />
          </form>
        </Card>
        {wanted === null || hit === null ? null : (
          <Card id="effects" title={texts.question}>
            <p>{hit.count === 0 ? texts.hitNone : plural(language, texts.hit, hit.count)}</p>
            {hit.count === 0 ? null : (
              <Rows of={hit.appointments} empty={{ what: { name: "hit", text: texts.hitNone } }}>
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
          <Rows of={listed} empty={{ what: { name: "holidays", ...texts.empty }, to: "#holidays" }}>
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

interface DoctorProps {
  readonly one: Pick<Doctor, "uid" | "holiday_region" | "extra_holidays">
  readonly regions: Choices
  /** Holidays that the query names, to be saved for the doctor; null: none were named. */
  readonly wanted: WantedHolidays | null
}

/** The doctor's own holidays: filled in, then saved. */
export const DoctorHolidays = ({ one, regions, wanted }: DoctorProps) => {
  const texts = useOwnTexts()
  return (
    <Card id="holidays" title={texts.title}>
      <form class="stack" action="/console/practice/people">
        <input type="hidden" name="doctor" value={one.uid} />
        <HolidayFields {...(wanted ?? one)} none={texts.asPractice} regions={regions} />
        <Submit text={texts.check} look="secondary" />
      </form>
      {wanted === null ? null : (
        <Do
          operation={`PATCH /v1/management/doctors/${one.uid}`}
          hidden={holidayBody(wanted)}
          back={`/console/practice/people?${new URLSearchParams({ doctor: one.uid })}`}
        >
          <p>{texts.question}</p>
          <Submit text={texts.save} />
        </Do>
      )}
    </Card>
  )
}
