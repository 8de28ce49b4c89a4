import type { Patient } from "../../../schemas/access/Patient.ts"
import type { Consent } from "../../../schemas/patients/Consent.ts"
import type { Erased } from "../../../schemas/patients/PatientRights.ts"
import { fill } from "../../../texts/fill.ts"
import { Field, Press, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { calendarDate, moment } from "../parts/format.ts"
import { Consents } from "./Consents.tsx"
import { nameOf } from "./PatientPages.tsx"

/** A form that the page itself handles; it returns a file or a page. */
const Own = ({ action, text, format }: { action: string; text: string; format: string }) => {
  const { csrf } = useDesk()
  return (
    <form method="post" action={action} class="press">
      <input type="hidden" name="@csrf" value={csrf} />
      <input type="hidden" name="format" value={format} />
      <button type="submit" class="secondary">
        {text}
      </button>
    </form>
  )
}

interface RightsProps {
  readonly patient: Patient
  readonly consents: ReadonlyArray<Consent>
}

/** A patient's rights: export, rectify, restrict and erase the data, and withdraw a consent. */
export const RightsPage = ({ patient, consents }: RightsProps) => {
  const { practice } = useTexts()
  const { rights: texts } = practice
  const { language, zone, csrf } = useDesk()
  const page = `/console/practice/patients/${patient.uid}`
  const operation = `POST /v1/management/patients/${patient.uid}`
  const typed = useFormValues(`${operation}/erase`)
  const restricted = patient.restricted_at
  return (
    <>
      <header class="page-head">
        <h1>{`${texts.title}: ${nameOf(patient)}`}</h1>
        <a href={page}>{texts.toPatient}</a>
      </header>
      <div class="board two">
        <section class="card" aria-labelledby="export">
          <h2 id="export">{texts.export}</h2>
          <p class="help">{texts.exportHelp}</p>
          <Own action={`${page}/export`} text={texts.exportPage} format="html" />
          <Own action={`${page}/export`} text={texts.exportJson} format="json" />
        </section>
        <section class="card" aria-labelledby="rectify">
          <h2 id="rectify">{texts.rectify}</h2>
          <p class="help">{texts.rectifyHelp}</p>
          <a href={`${page}#details`}>{practice.details}</a>
        </section>
        <section class="card" aria-labelledby="restrict">
          <h2 id="restrict">{texts.restrict}</h2>
          <p class="help">
            {restricted === null
              ? texts.restrictHelp
              : fill(texts.restrictedSince, { time: moment(language, zone, restricted) })}
          </p>
          <Press
            operation={`${operation}/restrict`}
            hidden={{ restricted: String(restricted === null) }}
            text={restricted === null ? texts.restrictNow : texts.lift}
          />
        </section>
        <section class="card" aria-labelledby="consents">
          <h2 id="consents">{practice.consents}</h2>
          <Consents patient={patient.uid} consents={consents} />
        </section>
        <section class="card" aria-labelledby="erase">
          <h2 id="erase">{texts.erase}</h2>
          <p>{texts.eraseHelp}</p>
          <p class="help">{texts.keptHelp}</p>
          <form method="post" action={`${page}/erase`} class="stack">
            <input type="hidden" name="@csrf" value={csrf} />
            <Field label={practice.reason} name="reason" value={typed("reason", undefined)} required />
            <Field label={texts.sure} name="@sure" type="checkbox" required />
            <button type="submit" class="primary danger">
              {texts.eraseNow}
            </button>
          </form>
        </section>
      </div>
    </>
  )
}

/** The result of an erasure: what was erased and what is kept, why and until when. */
export const ErasedPage = ({ erased, kept }: Erased) => {
  const { rights: texts, erasedKinds, keptKinds } = useTexts().practice
  const namesOfErased: Readonly<Record<string, string>> = erasedKinds
  const textsOfKept: Readonly<Record<string, (typeof keptKinds)["erasure"]>> = keptKinds
  const { language } = useDesk()
  return (
    <>
      <header class="page-head">
        <h1>{texts.done}</h1>
      </header>
      <div class="board two">
        <section class="card" aria-labelledby="gone">
          <h2 id="gone">{texts.gone}</h2>
          <ul class="rows">
            {erased.map(({ what, count }) => (
              <li key={what}>
                <span class="grow">{namesOfErased[what] ?? what}</span>
                <span>{count}</span>
              </li>
            ))}
          </ul>
        </section>
        <section class="card" aria-labelledby="kept">
          <h2 id="kept">{texts.kept}</h2>
          <ul class="rows">
            {kept.map(({ what, count, why, until }) => (
              <li key={what}>
                <span class="grow">{`${textsOfKept[what]?.name ?? what} (${count}): ${textsOfKept[what]?.why ?? why}`}</span>
                <span class="help">
                  {until === null ? "" : fill(texts.until, { day: calendarDate(language, until) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}
