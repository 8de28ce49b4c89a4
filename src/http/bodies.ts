/** What may come in as a body: JSON in UTF-8, plain, of bounded size. An empty body counts as an empty object. */
import { Headers, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Data, Effect, Stream } from "effect"
import { parseLargeJson, utf8 } from "./largeJson.ts"

const KIB = 1024
const JSON_LIMIT = 1024 * KIB
const CHECKOUT_LIMIT = 50 * 1024 * KIB

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly limit: number }> {}
export class WrongContentType extends Data.TaggedError("WrongContentType") {}

const limitOf = (url: string) => (url.startsWith("/v2/public-api/") ? CHECKOUT_LIMIT : JSON_LIMIT)

const isJson = (contentType = "application/json") => /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType.trim())
const isPlain = (contentEncoding = "identity") => /^\s*(identity)?\s*$/i.test(contentEncoding)

const read = (request: HttpServerRequest.HttpServerRequest, limit: number) =>
  request.stream.pipe(
    Stream.runFoldEffect({ size: 0, chunks: [] as Array<Uint8Array> }, ({ size, chunks }, chunk) =>
      size + chunk.length > limit
        ? Effect.die(new BodyTooLarge({ limit }))
        : Effect.sync(() => {
            chunks.push(chunk)
            return { size: size + chunk.length, chunks }
          })
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks))
  )

/**
 * The request with its body guarded. It is refused when somebody asks for it, so that an address that is none, a wrong
 * method or credential is told of first: a declared length before a byte is read, an undeclared one (chunked) as it comes.
 */
export const guarded = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const length = request.headers["content-length"]
    const chunked = length === undefined && request.headers["transfer-encoding"] !== undefined
    const limit = limitOf(request.url)
    if (length !== undefined && Number(length) > limit) return refused(request, new BodyTooLarge({ limit }))
    if (!chunked && (length === undefined || Number(length) === 0)) return withText(request, Effect.succeed(EMPTY))
    if (!isJson(request.headers["content-type"]) || !isPlain(request.headers["content-encoding"]))
      return refused(request, new WrongContentType())
    if (Number(length) > LARGE) return withLarge(request)
    return withText(request, chunked ? yield* Effect.cached(read(request, limit)) : request.arrayBuffer)
  })

/** Whatever it calls itself, it is asked for as JSON: how it is to be read otherwise is nobody's question. */
const refused = (request: HttpServerRequest.HttpServerRequest, why: BodyTooLarge | WrongContentType) =>
  Object.create(withText(request, Effect.die(why)), {
    headers: { value: Headers.set(request.headers, "content-type", "application/json") }
  })

const EMPTY = new TextEncoder().encode("{}")

/** Above this size a body is worth some care: the checkout's PDFs. */
const LARGE = 2 * 1024 * KIB

/** What a large body leaves behind is of a kind whose weight the collector does not feel: it is told. */
const collect = Effect.sync(() => Bun.gc(true))

/** More than any body needs, and less than what walks down a value, to tell what is wrong with it, can take. */
const DEEPEST = 500

const nestsWithin = (levels: number, value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => nestsWithin(levels - 1, inner)))

const unreadable = (request: HttpServerRequest.HttpServerRequest) => (cause: unknown) =>
  new HttpServerError.RequestError({ request, reason: "Decode", cause })

const parsed = <Body>(
  request: HttpServerRequest.HttpServerRequest,
  body: Effect.Effect<Body, HttpServerError.RequestError>,
  parse: (body: Body) => unknown
) =>
  Effect.tryMap(body, { try: parse, catch: unreadable(request) }).pipe(
    Effect.filterOrFail(
      (value) => nestsWithin(DEEPEST, value),
      () => unreadable(request)("nested too deeply")
    )
  )

const withLarge = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const json = Effect.tap(
    parsed(request, request.arrayBuffer, (buffer) => parseLargeJson(new Uint8Array(buffer))),
    collect
  )
  return Object.create(request, { json: { value: json } })
}

const withText = (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Effect.Effect<ArrayBuffer | Uint8Array, HttpServerError.RequestError>
): HttpServerRequest.HttpServerRequest => {
  const text = Effect.tryMap(bytes, { try: (body) => utf8.decode(body), catch: unreadable(request) })
  const json = parsed(request, text, (body) => (body.trim() === "" ? {} : JSON.parse(body)))
  // Everything but the body is the original's: its getters run on the object made from it.
  return Object.create(request, { text: { value: text }, json: { value: json } })
}
