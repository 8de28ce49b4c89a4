/** All texts that people read, by language. Each language is one file; `de.ts` decides which keys there are. */
import { de, type Texts } from "./de.ts"
import { en } from "./en.ts"
import type { Language } from "./language.ts"

export const catalogue: Readonly<Record<Language, Texts>> = { de, en }
