import type { Bundles } from "../../../pages/manifest.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { languages } from "../../../texts/language.ts"
import { meetingTexts } from "../texts/meeting.ts"

/** What the pages of the call load: with its texts they change the language without a reload. */
export const bundles: Bundles = {
  meeting: "src/capabilities/video/pages/islands/meeting.tsx",
  "meeting-stylesheet": "src/capabilities/video/pages/styles/meeting.css",
  ...Object.fromEntries(
    languages.map((language) => [
      `texts-${language}`,
      () => ({ page: catalogue[language].page, meeting: meetingTexts(language) })
    ])
  )
}
