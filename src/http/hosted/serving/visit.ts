import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { canonicalZone } from "../../../schemas/timeZones.ts"
import { type Language, languageOfTag, negotiateLanguage } from "../../../texts/language.ts"

/** What a page's handlers want to know of a request. */
export interface Visit {
  /** the code or room of the path */
  readonly code: string
  readonly language: Language
  /** the language that `?lang=` names */
  readonly chosenLanguage: Language | undefined
  /** an IANA zone that was asked for */
  readonly zone: string | undefined
  /** origin of the page that says it embeds this one; to be believed only when it is allowed to */
  readonly parent: string | undefined
  readonly query: URLSearchParams
  /** this page's address */
  readonly self: string
  /** this page, or another address, in another language */
  readonly inLanguage: (language: Language, address?: string) => string
  /** the part of the query that links on the page carry along */
  readonly kept: Readonly<Record<string, string>>
}

const KEPT = ["lang", "zone", "doctor", "part", "parent"] as const

/** Reads the visit from the request and its route, whose parameter is `:code`. */
export const readVisit = Effect.flatMap(HttpRouter.params, ({ code = "" }) => visitOf(code))

/** The same of a request that has met no route. */
export const visitOf = Effect.fnUntraced(function* (code: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { pathname, searchParams: query } = new URL(request.url, "http://localhost")
  const asked = (name: string) => query.get(name) || undefined
  const zone = asked("zone")
  // what a form led to is shown under the form's address; its links lead to the page that the form stands on
  const page = pathname.replace(/\/(?:hold|confirm|manage)$/, "")
  const self = query.size === 0 ? page : `${page}?${query}`
  const visit: Visit = {
    code,
    language: negotiateLanguage({ chosen: asked("lang"), acceptLanguage: request.headers["accept-language"] }),
    chosenLanguage: languageOfTag(asked("lang") ?? ""),
    zone: zone === undefined ? undefined : canonicalZone(zone),
    parent: asked("parent"),
    query,
    self,
    inLanguage: (language, address = self) => {
      const [path, shown] = address.split("?")
      const other = new URLSearchParams(shown)
      other.set("lang", language)
      return `${path}?${other}`
    },
    kept: Object.fromEntries(KEPT.flatMap((name) => (asked(name) === undefined ? [] : [[name, asked(name) ?? ""]])))
  }
  return visit
})

/** The fields of a posted form. Line ends are as people typed them, not as forms send them. */
export const readForm = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = new URLSearchParams(yield* request.text)
  const one = (name: string): string | undefined => fields.get(name)?.replaceAll("\r\n", "\n")
  return Object.assign(one, { all: (name: string): ReadonlyArray<string> => fields.getAll(name) })
})
