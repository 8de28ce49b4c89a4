import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import { OptionalText } from "../../../schemas/fields.ts"
import { invalid } from "../../../schemas/problems.ts"
import { canonicalZone } from "../../../schemas/timeZones.ts"
import { askedLanguage, type Language, languageOfTag, negotiateLanguage } from "../../../texts/language.ts"

/** The parts of a request that page handlers use. */
export interface Visit {
  /** The code or room name in the path. */
  readonly code: string
  readonly language: Language
  /** The language of `?lang=`. */
  readonly chosenLanguage: Language | undefined
  /** The language in which the reader has asked for the page, by `?lang=` or the browser's settings; undefined: by neither. */
  readonly askedLanguage: Language | undefined
  /** The IANA zone of `?zone=`. */
  readonly zone: string | undefined
  /** Claimed origin of the embedding page; trusted only if it is among the allowed ones. */
  readonly parent: string | undefined
  /** The colours of `?theme=`; null: the device's. */
  readonly theme: "light" | "dark" | null
  readonly query: URLSearchParams
  /** Path and query of this page, without its notice. */
  readonly self: string
  /** What happened to the form that led here; shown once. */
  readonly notice: string | undefined
  /** Whether a form was posted: the answer is a redirect. */
  readonly posted: boolean
  /** This page, or another address, in another language. */
  readonly inLanguage: (language: Language, address?: string) => string
  /** The query parameters that links on the page keep. */
  readonly kept: Readonly<Record<string, string>>
}

/** `agreed`: the consents ticked so far, which are given only on confirmation. */
const KEPT = ["lang", "zone", "doctor", "part", "parent", "theme", "agreed"] as const

const themes = ["light", "dark"] as const

/** The query parameter of a redirect after a form that says what happened. */
const NOTICE = "notice"

/** The query of an address, with its question mark; empty without parameters. */
export const queryText = (parameters: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams(parameters).toString()
  return query === "" ? "" : `?${query}`
}

/** Adds to an address what happened. */
export const withNotice = (address: string, notice: string) =>
  `${address}${address.includes("?") ? "&" : "?"}${NOTICE}=${encodeURIComponent(notice)}`

/** The visit of a request whose route has the parameter `:code`. */
export const readVisit = Effect.flatMap(HttpRouter.params, ({ code = "" }) => visitOf(code))

/** The same for a request that matched no route. */
export const visitOf = Effect.fnUntraced(function* (code: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { pathname, searchParams: query } = new URL(request.url, "http://localhost")
  const parameter = (name: string) => query.get(name) || undefined
  const zone = parameter("zone")
  // A page shown after an error has the form's URL; its links must lead to the page of the form
  const page = pathname.replace(/\/(?:hold|confirm|manage)$/, "")
  const notice = parameter(NOTICE)
  query.delete(NOTICE)
  const self = query.size === 0 ? page : `${page}?${query}`
  const visit: Visit = {
    code,
    language: negotiateLanguage({ chosen: parameter("lang"), acceptLanguage: request.headers["accept-language"] }),
    chosenLanguage: languageOfTag(parameter("lang") ?? ""),
    askedLanguage: askedLanguage({ chosen: parameter("lang"), acceptLanguage: request.headers["accept-language"] }),
    zone: zone === undefined ? undefined : canonicalZone(zone),
    parent: parameter("parent"),
    theme: themes.find((one) => one === parameter("theme")) ?? null,
    query,
    self,
    notice,
    posted: request.method === "POST",
    inLanguage: (language, address = self) => {
      const [path, shown] = address.split("?")
      const other = new URLSearchParams(shown)
      other.set("lang", language)
      return `${path}?${other}`
    },
    kept: Object.fromEntries(
      KEPT.flatMap((name) => (parameter(name) === undefined ? [] : [[name, parameter(name) ?? ""]]))
    )
  }
  return visit
})

/** The fields of a posted form, with CRLF normalised to LF. */
export const readForm = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = new URLSearchParams(yield* request.text)
  const one = (name: string): string | undefined => fields.get(name)?.replaceAll("\r\n", "\n")
  return Object.assign(one, { all: (name: string): ReadonlyArray<string> => fields.getAll(name) })
})

/** A text that was typed into a field; null without one. Fails with `Invalid` if it is too long. */
export const typedText = (field: string, typed: string | undefined) =>
  Effect.mapError(Schema.decodeUnknown(OptionalText)(typed ?? null), () => invalid(field, "is too long"))
