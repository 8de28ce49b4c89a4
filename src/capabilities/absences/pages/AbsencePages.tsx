import type { ComponentChildren } from "preact"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Rows, Submit, useDesk, useIsRefused } from "../../shared/pages/Desk.tsx"
import { calendarDate, moment } from "../../shared/pages/format.ts"
import { Pager } from "../../shared/pages/Pager.tsx"
import { Boxes, type Choices, RecordLink, Subject } from "../../shared/pages/rows.tsx"
import { dayIn, localIn } from "../../shared/pages/zoned.ts"
import type { Absence, AbsenceKind, SettledAppointment } from "../schemas/Absence.ts"
import { deskTextsOf, kindText } from "../texts/desk.ts"

const useTexts = () => deskTextsOf(useDesk().language)
const kinds = ["vacation", "illness", "training", "other"] as const satisfies ReadonlyArray<AbsenceKind>

/** The absence that is asked for; the times of the day are empty for whole days. */
export interface WantedAbsence {
  readonly doctor: string
  readonly kind: string
  readonly from: string
  readonly fromTime: string
  /** `true`: colleagues of another specialty may take over; otherwise empty. */
  readonly any_specialty: string
  readonly until: string
  readonly untilTime: string
}

interface Hit {
  readonly from: number
  readonly to: number
  /** Held and confirmed appointments in this time, a page of them. */
  readonly rows: ReadonlyArray<Appointment>
  readonly page: number
  readonly pages: number
  readonly total: number
  /** The new time and doctor of each, by the appointment's uid. */
  readonly targets: ReadonlyMap<string, readonly [start: number, doctor: string]>
  /** Appointments for which no time is free, by uid. The others without a target were not searched for. */
  readonly withoutTime: ReadonlySet<string>
}

interface AbsencesProps {
  readonly doctors: Choices
  readonly absences: ReadonlyArray<Absence>
  readonly wanted: WantedAbsence
  /** Whether the time that was asked for is none: it ends before it begins, or is too long. */
  readonly isRefused: boolean
  /** Null if no time was asked for. */
  readonly hit: Hit | null
  /** The absence that the page shows, and the appointments that it settles. */
  readonly shown: { readonly absence: Absence; readonly settled: ReadonlyArray<SettledAppointment> } | null
  readonly now: number
}

const ABSENCES = "/console/practice/absences"
const CREATE_ABSENCE = "POST /v1/management/scheduling/absences"
const FORM = "absence-choices"

const useWhom = (doctors: Choices) => {
  const texts = useTexts()
  return (uid: string | null) =>
    uid === null || uid === "" ? texts.all : (doctors.find(([one]) => one === uid)?.[1] ?? uid)
}

/** Whole days as days, otherwise times. */
const useSpan = () => {
  const { language, zone } = useDesk()
  return ({ from, to }: Absence) => {
    const isWhole = [from, to].every((second) => localIn(second, zone).endsWith("T00:00"))
    if (!isWhole) return `${moment(language, zone, from)} – ${moment(language, zone, to)}`
    const [first, last] = [dayIn(from, zone), dayIn(to - 1, zone)]
    return [...new Set([first, last])].map((day) => calendarDate(language, day)).join(" – ")
  }
}

/** A doctor's absence as one act: whom, from when to when and why, what is booked then, and what becomes of it. Rule 17.5. */
export const AbsencesPage = ({ doctors, absences, wanted, isRefused, hit, shown, now }: AbsencesProps) => {
  const texts = useTexts()
  const { language } = useDesk()
  const whom = useWhom(doctors)
  const spanOf = useSpan()
  return (
    <>
      <PageHead title={texts.title} />
      {shown === null ? null : (
        <Shown {...shown} whom={whom(shown.absence.doctor_uid)} span={spanOf(shown.absence)} now={now} />
      )}
      <div class="board two">
        <Card id="new" title={texts.new}>
          {isRefused ? (
            <p class="notice warn" role="alert" tabindex={-1}>
              {texts.noRange}
            </p>
          ) : null}
          <form class="stack" action={ABSENCES}>
            <div class="entries">
              <Field label={texts.whom} name="doctor" value={wanted.doctor} options={[...doctors, ["", texts.all]]} />
              <Field
                label={texts.kind}
                name="kind"
                value={wanted.kind}
                options={kinds.map((kind) => [kind, kindText(language, kind)] as const)}
              />
              <Field label={texts.firstDay} name="from" type="date" value={wanted.from} required />
              <Field label={texts.lastDay} name="until" type="date" value={wanted.until} required />
              <Field label={texts.fromTime} name="from_time" type="time" value={wanted.fromTime} />
              <Field label={texts.toTime} name="until_time" type="time" value={wanted.untilTime} />
            </div>
            <Boxes
              name="any_specialty"
              of={[["true", texts.anySpecialty]]}
              isTicked={(value) => value === wanted.any_specialty}
            />
            <Submit text={texts.preview} />
          </form>
        </Card>
        <Card id="current" title={texts.current}>
          <Rows of={absences} empty={{ what: { name: "absences", ...texts.empty }, to: "#new" }}>
            {(one) => (
              <li key={one.uid}>
                <a class="grow" href={`${ABSENCES}?absence=${one.uid}`}>
                  {whom(one.doctor_uid)}
                </a>
                <span class="help">{`${kindText(language, one.kind)} · ${spanOf(one)}`}</span>
                {one.appointments.waiting > 0 ? <span class="badge now">{texts.statuses.waiting}</span> : null}
              </li>
            )}
          </Rows>
        </Card>
      </div>
      {hit === null ? null : (
        <div class="board two">
          <Affected {...hit} />
          <Settle {...hit} wanted={wanted} whom={whom(wanted.doctor)} />
        </div>
      )}
    </>
  )
}

const Affected = ({ rows, page, pages, total, targets, withoutTime }: Hit) => {
  const texts = useTexts()
  const { language, zone } = useDesk()
  const targetOf = (uid: string) => {
    const [start, name] = targets.get(uid) ?? []
    if (start !== undefined) return fill(texts.target, { time: `${moment(language, zone, start)} ${name}` })
    return withoutTime.has(uid) ? texts.noTarget : texts.notSearched
  }
  return (
    <Card id="hit" title={plural(language, texts.booked, total)}>
      {rows.length === 0 ? null : <p class="help">{texts.choiceHelp}</p>}
      <Rows of={rows} empty={{ what: { name: "booked", text: texts.noneBooked } }}>
        {(one) => (
          <li key={one.uid}>
            <time>{moment(language, zone, one.start_date)}</time>
            <Subject below={[targetOf(one.uid)]}>
              <RecordLink of="appointments" uid={one.uid} text={one.patient_display_name} />
              {` · ${one.doctor_display_name}`}
            </Subject>
            <select
              name={`choices@each.appointment_uid.step.${one.uid}`}
              form={FORM}
              aria-label={`${texts.choice} ${one.patient_display_name}, ${moment(language, zone, one.start_date)}`}
              class="short"
            >
              <option value="">{texts.asAll}</option>
              {Object.entries(texts.steps).map(([step, text]) => (
                <option key={step} value={step}>
                  {text}
                </option>
              ))}
            </select>
          </li>
        )}
      </Rows>
      <Pager page={page} pages={pages} />
    </Card>
  )
}

/** One form, whose buttons say what becomes of the appointments that have no choice of their own. */
const Settle = ({ from, to, total, wanted, whom }: Hit & { readonly wanted: WantedAbsence; readonly whom: string }) => {
  const texts = useTexts()
  const { language } = useDesk()
  const isRefused = useIsRefused(CREATE_ABSENCE)
  const question = (text: typeof texts.moveQuestion) => fill(plural(language, text, total), { whom })
  const step = (value: string, text: string, look: "primary" | "secondary" | "primary danger") => (
    <button type="submit" class={look} name="appointments" value={value}>
      {text}
    </button>
  )
  return (
    <Card id="settle" title={texts.settle}>
      <Do
        operation={CREATE_ABSENCE}
        back={`${ABSENCES}?absence={uid}`}
        id={FORM}
        hidden={{
          doctor_uid: wanted.doctor,
          from,
          to,
          kind: wanted.kind,
          any_specialty: wanted.any_specialty,
          expected: total
        }}
      >
        {total === 0 ? (
          step("keep", texts.blockOnly, "primary")
        ) : (
          <>
            {step("keep", plural(language, texts.keepAll, total), "secondary")}
            <details>
              <summary>{plural(language, texts.moveAll, total)}</summary>
              <p>{question(texts.moveQuestion)}</p>
              {step("move", texts.moveNow, "primary")}
            </details>
            <details>
              <summary>{plural(language, texts.offerAll, total)}</summary>
              <p>{question(texts.offerQuestion)}</p>
              {step("offer", texts.offerNow, "primary")}
            </details>
            <details open={isRefused}>
              <summary>{plural(language, texts.cancelAll, total)}</summary>
              <p>{question(texts.cancelQuestion)}</p>
              <Field label={texts.message} name="message" />
              {step("cancel", texts.cancelNow, "primary danger")}
            </details>
          </>
        )}
      </Do>
    </Card>
  )
}

interface SettledProps {
  readonly one: SettledAppointment["appointment"]
  /** What became of it. */
  readonly children: ComponentChildren
}

const SettledRow = ({ one, children }: SettledProps) => {
  const { language, zone } = useDesk()
  const who = `${one.patient_display_name} · ${one.doctor_display_name}`
  return (
    <li>
      <time>{moment(language, zone, one.start_date)}</time>
      <RecordLink of="appointments" uid={one.uid} class="grow" text={who} />
      {children}
    </li>
  )
}

interface ShownProps {
  readonly absence: Absence
  readonly settled: ReadonlyArray<SettledAppointment>
  readonly whom: string
  readonly span: string
  readonly now: number
}

/** An absence that was entered: how far its appointments are settled, and the way back. */
const Shown = ({ absence, settled, whom, span, now }: ShownProps) => {
  const texts = useTexts()
  const { language, zone, reasonOf } = useDesk()
  const { waiting, moved, offered, cancelled, left } = absence.appointments
  const all = waiting + moved + offered + cancelled + left
  const path = `/v1/management/scheduling/absences/${absence.uid}`
  const standing = settled.filter(({ status }) => status === "left")
  const asked = settled.filter(({ status }) => status === "offered")
  const silent = asked.filter(({ appointment }) => appointment.status === "confirmed" && appointment.start_date > now)
  const again = `POST ${path}/ask-again`
  const isRefused = useIsRefused(again)
  const answerOf = ({ status }: SettledAppointment["appointment"]) =>
    status === "confirmed" ? texts.noAnswer : status === "cancelled" ? texts.answered.cancelled : texts.answered.over
  return (
    <Card id="shown" title={`${whom}: ${kindText(language, absence.kind)}, ${span}`}>
      {all === 0 ? null : (
        <p role="status" data-pending={waiting > 0 ? "" : undefined}>
          <strong>{fill(texts.progress, { done: String(all - waiting), all: String(all) })}</strong>
          <br />
          <progress max={all} value={all - waiting} aria-label={texts.settle} />
          <br />
          {fill(texts.outcome, {
            moved: String(moved),
            offered: String(offered),
            cancelled: String(cancelled),
            left: String(left)
          })}
        </p>
      )}
      {standing.length === 0 ? null : (
        <>
          <h3>{texts.left}</h3>
          <ul class="rows">
            {standing.map(({ appointment, code }) => (
              <SettledRow key={appointment.uid} one={appointment}>
                <span class="help">{code === "slot_taken" ? texts.noTarget : reasonOf(code ?? "")}</span>
              </SettledRow>
            ))}
          </ul>
        </>
      )}
      {asked.length === 0 ? null : (
        <>
          <h3>{texts.offered}</h3>
          {silent.length === 0 ? null : (
            <details open={isRefused}>
              <summary>{plural(language, texts.askAgain, silent.length)}</summary>
              <Do operation={again} hidden={{ expected: silent.length }}>
                <p>{plural(language, texts.askAgainQuestion, silent.length)}</p>
                <Submit text={texts.offerNow} />
              </Do>
            </details>
          )}
          <ul class="rows">
            {asked.map(({ appointment }) => (
              <SettledRow key={appointment.uid} one={appointment}>
                <span class={appointment.status === "confirmed" ? "badge now" : "badge"}>{answerOf(appointment)}</span>
              </SettledRow>
            ))}
          </ul>
        </>
      )}
      <p>
        <a class="quiet" href={`/console/practice?day=${dayIn(absence.from, zone)}`}>
          {texts.toCalendar}
        </a>
        {moved + offered + cancelled > 0 && waiting === 0 ? (
          <a class="quiet" href="/console/practice/calls">
            {texts.toCalls}
          </a>
        ) : null}
      </p>
      <Do operation={`PATCH ${path}`}>
        <Field
          label={texts.until}
          name="to@local"
          type="datetime-local"
          value={localIn(absence.to, zone)}
          help={texts.backHelp}
          required
        />
        <Submit text={texts.back} look="secondary" />
      </Do>
      <details>
        <summary>{texts.end}</summary>
        <Do operation={`DELETE ${path}`} back={ABSENCES}>
          <p>{fill(texts.endQuestion, { whom, time: span })}</p>
          <Submit text={texts.endNow} look="primary danger" />
        </Do>
      </details>
    </Card>
  )
}
