import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** A consent text, in the reader's language. */
export interface AskedConsent {
  readonly purpose: "data_processing" | "video"
  readonly version: string
  readonly required: boolean
  readonly text: string
}

/** A valid consent, which can be withdrawn. */
export interface GivenConsent {
  readonly uid: string
  readonly purpose: AskedConsent["purpose"]
  /** when it was given, in words */
  readonly given: string
}

/** The value of a ticked checkbox. */
export const consentValue = ({ purpose, version }: Pick<AskedConsent, "purpose" | "version">) => `${purpose}:${version}`

/** One checkbox per text; required ones must be ticked before the form can be sent. */
export const ConsentBoxes = ({
  language,
  asked,
  agreed
}: {
  readonly language: Language
  readonly agreed: ReadonlyArray<string>
  readonly asked: ReadonlyArray<AskedConsent>
}) =>
  asked.length === 0 ? null : (
    <fieldset class="consents">
      <legend>{catalogue[language].consent.title}</legend>
      {asked.map((one) => (
        <label key={one.purpose} class="consent">
          <input
            type="checkbox"
            name="consent"
            value={consentValue(one)}
            required={one.required}
            checked={agreed.includes(consentValue(one))}
          />
          <span>
            {one.text}
            {one.required ? null : ` (${catalogue[language].consent.optional})`}
          </span>
        </label>
      ))}
      <p class="help">{catalogue[language].consent.help}</p>
    </fieldset>
  )
