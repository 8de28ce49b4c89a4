import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Branding } from "../../schemas/access/Branding.ts"
import { useTexts } from "./pageLanguage.ts"

/** The practice's contact data, which the page's frame knows; null: the practice is unknown. */
export const PracticeContact = createContext<
  (Pick<Branding, "phone" | "support_email" | "address"> & { readonly timezone: string }) | null
>(null)

export const telephoneLink = (phone: string) => `tel:${phone.replace(/[^+\d]/g, "")}`

/** The next step where a page has no other: the practice's telephone, else its mail address, if it has told one. */
export const ContactPractice = () => {
  const { call, write } = useTexts().page
  const { phone = null, support_email = null } = useContext(PracticeContact) ?? {}
  const text = phone ?? support_email
  return text === null ? null : (
    <div class="actions">
      <a class="secondary" href={phone === null ? `mailto:${text}` : telephoneLink(phone)}>
        <span>
          {phone === null ? write : call} <bdi class={phone === null ? undefined : "whole"}>{text}</bdi>
        </span>
      </a>
    </div>
  )
}
