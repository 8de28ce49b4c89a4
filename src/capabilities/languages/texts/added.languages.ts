/** The languages that this capability adds, with their texts. */
import { ar, arNotices } from "./ar.ts"
import { enUS } from "./en-US.ts"
import { ru, ruNotices } from "./ru.ts"
import { tr, trNotices } from "./tr.ts"
import { uk, ukNotices } from "./uk.ts"

export const languages = {
  "en-US": { texts: enUS },
  tr: { texts: tr, notices: trNotices },
  ar: { texts: ar, notices: arNotices },
  uk: { texts: uk, notices: ukNotices },
  ru: { texts: ru, notices: ruNotices }
}
