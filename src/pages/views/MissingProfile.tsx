import { COUNTRY_CODES } from "../../schemas/checkout/countryCodes.ts"
import type { AskedProfileField } from "../../schemas/hosted/askedProfile.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { type Language, localeOf } from "../../texts/language.ts"
import { Options } from "./forms.tsx"
import { useLanguage, useTexts } from "./pageLanguage.ts"

/** A profile field to complete. */
export interface MissingField {
  readonly name: AskedProfileField
  /** as entered before */
  readonly value: string
  /** the value entered cannot be used */
  readonly faulty: boolean
}

const autocompletes: Readonly<Record<AskedProfileField, string>> = {
  first_name: "given-name",
  last_name: "family-name",
  date_of_birth: "bday",
  gender: "sex",
  email: "email",
  phone: "tel",
  street: "street-address",
  zip: "postal-code",
  city: "address-level2",
  country_code: "country"
}

const types = {
  date_of_birth: { type: "date", min: "1900-01-01" },
  email: { type: "email" },
  phone: { type: "tel" },
  text: { type: "text" }
} as const
const typeOf = (name: AskedProfileField) =>
  types[name === "date_of_birth" || name === "email" || name === "phone" ? name : "text"]

const labelOf = (language: Language, name: AskedProfileField) => {
  const { person, booking } = catalogue[language]
  const { gender, street, zip, city, country } = booking.missing
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    date_of_birth: person.birthDate,
    gender,
    email: person.email,
    phone: person.phone,
    street,
    zip,
    city,
    country_code: country
  }[name]
}

const faultOf = (language: Language, name: AskedProfileField) => {
  const { faults, invalid } = catalogue[language].person
  if (name === "first_name" || name === "last_name") return faults.name
  return name === "email" || name === "phone" || name === "date_of_birth" ? faults[name] : invalid
}

/** The values of a select, each with its name; null for a field that is typed. */
const optionsOf = (
  language: Language,
  name: AskedProfileField
): ReadonlyArray<readonly [value: string, text: string]> | null => {
  const { genders } = catalogue[language].booking.missing
  if (name === "gender")
    return [
      ["", genders.unsaid],
      ["female", genders.female],
      ["male", genders.male],
      ["divers", genders.divers]
    ]
  if (name !== "country_code") return null
  const names = new Intl.DisplayNames(localeOf(language), { type: "region" })
  const collator = new Intl.Collator(localeOf(language))
  const countries = [...COUNTRY_CODES].map((code) => [code, names.of(code) ?? code] as const)
  return [["", "–"], ...countries.sort(([, one], [, other]) => collator.compare(one, other))]
}

const Field = ({ field }: { readonly field: MissingField }) => {
  const language = useLanguage()
  const { name, value, faulty } = field
  const id = `profile_${name}`
  const options = optionsOf(language, name)
  const described = faulty ? ({ "aria-invalid": "true", "aria-describedby": `${id}_fault` } as const) : {}
  return (
    <div class="field">
      <label for={id}>{labelOf(language, name)}</label>
      {options === null ? (
        <input id={id} name={id} {...typeOf(name)} autocomplete={autocompletes[name]} value={value} {...described} />
      ) : (
        <select id={id} name={id} autocomplete={autocompletes[name]} {...described}>
          <Options of={options} chosen={value} />
        </select>
      )}
      {faulty ? (
        <p id={`${id}_fault`} class="fault">
          {faultOf(language, name)}
        </p>
      ) : null}
    </div>
  )
}

/** Fields to complete; all may be left empty. Rule 1.6.6. */
export const MissingProfile = ({ missing }: { readonly missing: ReadonlyArray<MissingField> }) => {
  const texts = useTexts().booking.missing
  return missing.length === 0 ? null : (
    <fieldset class="consents">
      <legend>{texts.title}</legend>
      <p class="help">{texts.text}</p>
      {missing.map((field) => (
        <Field key={field.name} field={field} />
      ))}
    </fieldset>
  )
}
