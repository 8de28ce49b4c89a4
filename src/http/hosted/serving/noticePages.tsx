import { frameTexts } from "../texts/frame.ts"
import { NoticePage } from "../views/NoticePage.tsx"
import type { PageContent } from "./Respond.tsx"
import type { Visit } from "./visit.ts"

/** Which link it is that does not hold. */
export type LinkKind = "Booking" | "Appointment" | "Meeting"

/** A link that is unknown or no longer valid. */
export const notFoundPage = (visit: Visit, kind: LinkKind): PageContent => {
  const texts = frameTexts[visit.language]
  return {
    title: texts.notFoundTitle,
    status: 404,
    stage: "error",
    body: (
      <NoticePage title={texts.notFoundTitle} text={texts[`notFound${kind}`]}>
        <p>{texts.notFoundHelp}</p>
      </NoticePage>
    )
  }
}

/** A fault of ours, which is in the log. */
export const failedPage = (visit: Visit): PageContent => {
  const texts = frameTexts[visit.language]
  return {
    title: texts.failedTitle,
    status: 500,
    stage: "error",
    body: <NoticePage title={texts.failedTitle} text={texts.failedText} />
  }
}
