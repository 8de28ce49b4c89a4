import { ReturnLink, type ReturnTarget } from "./bookingParts.tsx"
import { useTexts } from "./pageLanguage.ts"

interface ExpiredHelpProps {
  /** where the patient begins again; null: with the partner */
  readonly again: string | null
  readonly back: ReturnTarget | null
  readonly embedded: boolean
}

/** For an expired session: the entered text, restored by the script, and the link back to the partner. */
export const ExpiredHelp = ({ again, back, embedded }: ExpiredHelpProps) => (
  <>
    <div class="field" data-typed hidden>
      <label for="typed">{useTexts().booking.typedBefore}</label>
      <textarea id="typed" rows={4} readonly />
    </div>
    <div class="actions">
      {again === null ? null : (
        <a class="primary" href={again}>
          {useTexts().booking.startAgain}
        </a>
      )}
      <ReturnLink back={back} embedded={embedded} />
    </div>
  </>
)
