import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** The language of the page, which its frame knows. */
export const PageLanguage = createContext<Language>("de")

export const useLanguage = () => useContext(PageLanguage)
export const useTexts = () => catalogue[useLanguage()]
