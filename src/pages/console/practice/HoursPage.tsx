import type { ComponentChildren } from "preact"
import { Field, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import type { FreeTime } from "./CalendarPage.tsx"

interface HoursPageProps {
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  readonly doctor: string
  readonly free: ReadonlyArray<FreeTime>
  readonly children: ComponentChildren
}

/** A doctor's hours, with the resulting free times. */
export const HoursPage = ({ doctors, doctor, free, children }: HoursPageProps) => {
  const { practice: texts, frame } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.hours}</h1>
        <form class="press">
          <Field label={texts.doctor} name="doctor" value={doctor} options={doctors} />
          <button type="submit" class="secondary">
            {texts.apply}
          </button>
        </form>
      </header>
      {doctor === "" ? <p class="help">{frame.none}</p> : children}
      <section class="card" aria-labelledby="slots">
        <h2 id="slots">{texts.slotPreview}</h2>
        <p>
          {free.length === 0
            ? frame.none
            : free.map(({ start_date }) => moment(language, zone, start_date)).join(" · ")}
        </p>
      </section>
    </>
  )
}
