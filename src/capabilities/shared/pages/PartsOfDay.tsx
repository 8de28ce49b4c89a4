import { partsOfDay } from "../../../pages/days.ts"
import { Choice } from "../../../pages/views/forms.tsx"
import { useTexts } from "../../../pages/views/pageLanguage.ts"
/** Boxes for the parts of the day; none ticked: all. */
export const PartsOfDay = () => {
  const { booking } = useTexts()
  return (
    <fieldset class="consents">
      <legend>{booking.whichParts}</legend>
      <div class="ticks">
        {partsOfDay.map((part) => (
          <Choice key={part} type="checkbox" name="part" value={part}>
            {booking.parts[part]}
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
