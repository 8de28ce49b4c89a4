import type { Patient } from "../../../schemas/access/Patient.ts"
import { fill } from "../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Press, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import { calendarDate, moment } from "../../shared/pages/format.ts"
import { nameOf } from "../../shared/pages/rows.tsx"
import type { Erased } from "../schemas/PatientRights.ts"
import { deskTextsOf } from "../texts/desk.ts"

const useOwnTexts = () => deskTextsOf(useDesk().language)

/** A form that the page itself handles; it returns a file or a page. */
const Own = ({ action, text, format }: { action: string; text: string; format: string }) => {
  const { csrf } = useDesk()
  return (
    <form method="post" action={action} class="press">
      <input type="hidden" name="@csrf" value={csrf} />
      <input type="hidden" name="format" value={format} />
      <Submit text={text} look="secondary" />
    </form>
  )
}

interface RightsProps {
  readonly patient: Patient
}

/** A patient's rights: export, rectify, restrict and erase the data. */
export const RightsPage = ({ patient }: RightsProps) => {
  const { words } = useTexts()
  const { rights: texts } = useOwnTexts()
  const { language, zone } = useDesk()
  const page = `/console/practice/patients/${patient.uid}`
  const operation = `POST /v1/management/patients/${patient.uid}`
  const restricted = patient.restricted_at
  return (
    <>
      <PageHead title={`${texts.title}: ${nameOf(patient)}`}>
        <a href={page}>{texts.toPatient}</a>
      </PageHead>
      <div class="board two">
        <Card id="export" title={texts.export}>
          <p class="help">{texts.exportHelp}</p>
          <Own action={`${page}/export`} text={texts.exportPage} format="html" />
          <Own action={`${page}/export`} text={texts.exportJson} format="json" />
        </Card>
        <Card id="rectify" title={texts.rectify}>
          <p class="help">{texts.rectifyHelp}</p>
          <a href={`${page}#details`}>{words.details}</a>
        </Card>
        <Card id="restrict" title={texts.restrict}>
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
        </Card>
        <Card id="consents" title={texts.consents}>
          <p class="help">{texts.consentsHelp}</p>
          <a href={`${page}#consents`}>{texts.consents}</a>
        </Card>
        <Card id="erase" title={texts.erase}>
          <p>{texts.eraseHelp}</p>
          <p class="help">{texts.keptHelp}</p>
          <Do operation={`${operation}/erase`} to={`patients/${patient.uid}/erase`}>
            <Field label={words.reason} name="reason" required />
            <Field label={texts.sure} name="@sure" type="checkbox" required />
            <Submit text={texts.eraseNow} look="primary danger" />
          </Do>
        </Card>
      </div>
    </>
  )
}

/** The result of an erasure: what was erased and what is kept, why and until when. */
export const ErasedPage = ({ erased, kept }: Erased) => {
  const { rights: texts, erasedKinds, keptKinds } = useOwnTexts()
  const namesOfErased: Readonly<Record<string, string>> = erasedKinds
  const textsOfKept: Readonly<Record<string, (typeof keptKinds)["erasure"]>> = keptKinds
  const { language } = useDesk()
  return (
    <>
      <PageHead title={texts.done} />
      <div class="board two">
        <Card id="gone" title={texts.gone}>
          <ul class="rows">
            {erased.map(({ what, count }) => (
              <li key={what}>
                <span class="grow">{namesOfErased[what] ?? what}</span>
                <span>{count}</span>
              </li>
            ))}
          </ul>
        </Card>
        <Card id="kept" title={texts.kept}>
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
        </Card>
      </div>
    </>
  )
}
