/** All texts that people read, by language. Each language is one file, further ones are added by a capability; `de.ts` decides which keys there are. */
import { de, type Texts } from "./de.ts"
import { en } from "./en.ts"
import { addWritten, type Language } from "./language.ts"
import { addCoreNotices, type CoreNotices } from "./notices.ts"

/** Without texts of its own a language has the English ones. */
const all: Record<Language, Texts> = { de, en, "en-US": en, tr: en, ar: en, uk: en, ru: en }
export const catalogue: Readonly<Record<Language, Texts>> = all

/** A further language: all texts of the core, and those of its messages where they are not the English ones. */
interface AddedLanguage {
  readonly texts: Texts
  readonly notices?: CoreNotices
}
export type AddedLanguages = Readonly<Partial<Record<Language, AddedLanguage>>>

/** Called at start. */
export const addLanguages = (added: AddedLanguages) => {
  for (const [language, { texts, notices }] of Object.entries(added)) {
    Object.assign(all, { [language]: texts })
    if (notices !== undefined) addCoreNotices(language, notices)
  }
  addWritten(added)
}
