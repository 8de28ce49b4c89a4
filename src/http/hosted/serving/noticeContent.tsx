import type { ComponentChild } from "preact"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { catalogue } from "../../../texts/catalogue.ts"
import type { PageContent } from "./Respond.tsx"
import type { Visit } from "./visit.ts"

/** The kind of link that is invalid. */
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
        <ContactPractice />
      </NoticePage>
    )
  }
}

/** A page that could not be shown, with a link that only loads it with GET, so that no form is sent twice. */
const retryPage = (
  visit: Visit,
  { title, text, ...content }: Pick<PageContent, "title" | "status" | "facts"> & { readonly text: string }
): PageContent => ({
  ...content,
  title,
  script: "booking",
  stage: "error",
  anyFrame: true,
  body: (
    <NoticePage title={title} text={text}>
      <div class="actions">
        <a class="primary" href={visit.self}>
          {catalogue[visit.language].page.tryAgain}
        </a>
      </div>
    </NoticePage>
  )
})

/** 429: the client address has exceeded RATE_LIMIT_PER_SECOND. */
export const tooManyPage = (visit: Visit, retry_after_seconds: number) => {
  const { tooManyTitle: title, tooManyText: text } = catalogue[visit.language].page
  return retryPage(visit, { title, text, status: 429, facts: { reason: "busy", retry_after_seconds } })
}

/** An internal error (500), or a temporarily unavailable dependency (503). */
export const failedPage = (visit: Visit, status: 500 | 503) => {
  const { failedTitle: title, failedText: text } = catalogue[visit.language].page
  return retryPage(visit, { title, text, status, facts: { reason: "failed" } })
}

/** 404 for an unknown path. */
export const unknownPage = (visit: Visit): PageContent => {
  const { title, text } = catalogue[visit.language].page.unknown
  return { title, status: 404, stage: "error", body: <NoticePage title={title} text={text} /> }
}

/** The root page, for visitors without a link. */
export const welcomePage = (visit: Visit): PageContent => {
  const { title, text, developers } = catalogue[visit.language].page.welcome
  return {
    title,
    body: (
      <NoticePage title={title} text={text}>
        <p>
          <a href="/docs">{developers}</a>
        </p>
      </NoticePage>
    )
  }
}
