import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** A text that the practice asks consent to, in the reader's language. */
export interface AskedConsent {
  readonly purpose: "data_processing" | "video"
  readonly version: string
  readonly required: boolean
  readonly text: string
}

/** A consent that stands, which can be withdrawn. */
export interface GivenConsent {
  readonly uid: string
  readonly purpose: AskedConsent["purpose"]
  /** when it was given, in words */
  readonly given: string
}

/** What a box of a consent sends. */
export const consentValue = ({ purpose, version }: Pick<AskedConsent, "purpose" | "version">) => `${purpose}:${version}`

/** One box a text: what is required has to be ticked before the form is sent. */
export const ConsentBoxes = ({
  language,
  asked
}: {
  readonly language: Language
  readonly asked: ReadonlyArray<AskedConsent>
}) =>
  asked.length === 0 ? null : (
    <fieldset class="consents">
      <legend>{catalogue[language].consent.title}</legend>
      {asked.map((one) => (
        <label key={one.purpose} class="consent">
          <input type="checkbox" name="consent" value={consentValue(one)} required={one.required} />
          <span>
            {one.text}
            {one.required ? null : ` (${catalogue[language].consent.optional})`}
          </span>
        </label>
      ))}
      <p class="help">{catalogue[language].consent.help}</p>
    </fieldset>
  )
