import type { ComponentChild } from "preact"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { catalogue } from "../../../texts/catalogue.ts"
import type { PageContent } from "./Respond.tsx"
import type { Visit } from "./visit.ts"

/** Which link it is that does not hold. */
export type LinkKind = "booking" | "appointment" | "meeting"

/** A link that is unknown or no longer valid. */
export const notFoundPage = (visit: Visit, kind: LinkKind, help?: ComponentChild): PageContent => {
  const texts = catalogue[visit.language].page.notFound
  return {
    title: texts.title,
    status: 404,
    ...(kind === "booking" ? { script: "booking", stage: "expired", anyFrame: true } : { stage: "error" }),
    body: (
      <NoticePage title={texts.title} text={texts[kind]}>
        <p>{texts.help}</p>
        {help}
      </NoticePage>
    )
  }
}

/** More requests from one address than RATE_LIMIT_PER_SECOND allows. */
export const tooManyPage = (visit: Visit): PageContent => {
  const texts = catalogue[visit.language].page
  return {
    title: texts.tooManyTitle,
    status: 429,
    stage: "error",
    body: <NoticePage title={texts.tooManyTitle} text={texts.tooManyText} />
  }
}

/** An address that leads nowhere. */
export const unknownPage = (visit: Visit): PageContent => {
  const { title, text } = catalogue[visit.language].page.unknown
  return { title, status: 404, stage: "error", body: <NoticePage title={title} text={text} /> }
}

/** The service's own address, where people come without a link. */
export const welcomePage = (visit: Visit, documentation: string): PageContent => {
  const { title, text, developers } = catalogue[visit.language].page.welcome
  return {
    title,
    body: (
      <NoticePage title={title} text={text}>
        <p>
          <a href={documentation}>{developers}</a>
        </p>
      </NoticePage>
    )
  }
}

/** A fault of ours, which is in the log. */
export const failedPage = (visit: Visit): PageContent => {
  const texts = catalogue[visit.language].page
  return {
    title: texts.failedTitle,
    status: 500,
    stage: "error",
    anyFrame: true,
    body: <NoticePage title={texts.failedTitle} text={texts.failedText} />
  }
}
