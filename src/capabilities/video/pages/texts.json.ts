import { catalogue } from "../../../texts/catalogue.ts"
import { languages } from "../../../texts/language.ts"
import { meetingTexts } from "../texts/meeting.ts"

/** The texts that a page loads when its language is changed during a call. */
export const files = Object.fromEntries(
  languages.map((language) => [
    `texts-${language}`,
    { page: catalogue[language].page, meeting: meetingTexts(language) }
  ])
)
