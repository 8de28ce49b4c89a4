import { optionalNoticeKinds } from "../../../../schemas/notifications/notices.ts"
import type { ConsentText } from "../../../../schemas/patients/Consent.ts"
import { fill } from "../../../../texts/fill.ts"
import { languages } from "../../../../texts/language.ts"
import { noticeName } from "../../../../texts/notices.ts"
import {
  Card,
  Do,
  Field,
  listFields,
  PageHead,
  Press,
  Submit,
  useDesk,
  YesNoField
} from "../../../shared/pages/Desk.tsx"
import { languageName } from "../../../shared/pages/format.ts"
import { Boxes } from "../../../shared/pages/rows.tsx"
import type { Organisation } from "../../../shared/schemas/Organisation.ts"
import { retentionKinds } from "../../../shared/schemas/retention.ts"
import { useTexts } from "../useTexts.ts"
import { Origins } from "./Origins.tsx"

const operation = "PATCH /v1/management/organisation"
const purposes = ["data_processing", "video"] as const

/** One consent text; the others are sent as hidden fields, since the list is replaced as a whole. */
const ConsentForm = ({
  purpose,
  one,
  others
}: {
  readonly purpose: ConsentText["purpose"]
  readonly one: ConsentText | undefined
  readonly others: ReadonlyArray<ConsentText>
}) => {
  const { practice: texts, frame } = useTexts()
  const name = `consent.${others.length}`
  const hidden = listFields("consent", others)
  const rows = [...(one?.texts ?? []), { language: "", text: "" }]
  const { language: own } = useDesk()
  const tags = [...new Set([...languages, ...(one?.texts ?? []).map(({ language }) => language)])]
  const choices = [["", texts.noLanguage], ...tags.map((tag) => [tag, languageName(own, tag)] as const)] as const
  return (
    <details>
      <summary>{`${texts.purposes[purpose]}: ${one === undefined ? texts.notAsked : one.version}`}</summary>
      <Do operation={operation} hidden={{ ...hidden, [`${name}.purpose`]: purpose }}>
        <div class="entries">
          <Field label={texts.consentVersion} name={`${name}.version`} value={one?.version} required />
          <YesNoField label={texts.consentRequired} name={`${name}.required`} value={one?.required ?? true} />
        </div>
        {rows.map(({ language, text }, index) => (
          <div key={language} class="entries">
            <Field
              label={`${texts.language} ${index + 1}`}
              name={`${name}.texts.${index}.language`}
              value={language}
              options={choices}
            />
            <Field
              label={`${texts.consentText} ${index + 1}`}
              name={`${name}.texts.${index}.text`}
              rows={4}
              value={text}
            />
          </div>
        ))}
        <Submit text={frame.save} />
      </Do>
      {one === undefined ? null : (
        <Press
          operation={operation}
          hidden={hidden}
          text={texts.askNoMore}
          label={`${texts.askNoMore}: ${texts.purposes[purpose]}`}
          look="quiet"
        />
      )}
    </details>
  )
}

/** The practice's settings for all of its patients. */
export const OrganisationPage = ({ organisation }: { readonly organisation: Organisation }) => {
  const { practice: texts, frame } = useTexts()
  const { language, names } = useDesk()
  const nameOf: Readonly<Record<string, string>> = { ...texts.kept, ...names.kept }
  const { consent, retention, return_url_origins } = organisation
  return (
    <>
      <PageHead title={texts.pages.settings} />
      <div class="board">
        <Card id="limits" title={texts.limits}>
          <Do operation={operation}>
            {(["patient_live_holds_max", "patient_future_appointments_max"] as const).map((name) => (
              <Field
                key={name}
                label={texts.limitOf[name]}
                name={name}
                type="number"
                min={1}
                value={organisation[name]}
                required
              />
            ))}
            <Submit text={frame.save} />
          </Do>
        </Card>
        <Card id="mails" title={texts.mailsToPatients}>
          <Do operation={operation}>
            <input type="hidden" name="messages" value="" />
            <Boxes
              name="messages"
              of={optionalNoticeKinds.map((kind) => [kind, noticeName(kind, language)])}
              isTicked={(kind) => organisation.messages.some((own) => own === kind)}
            />
            <Submit text={frame.save} />
          </Do>
          <h3>{texts.returnOrigins}</h3>
          <Origins name="return_url_origins" label={texts.returnOrigin} origins={return_url_origins} />
        </Card>
        <Card id="consents" title={texts.consents}>
          <p class="help">{texts.consentsHelp}</p>
          {purposes.map((purpose) => (
            <ConsentForm
              key={purpose}
              purpose={purpose}
              one={consent.find((text) => text.purpose === purpose)}
              others={consent.filter((text) => text.purpose !== purpose)}
            />
          ))}
        </Card>
      </div>
      <Card id="retention" title={texts.retention}>
        <p class="help">{texts.retentionHelp}</p>
        <Do operation={operation}>
          <div class="entries">
            {Object.entries(retentionKinds()).map(([kind, { minimum, days }]) => (
              <Field
                key={kind}
                label={nameOf[kind] ?? kind}
                name={`retention.${kind}`}
                type="number"
                min={minimum}
                value={retention[kind]}
                help={fill(texts.keptUsually, { n: String(days) })}
                required
              />
            ))}
          </div>
          <Submit text={frame.save} />
        </Do>
      </Card>
    </>
  )
}
