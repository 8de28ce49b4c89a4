import { useContext } from "preact/hooks"
import { type cityWithOffset, zoneName } from "../time.ts"
import { PracticeContact } from "./ContactPractice.tsx"
import { useLanguage } from "./pageLanguage.ts"

/** `Hamburg` of `Marktplatz 1, 20095 Hamburg`; undefined where no postal code says which word is the town. */
export const townIn = (address: string | null) => /\b\d{4,5}\s+(\p{L}[\p{L} .()/-]*)/u.exec(address ?? "")?.[1]?.trim()

/** Where the clock is: the practice's own town in the practice's zone, otherwise a city of the zone with its offset. */
export const usePlaceName = () => {
  const language = useLanguage()
  const practice = useContext(PracticeContact)
  return (zone: string, at: number, name: typeof zoneName | typeof cityWithOffset = zoneName) =>
    (practice?.timezone === zone ? townIn(practice.address) : undefined) ?? name(language, zone, at)
}
