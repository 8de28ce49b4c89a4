/** All texts that people read, by language. Each language is one file; `de.ts` decides which keys there are. */
import { ar } from "./ar.ts"
import { de, type Texts } from "./de.ts"
import { en } from "./en.ts"
import { enUS } from "./en-US.ts"
import type { Language } from "./language.ts"
import { ru } from "./ru.ts"
import { tr } from "./tr.ts"
import { uk } from "./uk.ts"

export const catalogue: Readonly<Record<Language, Texts>> = { de, en, "en-US": enUS, tr, ar, uk, ru }
