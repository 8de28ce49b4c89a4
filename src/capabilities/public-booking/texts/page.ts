/** Texts of the pages of public booking, and of the mail with its code. */
import { pageTexts } from "../../shared/texts/own.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { ru } from "./ru.ts"
import { tr } from "./tr.ts"
import { uk } from "./uk.ts"

export const pageTextsOf = pageTexts({ de, en, "en-US": { how: "By video or at the office?" }, tr, ar, uk, ru })
