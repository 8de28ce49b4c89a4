import { type HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { ComponentChild } from "preact"
import { renderToString } from "preact-render-to-string"
import { Settings } from "../../../config.ts"
import type { AssetName } from "../../../pages/manifest.ts"
import { Page } from "../../../pages/views/Page.tsx"
import { isOrigin, type PageHost } from "../../../services/hosted/PageHosts.ts"
import { languages } from "../../../texts/language.ts"
import { Assets } from "./Assets.ts"
import { makeNonce, pageHeaders } from "./headers.ts"
import type { Visit } from "./visit.ts"

/** One page, ready but for the document around it. */
export interface PageContent {
  readonly title: string
  readonly body: ComponentChild
  readonly status?: number
  readonly script?: "booking" | "appointment" | "meeting"
  readonly stage?: string
  /** the address under which the page can be loaded again, where that is not the one that it was asked by */
  readonly address?: string
  readonly facts?: Readonly<Record<string, string | number>>
  /** the page shows no one's data and changes nothing: any site may frame it */
  readonly anyFrame?: boolean
  /** the page holds a call: it may use camera and microphone and open a socket */
  readonly call?: boolean
}

/** Makes responses of pages: document, nonce, headers. */
export class Respond extends Effect.Service<Respond>()("hosted/Respond", {
  effect: Effect.gen(function* () {
    const assets = yield* Assets
    const { meetingsUrl } = yield* Settings
    const { pathname, host, protocol } = new URL(meetingsUrl)
    const prefix = pathname.replace(/\/$/, "")
    const socketOrigin = `${protocol === "https:" ? "wss" : "ws"}://${host}`
    /** A path below that of MEETINGS_URL, as a router takes it: beginning with a slash, hence the cast. */
    const route = (path: `/${string}`) => `${prefix}${path}` as HttpRouter.PathInput
    const assetOf = (name: AssetName) => {
      const { file, integrity } = assets.of(name)
      return { address: `${prefix}/assets/${file}`, integrity }
    }

    /** `host` is null where the organisation is unknown: then no site may frame the page. */
    const page = (visit: Visit, host: PageHost | null, content: PageContent) => {
      const nonce = makeNonce()
      const asking = visit.parent === undefined ? [] : [visit.parent].filter(isOrigin)
      const ancestors = content.anyFrame ? asking : (host?.ancestors ?? [])
      const parentOrigin = asking.find((origin) => ancestors.includes(origin)) ?? null
      const document = (
        <Page
          frame={{
            language: visit.language,
            nonce,
            languages: languages.map((language) => ({
              language,
              address: visit.inLanguage(language, content.address),
              texts: assetOf(`texts-${language}`).address
            })),
            stylesheet: assetOf("stylesheet"),
            embedded: parentOrigin !== null,
            parentOrigin,
            practice: host === null ? null : { name: host.name, branding: host.branding }
          }}
          title={content.title}
          script={content.script === undefined ? undefined : assetOf(content.script)}
          stage={content.stage ?? "notice"}
          address={content.address}
          facts={content.facts}
        >
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

    return { page, prefix, route, socketOrigin, assetOf } as const
  }),
  dependencies: [Assets.Default]
}) {}
