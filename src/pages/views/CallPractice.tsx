import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** The practice's telephone number, which the page's frame knows; null: none. */
export const Telephone = createContext<string | null>(null)

export const telephoneLink = (phone: string) => `tel:${phone.replace(/[^+\d]/g, "")}`

/** The next step where a page has no other: the practice's telephone, if it has told one. */
export const CallPractice = ({ language }: { readonly language: Language }) => {
  const phone = useContext(Telephone)
  return phone === null ? null : (
    <div class="actions">
      <a class="secondary" href={telephoneLink(phone)}>
        {catalogue[language].page.call} <bdi>{phone}</bdi>
      </a>
    </div>
  )
}
