/**
 * Answers compressed as their callers accept it (Rule 2.9.3). A tag (`ETag`) names one form of an answer: the compressed one's
 * ends in its coding, `"tag.br"`, and either holds for the record.
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
import { Effect, identity, Stream } from "effect"

const codings = ["br", "gzip"] as const
export type Coding = (typeof codings)[number]
export type CompressedForms = Readonly<Record<Coding, Uint8Array>>

/** Smaller than this in bytes, compressing saves no packet. */
const MIN_COMPRESSED_BYTES = 1024
/** Up to so many bytes (a fifth of a millisecond's work) it is done at once, beyond by a thread beside the event loop. */
const AT_ONCE = 64 * 1024
/** Of an answer that is made for one caller: the best of the levels that take less time than they save. */
const DYNAMIC = { br: 4, gzip: 3 }
/** Of an answer that stays the same while the process runs. */
const CONSTANT = { br: 9, gzip: 9 }

const kinds = /^(?:application\/json|text\/(?:html|css|javascript))\s*(?:;|$)/

/** The weights that `Accept-Encoding` gives; a coding without a weight has 1, one that is not named that of `*`. */
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

/** What `Accept-Encoding` prefers, br before gzip where it does not say; undefined: nothing of ours, or no compression. */
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
const BROTLI_STREAM: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: DYNAMIC.br } }
const brotliLater = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)
const gzipLater = promisify<Uint8Array, { readonly level: number }, Buffer>(gzip)

const compressNow = (bytes: Uint8Array, coding: Coding): Uint8Array =>
  coding === "br"
    ? brotliCompressSync(bytes, brotliOptions(bytes, DYNAMIC.br))
    : gzipSync(bytes, { level: DYNAMIC.gzip })

const compressLater = (bytes: Uint8Array, coding: Coding, level: typeof DYNAMIC): Promise<Uint8Array> =>
  coding === "br" ? brotliLater(bytes, brotliOptions(bytes, level.br)) : gzipLater(bytes, { level: level.gzip })

type Forms = Partial<Record<Coding, Promise<Uint8Array>>>
const constantForms = new WeakMap<HttpBody.HttpBody, Forms>()

/** An answer that is sent again and again: compressed well, once, when it is first asked for, unless its forms are known. */
export const constant = (response: HttpServerResponse.HttpServerResponse, known?: CompressedForms) => {
  if (!constantForms.has(response.body))
    constantForms.set(
      response.body,
      known === undefined ? {} : { br: Promise.resolve(known.br), gzip: Promise.resolve(known.gzip) }
    )
  return response
}

/** Whether its bytes are the same for all who ask. */
export const isConstant = (body: HttpBody.HttpBody) => constantForms.has(body)

const compress = (body: HttpBody.Uint8Array, coding: Coding): Effect.Effect<Uint8Array> => {
  const forms = constantForms.get(body)
  if (forms !== undefined)
    return Effect.promise(() => {
      forms[coding] ??= compressLater(body.body, coding, CONSTANT)
      return forms[coding]
    })
  return body.body.length <= AT_ONCE
    ? Effect.sync(() => compressNow(body.body, coding))
    : Effect.promise(() => compressLater(body.body, coding, DYNAMIC))
}

// What follows the dot of a list's tag is the JSON of its query in base64, which begins with an "e"
const ENDING = /\.(?:br|gzip)"$/
const codedTag = (tag: string, coding: string | undefined) =>
  coding === undefined ? tag : tag.replace(/"$/, `.${coding}"`)

/** The tag of the record or file itself. */
export const uncodedTag = (tag: string) => tag.replace(ENDING, '"')

/** Gives the answer its tag once it is known in which form it is sent. */
export const setTag = (tag: string) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "etag", codedTag(tag, response.headers["content-encoding"])))
  )

const varying = (vary: string | undefined) =>
  vary === undefined ? "accept-encoding" : /accept-encoding|\*/i.test(vary) ? vary : `${vary}, accept-encoding`

const compressibleBody = ({ headers, body }: HttpServerResponse.HttpServerResponse) =>
  (body._tag === "Stream" || (body._tag === "Uint8Array" && body.body.length > MIN_COMPRESSED_BYTES)) &&
  headers["content-encoding"] === undefined &&
  kinds.test(headers["content-type"] ?? "")
    ? body
    : undefined

/** An answer that is sent while it is written, compressed on its way; when its reader goes, so does its writer. */
const compressStream = (body: HttpBody.Stream, coding: Coding) => {
  const zip = coding === "br" ? createBrotliCompress(BROTLI_STREAM) : createGzip({ level: DYNAMIC.gzip })
  pipeline(Readable.from(Stream.toAsyncIterable(body.stream)), zip, () => {})
  return HttpBody.stream(Stream.fromAsyncIterable<Uint8Array, unknown>(zip, identity), body.contentType)
}

const inCoding = (
  response: HttpServerResponse.HttpServerResponse,
  body: HttpBody.Uint8Array | HttpBody.Stream,
  coding: Coding
) => {
  const packing: Effect.Effect<HttpBody.HttpBody> =
    body._tag === "Stream"
      ? Effect.sync(() => compressStream(body, coding))
      : Effect.map(compress(body, coding), (bytes) => HttpBody.uint8Array(bytes, body.contentType))
  return Effect.map(packing, (packed) => {
    if (constantForms.has(body)) constantForms.set(packed, {})
    const { etag } = response.headers
    return response.pipe(
      HttpServerResponse.setBody(packed),
      HttpServerResponse.setHeader("content-encoding", coding),
      etag === undefined ? identity : HttpServerResponse.setHeader("etag", codedTag(etag, coding))
    )
  })
}

/** Compresses what is of a kind and size that gain by it; what is compressed already stays as it is. */
export const compressed = <E, R>(app: HttpApp.Default<E, R>) =>
  Effect.flatMap(app, (response) => {
    const body = compressibleBody(response)
    if (body === undefined) return Effect.succeed(response)
    const varied = HttpServerResponse.setHeader(response, "vary", varying(response.headers.vary))
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const coding = codingFor(headers["accept-encoding"])
      return coding === undefined ? Effect.succeed(varied) : inCoding(varied, body, coding)
    })
  })
