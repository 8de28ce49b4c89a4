import type { ComponentChildren } from "preact"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Field, PageHead, Rows, Submit, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"

interface Hit {
  /** Confirmed appointments in these days, a page of them. */
  readonly rows: ReadonlyArray<Appointment>
  readonly page: number
  readonly pages: number
  /** Confirmed and held ones. */
  readonly total: number
  /** The new time and doctor of each, by the appointment's uid. */
  readonly targets: ReadonlyMap<string, readonly [start: number, doctor: string]>
  /** Appointments for which no time is free, by uid. The others without a target were not searched for. */
  readonly withoutTime: ReadonlySet<string>
  /** Days of the absence, of all its doctors. */
  readonly days: number
  /** Those of them that are days off already. */
  readonly blocked: number
}

interface AbsencesProps {
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  readonly doctor: string
  readonly from: string | null
  readonly until: string | null
  /** Null if no days were chosen. */
  readonly hit: Hit | null
}

interface StepProps {
  readonly step: "block" | "move" | "cancel" | "lift"
  readonly values: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

const Step = ({ step, values, children }: StepProps) => {
  const { csrf } = useDesk()
  return (
    <form method="post" action="/console/practice/absences" class="stack">
      {Object.entries({ "@csrf": csrf, step, ...values }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

/** A doctor's absence: whom, from when to when, what is booked then, and what becomes of it. */
export const AbsencesPage = ({ doctors, doctor, from, until, hit }: AbsencesProps) => {
  const { practice: texts } = useTexts()
  return (
    <>
      <PageHead title={texts.pages.absences} />
      <Card id="preview" title={texts.absenceWho}>
        <form class="entries">
          <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
          <Field label={texts.from} name="from" type="date" value={from ?? undefined} required />
          <Field label={texts.until} name="until" type="date" value={until ?? undefined} required />
          <Submit text={texts.preview} />
        </form>
      </Card>
      {hit === null ? null : (
        <div class="board two">
          <Affected {...hit} />
          <Settle
            {...hit}
            values={{ doctor, from: from ?? "", until: until ?? "" }}
            whom={doctors.find(([uid]) => uid === doctor)?.[1] ?? texts.everybody}
          />
        </div>
      )}
    </>
  )
}

const Affected = ({ rows, page, pages, total, targets, withoutTime }: Hit) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  const targetOf = (uid: string) => {
    const [start, name] = targets.get(uid) ?? []
    if (start !== undefined) return `→ ${moment(language, zone, start)} ${name}`
    return withoutTime.has(uid) ? texts.noTarget : texts.notSearched
  }
  return (
    <Card id="hit" title={plural(language, texts.hitNumber, total)}>
      <Rows of={rows}>
        {(one) => (
          <li key={one.uid}>
            <time>{moment(language, zone, one.start_date)}</time>
            <span class="grow">{`${one.patient_display_name} · ${one.doctor_display_name}`}</span>
            <span class="help">{targetOf(one.uid)}</span>
            <a
              class="quiet"
              href={`/console/practice/appointments/${one.uid}`}
              aria-label={`${texts.move}: ${one.patient_display_name}, ${moment(language, zone, one.start_date)}`}
            >
              {texts.move}
            </a>
          </li>
        )}
      </Rows>
      <Pager page={page} pages={pages} />
    </Card>
  )
}

interface SettleProps extends Hit {
  readonly values: Readonly<Record<string, string>>
  readonly whom: string
}

const Settle = ({ total, targets, days, blocked, values, whom }: SettleProps) => {
  const { practice: texts } = useTexts()
  const { language } = useDesk()
  const typed = useFormValues("absence")
  const expected = { ...values, expected: String(total) }
  const question = (text: typeof texts.moveQuestion) => fill(plural(language, text, total), { whom })
  /** Checked, since a free time of an absent doctor would be booked again. */
  const block = (
    <label class="choice">
      <input type="checkbox" name="block" value="1" checked />
      {texts.blockDays}
    </label>
  )
  return (
    <Card id="settle" title={texts.settle}>
      <p class="help">{fill(texts.blockedDays, { n: String(blocked), days: String(days) })}</p>
      {blocked >= days ? null : (
        <Step step="block" values={{ ...values, block: "1" }}>
          <Submit text={texts.blockOnly} look={total === 0 ? "primary" : "secondary"} />
        </Step>
      )}
      {total === 0 || targets.size === 0 ? null : (
        <details>
          <summary>{plural(language, texts.moveAll, total)}</summary>
          <Step step="move" values={expected}>
            <p>{question(texts.moveQuestion)}</p>
            {block}
            <Submit text={texts.moveNow} />
          </Step>
        </details>
      )}
      {total === 0 ? null : (
        <details>
          <summary>{plural(language, texts.cancelAll, total)}</summary>
          <Step step="cancel" values={expected}>
            <p>{question(texts.cancelQuestion)}</p>
            <Field label={texts.reason} name="reason" value={typed("reason", undefined)} required />
            {block}
            <Submit text={texts.cancelNow} look="primary danger" />
          </Step>
        </details>
      )}
      {blocked === 0 ? null : (
        <details>
          <summary>{texts.lift}</summary>
          <Step step="lift" values={values}>
            <p>{plural(language, texts.liftQuestion, blocked)}</p>
            <Submit text={texts.liftNow} look="secondary" />
          </Step>
        </details>
      )}
    </Card>
  )
}
