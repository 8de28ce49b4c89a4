import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { type Language, localeOf } from "../../texts/language.ts"
import { specialtyIn } from "../../texts/specialties.ts"
import { commaIn } from "../time.ts"
import { useLanguage } from "./pageLanguage.ts"

/** A doctor's public profile. */
export interface DoctorFacts {
  readonly uid: string
  readonly display_name: string
  readonly title: string | null
  readonly specialty: string | null
  /** BCP 47 */
  readonly languages: ReadonlyArray<string>
  readonly picture: string | null
}

/** A type's public description. */
export interface TypeFacts {
  readonly name: string
  readonly description: string | null
  readonly preparation: string | null
  readonly cancellation_rule: string | null
  readonly price: string | null
  readonly formats: ReadonlyArray<"DIGITAL" | "IN_PERSON">
}

/** `Dr. med. Ada Weber`: the title is omitted if the name already begins with it. */
export const fullName = ({ title, display_name }: Pick<DoctorFacts, "title" | "display_name">) =>
  title === null || display_name.startsWith(title) ? display_name : `${title} ${display_name}`

/** Within a sentence: Ukrainian and Russian write names of languages in lower case. */
const inSentence = (language: Language, name: string) =>
  language === "uk" || language === "ru" ? name.toLocaleLowerCase(language) : name

/** `Allgemeinmedizin · spricht Deutsch, Englisch`; null if nothing is known. */
export const doctorLine = (language: Language, { specialty, languages }: DoctorFacts) => {
  const names = new Intl.DisplayNames(localeOf(language), { type: "language", fallback: "code" })
  const spoken = languages.map((tag) => inSentence(language, names.of(tag) ?? tag)).join(`${commaIn(language)} `)
  const parts = [
    ...(specialty === null ? [] : [specialtyIn(language, specialty)]),
    ...(spoken === "" ? [] : [fill(catalogue[language].booking.speaks, { languages: spoken })])
  ]
  return parts.length === 0 ? null : parts.join(" · ")
}

/** Picture, name, specialty and languages. */
export const DoctorCard = ({ doctor }: { readonly doctor: DoctorFacts }) => {
  const language = useLanguage()
  const line = doctorLine(language, doctor)
  return (
    <div class="doctor-card">
      {doctor.picture === null ? null : <img src={doctor.picture} alt="" width={56} height={56} />}
      <p>
        <strong>{fullName(doctor)}</strong>
        {line === null ? null : <span>{line}</span>}
      </p>
    </div>
  )
}

interface FactListProps {
  readonly facts: ReadonlyArray<readonly [label: string, text: string | null]>
}

/** The known details of a type, as terms and texts. */
export const FactList = ({ facts }: FactListProps) => {
  const known = facts.filter(([, text]) => text !== null)
  return known.length === 0 ? null : (
    <dl class="facts">
      {known.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
