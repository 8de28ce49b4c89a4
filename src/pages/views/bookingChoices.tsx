import { fill } from "../../texts/fill.ts"
import { localeOf } from "../../texts/language.ts"
import { offeredZones } from "../../texts/zones.ts"
import { type PartOfDay, partsOfDay } from "../days.ts"
import { cityWithOffset, zoneName } from "../time.ts"
import { useLanguage, useTexts } from "./pageLanguage.ts"

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
  const collator = new Intl.Collator(localeOf(language))
  const zones = [...new Set([zone, ...offeredZones])]
    .map((one) => ({ one, name: zoneName(language, one, at) }))
    .sort((a, b) => collator.compare(a.name, b.name))
  return (
    <form class="choices" data-choices method="get" action={data.self}>
      {Object.entries(data.kept)
        .filter(([name]) => !["doctor", "part", "zone"].includes(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      {data.doctors.length < 2 ? null : (
        <div class="field">
          <label for="doctor">{texts.doctor}</label>
          <select id="doctor" name="doctor">
            <option value="">{texts.anyDoctor}</option>
            {data.doctors.map(({ doctor_uid, doctor_name }) => (
              <option key={doctor_uid} value={doctor_uid} selected={doctor_uid === data.doctor_uid}>
                {doctor_name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for="part">{texts.part}</label>
        <select id="part" name="part">
          <option value="">{texts.parts.any}</option>
          {partsOfDay.map((part) => (
            <option key={part} value={part} selected={part === data.part}>
              {texts.parts[part]}
            </option>
          ))}
        </select>
      </div>
      <details class="zone">
        <summary>
          {fill(texts.zoneLine, { zone: cityWithOffset(language, zone, at) })} · <span>{texts.changeZone}</span>
        </summary>
        <div class="field">
          <label for="zone">{texts.zone}</label>
          <select id="zone" name="zone">
            {zones.map(({ one, name }) => (
              <option key={one} value={one} selected={one === zone}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </details>
      <button type="submit" class="secondary">
        {texts.apply}
      </button>
    </form>
  )
}
