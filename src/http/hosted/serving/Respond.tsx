import { type HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { ComponentChild } from "preact"
import { renderToString } from "preact-render-to-string"
import { Settings } from "../../../config.ts"
import { Page } from "../../../pages/views/Page.tsx"
import { isOrigin, type PageHost } from "../../../services/hosted/PageHosts.ts"
import { Service } from "../../../services/Service.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { writtenLanguages } from "../../../texts/language.ts"
import { Assets } from "./Assets.ts"
import { makeNonce, pageHeaders } from "./headers.ts"
import type { Visit } from "./visit.ts"

/** One page without the document around it. */
export interface PageContent {
  readonly title: string
  readonly body: ComponentChild
  readonly status?: number
  /** The names of its script, and of a stylesheet beside the common one. */
  readonly script?: string
  readonly stylesheet?: string
  /** Its texts in a language, by the beginning of the asset's name, for a page that changes the language without a reload. */
  readonly texts?: string
  readonly stage?: string
  /** The URL that reloads the page, if it is not the requested one. */
  readonly address?: string
  readonly facts?: Readonly<Record<string, string | number>>
  /** Whether any site may frame the page: it shows no personal data and changes nothing. */
  readonly anyFrame?: boolean
  /** Whether the page holds a call: it may use camera and microphone and open a socket. */
  readonly call?: boolean
}

/** Renders pages to responses: document, nonce, headers. */
export class Respond extends Service<Respond>()("hosted/Respond", {
  effect: Effect.gen(function* () {
    const assets = yield* Assets
    const { baseUrl, meetingsUrl } = yield* Settings
    const ownOrigin = new URL(baseUrl).origin
    const { pathname, host, protocol } = new URL(meetingsUrl)
    const prefix = pathname.replace(/\/$/, "")
    const socketOrigin = `${protocol === "https:" ? "wss" : "ws"}://${host}`
    /** A router path below the path of MEETINGS_URL. The cast is safe: it begins with a slash. */
    const route = (path: `/${string}`) => `${prefix}${path}` as HttpRouter.PathInput
    const assetOf = (name: string) => {
      const { file, integrity } = assets.of(name)
      return { address: `${prefix}/assets/${file}`, integrity }
    }

    /** `host` is null if the organisation is unknown: then no site may frame the page. */
    const page = (visit: Visit, host: PageHost | null, content: PageContent) => {
      const nonce = makeNonce()
      const claimed = visit.parent === undefined ? [] : [visit.parent].filter(isOrigin)
      // a page of the doctor may have the call beside the patient's card
      const own = visit.self.startsWith(`${prefix}/meeting/`) ? [ownOrigin] : []
      const ancestors = content.anyFrame ? claimed : [...(host?.ancestors ?? []), ...own]
      const parentOrigin = claimed.find((origin) => ancestors.includes(origin)) ?? null
      const texts = catalogue[visit.language].page
      // a page that says itself that there are too many requests, or a fault
      const isProblem = content.status === 429 || (content.status ?? 200) >= 500
      // a form that could not be taken; every other notice belongs to the page of its form
      const notice =
        visit.notice === "busy" ? texts.tooManyText : visit.notice === "failed" ? texts.failedText : undefined
      const problem = isProblem ? undefined : notice
      const document = (
        <Page
          frame={{
            language: visit.language,
            nonce,
            languages: writtenLanguages().map((language) => ({
              language,
              address: visit.inLanguage(language, content.address),
              texts: content.texts === undefined ? undefined : assetOf(`${content.texts}-${language}`).address
            })),
            stylesheets: [
              assetOf("stylesheet"),
              ...(content.stylesheet === undefined ? [] : [assetOf(content.stylesheet)])
            ],
            embedded: parentOrigin !== null,
            parentOrigin,
            theme: visit.theme,
            practice: host === null ? null : { name: host.name, branding: host.branding, timezone: host.timezone }
          }}
          title={problem === undefined ? content.title : `${texts.attention}: ${content.title}`}
          script={content.script === undefined ? undefined : assetOf(content.script)}
          stage={problem === undefined ? (content.stage ?? "notice") : "error"}
          address={content.address ?? (visit.notice === undefined ? undefined : visit.self)}
          facts={problem === undefined ? content.facts : { reason: visit.notice ?? "" }}
        >
          {problem === undefined ? null : (
            <p class="notice warn top" role="alert" tabindex={-1}>
              {problem}
            </p>
          )}
          {content.body}
        </Page>
      )
      const headers = pageHeaders({
        nonce,
        ancestors,
        ...(content.call === true && { connect: [socketOrigin], camera: true })
      })
      return HttpServerResponse.text(`<!doctype html>${renderToString(document)}`, {
        status: content.status ?? 200,
        contentType: "text/html; charset=utf-8",
        headers
      })
    }

    return { page, prefix, route, socketOrigin, ownOrigin, assetOf } as const
  }),
  dependencies: [Assets.Default]
}) {}
