/** Texts of the call and of the device check. */
import { catalogue } from "../../../texts/catalogue.ts"
import type { Language } from "../../../texts/language.ts"
import { pageTexts } from "../../shared/texts/own.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { guestTexts } from "./guest.ts"
import { ru } from "./ru.ts"
import { tr } from "./tr.ts"
import { uk } from "./uk.ts"

const own = pageTexts({
  de,
  en,
  "en-US": { endings: { ...en.endings, cancelled: "Your appointment was canceled" } },
  tr,
  ar,
  uk,
  ru
})

export const meetingTexts = (language: Language) => {
  const { toAppointment, tryAgain } = catalogue[language].page
  return { ...own(language), toAppointment, tryAgain, roles: guestTexts(language).roles }
}
export type MeetingTexts = ReturnType<typeof meetingTexts>
