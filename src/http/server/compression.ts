/**
 * Response compression by `Accept-Encoding` (Rule 2.9.3). An `ETag` names one representation: a compressed one ends in its
 * coding, `"tag.br"`. Conditional requests accept either form.
 */
import { pipeline, Readable } from "node:stream"
import { promisify } from "node:util"
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync
} from "node:zlib"
import { HttpApp, HttpBody, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, identity, Stream } from "effect"

const codings = ["br", "gzip"] as const
export type Coding = (typeof codings)[number]
export type CompressedForms = Readonly<Record<Coding, Uint8Array>>

/** Compressing a smaller body saves no packet. */
const MIN_COMPRESSED_BYTES = 1024
/** Bodies up to this size are compressed on the event loop (about 0.2 ms), larger ones on a worker thread. */
const SYNC_MAX_BYTES = 64 * 1024
/** Levels for responses built per request: the highest that save more time than they take. */
const DYNAMIC_LEVELS = { br: 4, gzip: 3 }
/** Levels for responses that stay the same while the process runs. */
const CONSTANT_LEVELS = { br: 9, gzip: 9 }

const compressibleTypes = /^(?:application\/(?:[\w.-]+\+)?(?:json|xml)|text\/(?:html|css|javascript))\s*(?:;|$)/

/** The weights in `Accept-Encoding`; a coding without a weight has 1. */
const weightsIn = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", parameter = "q=1"] = part.split(";", 2).map((text) => text.trim())
        return [name, Number(/^q=([\d.]+)$/.exec(parameter)?.[1] ?? 0)]
      })
  )

/** The coding to use: the preferred one, br on a tie. A coding that is not listed has the weight of `*`. Undefined: no compression. */
export const codingFor = (accepted: string | undefined): Coding | undefined => {
  if (accepted === undefined) return undefined
  const weights = weightsIn(accepted)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0
  const [best = "br", other = "gzip"] = weightOf("gzip") > weightOf("br") ? (["gzip", "br"] as const) : codings
  const chosen = weightOf(best) > 0 ? best : other
  return weightOf(chosen) > 0 && weightOf(chosen) >= (weights.get("identity") ?? 0) ? chosen : undefined
}

const brotliOptions = (bytes: Uint8Array, quality: number): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
})
/** With a window of 256 KiB: with the default of 4 MiB a stream that its client does not read keeps 14 MiB. */
const BROTLI_STREAM: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: DYNAMIC_LEVELS.br, [constants.BROTLI_PARAM_LGWIN]: 18 }
}
const brotliAsync = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)
const gzipAsync = promisify<Uint8Array, { readonly level: number }, Buffer>(gzip)

const compressSync = (bytes: Uint8Array, coding: Coding): Uint8Array =>
  coding === "br"
    ? brotliCompressSync(bytes, brotliOptions(bytes, DYNAMIC_LEVELS.br))
    : gzipSync(bytes, { level: DYNAMIC_LEVELS.gzip })

const compressAsync = (bytes: Uint8Array, coding: Coding, level: typeof DYNAMIC_LEVELS): Promise<Uint8Array> =>
  coding === "br" ? brotliAsync(bytes, brotliOptions(bytes, level.br)) : gzipAsync(bytes, { level: level.gzip })

type Forms = Partial<Record<Coding, Promise<Uint8Array>>>
const constantForms = new WeakMap<HttpBody.HttpBody, Forms>()

/** Marks a response that never changes: compressed once per coding, on first use, unless the compressed forms are given. */
export const constant = (response: HttpServerResponse.HttpServerResponse, known?: CompressedForms) => {
  if (!constantForms.has(response.body))
    constantForms.set(
      response.body,
      known === undefined ? {} : { br: Promise.resolve(known.br), gzip: Promise.resolve(known.gzip) }
    )
  return response
}

/** Whether the body was marked by `constant`. */
export const isConstant = (body: HttpBody.HttpBody) => constantForms.has(body)

const compress = (body: HttpBody.Uint8Array, coding: Coding): Effect.Effect<Uint8Array> => {
  const forms = constantForms.get(body)
  if (forms !== undefined)
    return Effect.promise(() => {
      forms[coding] ??= compressAsync(body.body, coding, CONSTANT_LEVELS)
      return forms[coding]
    })
  return body.body.length <= SYNC_MAX_BYTES
    ? Effect.sync(() => compressSync(body.body, coding))
    : Effect.promise(() => compressAsync(body.body, coding, DYNAMIC_LEVELS))
}

// Unambiguous: a list's tag has a dot too, but followed by JSON in base64, which begins with an "e"
const CODING_SUFFIX = /\.(?:br|gzip)"$/
const codedTag = (tag: string, coding: string | undefined) =>
  coding === undefined ? tag : tag.replace(/"$/, `.${coding}"`)

/** The tag without the coding's suffix. */
export const uncodedTag = (tag: string) => tag.replace(CODING_SUFFIX, '"')

/** The tag of the fiber's response; null if it has none. */
export const entityTag = FiberRef.unsafeMake<string | null>(null)

/** Sets `ETag` before the response is sent, when its coding is known. */
export const setTag = (tag: string) =>
  Effect.zipRight(
    FiberRef.set(entityTag, tag),
    HttpApp.appendPreResponseHandler((_, response) =>
      Effect.succeed(
        HttpServerResponse.setHeader(response, "etag", codedTag(tag, response.headers["content-encoding"]))
      )
    )
  )

const addVary = (vary: string | undefined) =>
  vary === undefined ? "accept-encoding" : /accept-encoding|\*/i.test(vary) ? vary : `${vary}, accept-encoding`

const compressibleBody = ({ headers, body }: HttpServerResponse.HttpServerResponse) =>
  (body._tag === "Stream" || (body._tag === "Uint8Array" && body.body.length > MIN_COMPRESSED_BYTES)) &&
  headers["content-encoding"] === undefined &&
  compressibleTypes.test(headers["content-type"] ?? "")
    ? body
    : undefined

const makeCompressor = (coding: Coding) =>
  coding === "br" ? createBrotliCompress(BROTLI_STREAM) : createGzip({ level: DYNAMIC_LEVELS.gzip })

/**
 * Compresses a streamed response. The compressor exists from the first read to the end or the client's disconnection, which also closes
 * the source.
 */
const compressStream = (body: HttpBody.Stream, coding: Coding) => {
  const compressor = Effect.acquireRelease(
    Effect.sync(() => makeCompressor(coding)),
    (zip) => Effect.sync(() => zip.destroy())
  )
  const bytes = Effect.map(compressor, (zip) => {
    pipeline(Readable.from(Stream.toAsyncIterable(body.stream)), zip, () => {})
    const iterator = zip[Symbol.asyncIterator]()
    // without its `return`, which would wait for the source's next bytes
    return Stream.fromAsyncIterable<Uint8Array, unknown>(
      { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) },
      identity
    )
  })
  return HttpBody.stream(Stream.unwrapScoped(bytes), body.contentType)
}

const withCoding = (
  response: HttpServerResponse.HttpServerResponse,
  body: HttpBody.Uint8Array | HttpBody.Stream,
  coding: Coding
) => {
  const compressing: Effect.Effect<HttpBody.HttpBody> =
    body._tag === "Stream"
      ? Effect.sync(() => compressStream(body, coding))
      : Effect.map(compress(body, coding), (bytes) => HttpBody.uint8Array(bytes, body.contentType))
  return Effect.map(compressing, (encoded) => {
    if (constantForms.has(body)) constantForms.set(encoded, {})
    const { etag } = response.headers
    return response.pipe(
      HttpServerResponse.setBody(encoded),
      HttpServerResponse.setHeader("content-encoding", coding),
      etag === undefined ? identity : HttpServerResponse.setHeader("etag", codedTag(etag, coding))
    )
  })
}

/** Compresses responses of a compressible type and sufficient size, unless they already have a `Content-Encoding`. */
export const compressed = <E, R>(app: HttpApp.Default<E, R>) =>
  Effect.flatMap(app, (response) => {
    const body = compressibleBody(response)
    if (body === undefined) return Effect.succeed(response)
    const varied = HttpServerResponse.setHeader(response, "vary", addVary(response.headers.vary))
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const coding = codingFor(headers["accept-encoding"])
      return coding === undefined ? Effect.succeed(varied) : withCoding(varied, body, coding)
    })
  })
