import { fill } from "../../texts/fill.ts"
import { localeOf } from "../../texts/language.ts"
import { offeredZones } from "../../texts/zones.ts"
import { type PartOfDay, partsOfDay } from "../days.ts"
import { cityWithOffset, zoneName } from "../time.ts"
import { DoctorField, SelectField } from "./forms.tsx"
import { useLanguage, useTexts } from "./pageLanguage.ts"
import { usePlaceName } from "./placeName.ts"

/** The filters of the list of times, and the query that their links keep. */
export interface ChoicesData {
  readonly now: number
  /** this page's path, to which filters are added as a query */
  readonly self: string
  /** the query that links keep: language, zone, doctor, frame */
  readonly kept: Readonly<Record<string, string>>
  readonly doctors: ReadonlyArray<{ readonly doctor_uid: string; readonly doctor_name: string }>
  readonly doctor_uid: string | null
  readonly part: PartOfDay | null
}

interface ChoicesProps {
  readonly data: ChoicesData
  readonly zone: string
  /** the instant at which offsets are shown, Unix seconds */
  readonly at: number
}

/**
 * Doctor, part of the day and zone, as a plain GET form. With JavaScript, a choice by mouse or touch submits
 * immediately; a choice by keyboard waits for the button, since the arrow keys pass through every option.
 */
export const Choices = ({ data, zone, at }: ChoicesProps) => {
  const language = useLanguage()
  const texts = useTexts().booking
  const placeOf = usePlaceName()
  const collator = new Intl.Collator(localeOf(language))
  const zones = [...new Set([zone, ...offeredZones])]
    .map((one) => [one, zoneName(language, one, at)] as const)
    .sort(([, a], [, b]) => collator.compare(a, b))
  return (
    <form class="choices" data-choices method="get" action={data.self}>
      {Object.entries(data.kept)
        .filter(([name]) => !["doctor", "part", "zone"].includes(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <DoctorField of={data.doctors} chosen={data.doctor_uid} />
      <SelectField
        name="part"
        label={texts.part}
        of={[["", texts.parts.any], ...partsOfDay.map((part) => [part, texts.parts[part]] as const)]}
        chosen={data.part}
      />
      <details class="zone">
        <summary>
          {fill(texts.zoneLine, { zone: placeOf(zone, at, cityWithOffset) })} · <span>{texts.changeZone}</span>
        </summary>
        <SelectField name="zone" label={texts.zone} of={zones} chosen={zone} />
      </details>
      <button type="submit" class="secondary">
        {texts.apply}
      </button>
    </form>
  )
}
