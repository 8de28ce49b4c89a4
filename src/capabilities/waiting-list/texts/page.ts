/** Texts of the patients' pages of the waiting list, and of its mails. */
import { pageTexts } from "../../shared/texts/own.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { ru } from "./ru.ts"
import { tr } from "./tr.ts"
import { uk } from "./uk.ts"

export const pageTextsOf = pageTexts({ de, en, tr, ar, uk, ru })
