/**
 * A request whose body has the limits of its route: JSON in UTF-8 for endpoints, small forms for pages, never compressed or
 * multipart. The body is checked only when a handler reads it, after path, method and credential. An empty body is an empty
 * object.
 */
import {
  Headers,
  HttpIncomingMessage,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  UrlParams
} from "@effect/platform"
import { Data, Effect, Inspectable, Option, Stream } from "effect"
import { type AcceptedBody, MIB } from "./bodyLimits.ts"
import { makeLargeBodies } from "./largeBodies.ts"
import { ensureFewValues, JsonTooLarge, parseLargeJson, utf8 } from "./largeJson.ts"

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{
  /** Largest body, in bytes. */
  readonly limit: number
  /** The body has too many chunks, not too many bytes. */
  readonly tooManyChunks?: boolean
  /** The body did not arrive in time. */
  readonly late?: boolean
}> {}
export class WrongContentType extends Data.TaggedError("WrongContentType") {}

type Request = HttpServerRequest.HttpServerRequest
type Accepts = (method: string, path: string) => AcceptedBody

const contentTypes = {
  json: /^application\/([\w.+-]+\+)?json\s*(;|$)/i,
  form: /^application\/x-www-form-urlencoded\s*(;|$)/i,
  bytes: /^/,
  data: /^(application\/(([\w.+-]+\+)?(json|xml)|x-www-form-urlencoded)|text\/(xml|json))\s*(;|$)/i
}
const isPlain = (contentEncoding = "identity") => /^\s*(identity)?\s*$/i.test(contentEncoding)

/** Larger bodies are parsed by `parseLargeJson`. Bytes. */
const LARGE = 2 * MIB

/** Fields of a form that is no page's: a search, a request for a token. */
export const FIELDS_MAX = 1_000

/** Levels of nesting; a deeper value could exhaust the stack of recursive code. */
export const MAX_DEPTH = 500

const unreadable = (request: Request) => (cause: unknown) =>
  new HttpServerError.RequestError({ request, reason: "Decode", cause })

const nestsWithin = (levels: number, value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => nestsWithin(levels - 1, inner)))

/**
 * Chunks that a body of undeclared length may have, plus one for each 64 bytes. A chunk of any size costs as much as a
 * kilobyte.
 */
const BASE_CHUNKS = 4_096
const BYTES_PER_CHUNK = 64
/** Read between two checks of the limits. */
const READ_BATCH = { bytes: 64 * 1024, chunks: 1_024 }

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">

/** Reads one batch, or to the end. Not with `Stream`, which costs ten times as much for chunks of one byte. */
const readBatch = async (reader: Reader, into: Bun.ArrayBufferSink) => {
  let [bytes, chunks] = [0, 0]
  while (bytes < READ_BATCH.bytes && chunks < READ_BATCH.chunks) {
    const { value } = await reader.read()
    if (value === undefined) return { bytes, chunks, isEnd: true }
    into.write(value)
    bytes += value.length
    chunks += 1
  }
  return { bytes, chunks, isEnd: false }
}

/** Time to receive a body: 20 seconds plus one for each 128 KiB. Bounded because an incomplete body is held in memory. */
const [BASE_TIMEOUT_SECONDS, BYTES_PER_SECOND] = [20, MIB / 8]

/**
 * Reads for the rest of the time that a body of this length has from now on. By a timer: a time-out of Effect's races two fibers, which
 * costs as much as a small request. Interruptible, though requests that change something are not.
 */
const timedReads = (
  request: Request,
  { limit, length = limit }: { readonly limit: number; readonly length?: number }
) => {
  const deadline = performance.now() + 1_000 * (BASE_TIMEOUT_SECONDS + length / BYTES_PER_SECOND) // real time: as of the timer
  return <A>(read: () => Promise<A>) =>
    Effect.interruptible(
      Effect.async<A, HttpServerError.RequestError>((resume) => {
        const late = () => resume(Effect.die(new BodyTooLarge({ limit, late: true })))
        const timer = setTimeout(late, deadline - performance.now()) // real time: the same
        const ended = (result: Effect.Effect<A, HttpServerError.RequestError>) => {
          clearTimeout(timer)
          resume(result)
        }
        read().then(
          (value) => ended(Effect.succeed(value)),
          (cause: unknown) => ended(Effect.fail(unreadable(request)(cause)))
        )
        return Effect.sync(() => clearTimeout(timer))
      })
    )
}
type Reads = ReturnType<typeof timedReads>

/** Reads a body of undeclared length; fails as soon as it is too large. `grow` gets the size so far after each batch. */
const readChunked = (
  source: globalThis.Request,
  limit: number,
  reads: Reads,
  grow: (size: number) => Effect.Effect<void>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => source.body?.getReader()),
    (reader) =>
      Effect.gen(function* () {
        if (reader === undefined) return EMPTY
        const sink = new Bun.ArrayBufferSink()
        sink.start({ asUint8Array: true })
        let [size, chunks] = [0, 0]
        for (;;) {
          const read = yield* reads(() => readBatch(reader, sink))
          size += read.bytes
          chunks += read.chunks
          if (size > limit) return yield* Effect.die(new BodyTooLarge({ limit }))
          if (chunks > BASE_CHUNKS + size / BYTES_PER_CHUNK)
            return yield* Effect.die(new BodyTooLarge({ limit, tooManyChunks: true }))
          yield* grow(size)
          if (read.isEnd) return new Uint8Array(sink.end())
        }
      }),
    (reader) => Effect.ignore(Effect.tryPromise(async () => reader?.cancel()))
  )

const EMPTY = new Uint8Array()

/** Shared by all requests of the process. */
const largeBodies = makeLargeBodies()

/**
 * The body's bytes, within the limits of the route. A declared length is checked before a byte is read. `onReserved` gets
 * the effect that releases the memory reserved for the body.
 */
const readBody = (
  request: Request,
  { kind, limit }: AcceptedBody,
  onReserved: (release: Effect.Effect<void>) => void
) => {
  const { source } = request
  if (!(source instanceof globalThis.Request)) return Effect.dieMessage("a request of Bun's server")
  const length = request.headers["content-length"]
  const chunked = length === undefined && request.headers["transfer-encoding"] !== undefined
  // Bun joins two equal `Content-Length` headers to "5, 5", which is not a number
  if (length !== undefined && !(Number(length) <= limit)) return Effect.die(new BodyTooLarge({ limit }))
  if (!chunked && (length === undefined || Number(length) === 0)) return Effect.succeed(EMPTY)
  const contentType = request.headers["content-type"] ?? "application/json"
  if (!contentTypes[kind].test(contentType.trim()) || !isPlain(request.headers["content-encoding"]))
    return Effect.die(new WrongContentType())
  return Effect.flatMap(largeBodies.open, ({ grow, release }) => {
    onReserved(release)
    if (chunked) return readChunked(source, limit, timedReads(request, { limit }), grow)
    const reads = timedReads(request, { limit, length: Number(length) })
    return Effect.zipRight(
      grow(Number(length)),
      Effect.map(
        reads(() => source.arrayBuffer()),
        (buffer) => new Uint8Array(buffer)
      )
    )
  })
}

/** Bytes of bodies read since the last forced garbage collection, and the count that forces the next. */
let uncollected = 0
const COLLECT_EVERY_BYTES = 8 * MIB

/**
 * Request buffers are off-heap, so Bun's collector does not see their size. Forces a collection for every 8 MiB of bodies
 * (measured: 1.1 GB → 0.3 GB after 100 uploads).
 */
const collectAfter = (size: number) =>
  Effect.sync(() => {
    uncollected += size
    if (uncollected < COLLECT_EVERY_BYTES) return
    uncollected = 0
    Bun.gc(true)
  })

const parse = (bytes: Uint8Array, values: number): unknown => {
  if (bytes.length > LARGE) return parseLargeJson(bytes, values)
  ensureFewValues(bytes, values)
  const text = utf8.decode(bytes)
  return text.trim() === "" ? {} : JSON.parse(text)
}

interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Most values that it may have. */
  readonly values: number
}

class GuardedRequest extends Inspectable.Class implements Request {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly headers: Headers.Headers

  /** `body` is memoised. */
  constructor(
    private readonly request: Request,
    private readonly body: Effect.Effect<ReadBody, HttpServerError.RequestError>
  ) {
    super()
    // The route decides the body's kind; this makes Effect read `json` whatever the header says
    this.headers = Headers.set(request.headers, "content-type", "application/json")
  }

  get source() {
    return this.request.source
  }
  get url() {
    return this.request.url
  }
  get originalUrl() {
    return this.request.originalUrl
  }
  get method() {
    return this.request.method
  }
  get cookies() {
    return this.request.cookies
  }
  get remoteAddress() {
    return this.request.remoteAddress
  }
  get upgrade() {
    return this.request.upgrade
  }
  private get bytes() {
    return Effect.map(this.body, ({ bytes }) => bytes)
  }
  get text(): Request["text"] {
    return Effect.tryMap(this.bytes, { try: (bytes) => utf8.decode(bytes), catch: unreadable(this) })
  }
  get json(): Request["json"] {
    return this.body.pipe(
      Effect.flatMap(({ bytes, values }) =>
        Effect.ensuring(
          Effect.try({ try: () => parse(bytes, values), catch: unreadable(this) }),
          collectAfter(bytes.length)
        )
      ),
      Effect.filterOrFail(
        (value) => nestsWithin(MAX_DEPTH, value),
        () => unreadable(this)(new JsonTooLarge(`must nest at most ${MAX_DEPTH} levels`))
      )
    )
  }
  get urlParamsBody(): Request["urlParamsBody"] {
    return this.text.pipe(
      Effect.filterOrFail(
        (text) => text.split("&", FIELDS_MAX + 1).length <= FIELDS_MAX,
        () => unreadable(this)(new JsonTooLarge(`must have at most ${FIELDS_MAX.toLocaleString("en")} fields`))
      ),
      Effect.map((text) => UrlParams.fromInput(new URLSearchParams(text)))
    )
  }
  /** The body itself where it fills its buffer, not a copy. */
  get arrayBuffer() {
    return Effect.map(this.bytes, ({ buffer, byteOffset, byteLength }) =>
      byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    )
  }
  get stream() {
    return Stream.fromEffect(this.bytes)
  }
  get multipart() {
    return Effect.die(new WrongContentType())
  }
  get multipartStream() {
    return Stream.die(new WrongContentType())
  }
  modify(options: Parameters<Request["modify"]>[0]) {
    return new GuardedRequest(this.request.modify(options), this.body)
  }
  toJSON() {
    return this.request.toJSON()
  }
}

/** Runs `app` with the guarded request; `accepts` gives the limits of the matched route. */
export const withGuardedBody = <A, E, R>(
  request: Request,
  accepts: Accepts,
  app: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, HttpServerRequest.HttpServerRequest>> => {
  let release: Effect.Effect<void> = Effect.void
  let uncollectedAtEnd = 0
  const onReserved = (given: Effect.Effect<void>) => {
    release = given
  }
  const body = Effect.flatMap(Effect.serviceOption(HttpRouter.RouteContext), (matched) =>
    Option.match(matched, {
      onNone: () => Effect.die(new WrongContentType()),
      onSome: ({ route }) => {
        const accepted = accepts(request.method, route.path)
        return Effect.map(readBody(request, accepted, onReserved), (bytes) => {
          // JSON is collected as soon as it is parsed
          if (accepted.kind === "bytes") uncollectedAtEnd = bytes.length
          return { bytes, values: accepted.values }
        })
      }
    })
  )
  let read: Effect.Effect<ReadBody> | undefined
  const once = Effect.suspend(
    () =>
      read ??
      Effect.tap(body, (found) => {
        read = Effect.succeed(found)
      })
  )
  return Effect.provideService(app, HttpServerRequest.HttpServerRequest, new GuardedRequest(request, once)).pipe(
    Effect.ensuring(Effect.suspend(() => Effect.zipRight(collectAfter(uncollectedAtEnd), release)))
  )
}
