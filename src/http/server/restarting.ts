/** The response of a process that is starting or stopping (Rule 5.5.9): no organisation, style sheet or script is available. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { catalogue } from "../../texts/catalogue.ts"
import { directionOf, negotiateLanguage } from "../../texts/language.ts"
import { reply } from "../problems.ts"
import { asksForPage } from "./UnknownRoutePage.ts"

const RETRY_AFTER_SECONDS = 1
const commonHeaders = { "retry-after": String(RETRY_AFTER_SECONDS), "cache-control": "no-store" }

const page = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const language = negotiateLanguage({ acceptLanguage: headers["accept-language"] })
  const { failedTitle, failedText } = catalogue[language].page
  return HttpServerResponse.text(
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2"><title>${failedTitle}</title></head><body><main><h1>${failedTitle}</h1>
<p>${failedText}</p><p><a href="">${catalogue[language].page.tryAgain}</a></p></main></body></html>`,
    {
      status: 503,
      contentType: "text/html; charset=utf-8",
      headers: { ...commonHeaders, "content-security-policy": "default-src 'none'", "referrer-policy": "no-referrer" }
    }
  )
}

/** 503: JSON for API clients; for browsers a page that reloads itself, since its reader may be waiting for an appointment. */
export const restarting = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  asksForPage(request)
    ? Effect.succeed(page(request))
    : reply(503, "unavailable", "This process is starting or ending: try again", {
        ...commonHeaders,
        "x-content-type-options": "nosniff"
      })
)
