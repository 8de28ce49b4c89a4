import { Choice } from "./forms.tsx"
import { useTexts } from "./pageLanguage.ts"

/** A consent text, in the reader's language. */
export interface AskedConsent {
  readonly purpose: "data_processing" | "video"
  readonly version: string
  readonly required: boolean
  readonly text: string
}

/** The value of a ticked checkbox. */
export const consentValue = ({ purpose, version }: Pick<AskedConsent, "purpose" | "version">) => `${purpose}:${version}`

/** One checkbox per text; required ones must be ticked before the form can be sent. */
export const ConsentBoxes = ({
  asked,
  agreed
}: {
  readonly agreed: ReadonlyArray<string>
  readonly asked: ReadonlyArray<AskedConsent>
}) => {
  const texts = useTexts().consent
  return asked.length === 0 ? null : (
    <fieldset class="consents">
      <legend>{texts.title}</legend>
      {asked.map((one) => (
        <Choice
          key={one.purpose}
          type="checkbox"
          name="consent"
          value={consentValue(one)}
          required={one.required}
          checked={agreed.includes(consentValue(one))}
        >
          {one.text}
          {one.required || one.text.includes(texts.optional) ? null : ` (${texts.optional})`}
        </Choice>
      ))}
      <p class="help">{texts.help}</p>
    </fieldset>
  )
}
