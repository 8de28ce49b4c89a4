import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { plural } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Rows, Submit, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"

interface AbsencesProps {
  readonly doctors: ReadonlyArray<readonly [uid: string, name: string]>
  readonly doctor: string
  readonly from: string | null
  readonly until: string | null
  /** Appointments in these days; null if no days were chosen. */
  readonly hit: ReadonlyArray<Appointment> | null
  /** The new time and doctor of each, by the appointment's uid. */
  readonly targets?: ReadonlyMap<string, readonly [start: number, doctor: string]>
  /** Appointments for which no time is free, by uid. The others without a target were not searched for. */
  readonly withoutTime?: ReadonlySet<string>
}

/** The appointments affected by an absence, before anything is changed. */
export const AbsencesPage = ({
  doctors,
  doctor,
  from,
  until,
  hit,
  targets = new Map(),
  withoutTime = new Set()
}: AbsencesProps) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  const targetOf = (uid: string) => {
    const [start, name] = targets.get(uid) ?? []
    if (start !== undefined) return `→ ${moment(language, zone, start)} ${name}`
    return withoutTime.has(uid) ? texts.noTarget : texts.notSearched
  }
  return (
    <>
      <PageHead title={texts.pages.absences} />
      <Card id="preview" title={texts.preview}>
        <form class="entries">
          <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
          <Field label={texts.from} name="from" type="date" value={from ?? undefined} required />
          <Field label={texts.until} name="until" type="date" value={until ?? undefined} required />
          <Submit text={texts.preview} />
        </form>
      </Card>
      {hit === null ? null : (
        <Card id="hit" title={texts.hit}>
          <Rows of={hit}>
            {(one) => (
              <li key={one.uid}>
                <time>{moment(language, zone, one.start_date)}</time>
                <span class="grow">{`${one.patient_display_name} · ${one.doctor_display_name}`}</span>
                <span class="help">{targetOf(one.uid)}</span>
                <a class="quiet" href={`/console/practice/appointments/${one.uid}`}>
                  {texts.move}
                </a>
              </li>
            )}
          </Rows>
          {targets.size === 0 ? null : (
            <Do
              operation="POST /v1/management/scheduling/appointments/bulk-move"
              hidden={{ doctor_uid: doctor === "" ? undefined : doctor, "from@from": from, "to@until": until }}
              class="stack"
            >
              <p class="help">{texts.moveAllHelp}</p>
              <Submit text={plural(language, texts.moveAll, targets.size)} />
            </Do>
          )}
          {hit.length === 0 ? null : (
            <Do
              operation="POST /v1/management/scheduling/appointments/bulk-cancel"
              hidden={{ doctor_uid: doctor === "" ? undefined : doctor, "from@from": from, "to@until": until }}
              class="stack"
            >
              <Field label={texts.reason} name="reason" required />
              <Submit text={texts.cancelAll} look="primary danger" />
            </Do>
          )}
        </Card>
      )}
    </>
  )
}
