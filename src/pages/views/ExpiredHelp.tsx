import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import { ReturnLink, type ReturnTarget } from "./bookingParts.tsx"

interface ExpiredHelpProps {
  readonly language: Language
  /** where a public booking begins; null: with the partner */
  readonly again: string | null
  readonly back: ReturnTarget | null
  readonly embedded: boolean
}

/** For an expired session: the entered text, restored by the script, and the link back to the partner. */
export const ExpiredHelp = ({ language, again, back, embedded }: ExpiredHelpProps) => (
  <>
    <div class="field" data-typed hidden>
      <label for="typed">{catalogue[language].booking.typedBefore}</label>
      <textarea id="typed" rows={4} readonly />
    </div>
    <div class="actions">
      {again === null ? null : (
        <a class="primary" href={again}>
          {catalogue[language].booking.startAgain}
        </a>
      )}
      <ReturnLink language={language} back={back} embedded={embedded} />
    </div>
  </>
)
