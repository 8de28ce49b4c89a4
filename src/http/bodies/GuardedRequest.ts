/**
 * A request whose body is bounded by the route that reads it: plain JSON in UTF-8 for endpoints, small forms for pages, never
 * multipart. The body is judged only when a handler reads it, after address, method and credential. An empty body counts as
 * an empty object.
 */
import {
  Headers,
  HttpIncomingMessage,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  UrlParams
} from "@effect/platform"
import { Cause, Data, Duration, Effect, Inspectable, Option, Stream } from "effect"
import { type AcceptedBody, MIB } from "./bodyLimits.ts"
import { makeLargeBodies } from "./largeBodies.ts"
import { ensureFewValues, parseLargeJson, utf8 } from "./largeJson.ts"

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{
  /** Bytes that the body may have. */
  readonly limit: number
  /** It is not its bytes that are too many, but what they were sent in. */
  readonly inChunks?: boolean
  /** Nor that: they did not come in time. */
  readonly late?: boolean
}> {}
export class WrongContentType extends Data.TaggedError("WrongContentType") {}

type Request = HttpServerRequest.HttpServerRequest
type Accepts = (method: string, path: string) => AcceptedBody

const contentTypes = {
  json: /^application\/([\w.+-]+\+)?json\s*(;|$)/i,
  form: /^application\/x-www-form-urlencoded\s*(;|$)/i
}
const isPlain = (contentEncoding = "identity") => /^\s*(identity)?\s*$/i.test(contentEncoding)

/** From this size on long texts (PDFs in base64) are cut out before JSON is parsed. */
const LARGE = 2 * MIB

/** Deeper values than any body needs, which would exhaust the stack of what walks them. */
const MAX_DEPTH = 500

const unreadable = (request: Request) => (cause: unknown) =>
  new HttpServerError.RequestError({ request, reason: "Decode", cause })

const nestsWithin = (levels: number, value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => nestsWithin(levels - 1, inner)))

/**
 * Pieces that a body of undeclared length may come in, beside one for each 64 bytes. Each chunk is one, however small, and costs
 * as much as a kilobyte.
 */
const FEW_PIECES = 4_096
const PIECE_BYTES = 64
/** So much is read before its size is judged. */
const READ_AT_ONCE = { bytes: 64 * 1024, pieces: 1_024 }

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">

/** Reads on, a little, or to the end. Not by Effect's streams: a piece of one byte would cost ten times as much. */
const readOn = async (reader: Reader, into: Bun.ArrayBufferSink) => {
  let [bytes, pieces] = [0, 0]
  while (bytes < READ_AT_ONCE.bytes && pieces < READ_AT_ONCE.pieces) {
    const { value } = await reader.read()
    if (value === undefined) return { bytes, pieces, isEnd: true }
    into.write(value)
    bytes += value.length
    pieces += 1
  }
  return { bytes, pieces, isEnd: false }
}

/** The bytes of a body of undeclared length, refused as soon as they are too many; `grow` is told how many there are so far. */
const readChunked = (request: Request, limit: number, grow: (size: number) => Effect.Effect<void>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => (request.source instanceof globalThis.Request ? request.source.body : null)?.getReader()),
    (reader) =>
      Effect.gen(function* () {
        if (reader === undefined) return EMPTY
        const sink = new Bun.ArrayBufferSink()
        sink.start({ asUint8Array: true })
        let [size, pieces] = [0, 0]
        for (;;) {
          const read = yield* Effect.tryPromise({ try: () => readOn(reader, sink), catch: unreadable(request) })
          size += read.bytes
          pieces += read.pieces
          if (size > limit) return yield* Effect.die(new BodyTooLarge({ limit }))
          if (pieces > FEW_PIECES + size / PIECE_BYTES)
            return yield* Effect.die(new BodyTooLarge({ limit, inChunks: true }))
          yield* grow(size)
          if (read.isEnd) return new Uint8Array(sink.end())
        }
      }),
    (reader) => Effect.ignore(Effect.tryPromise(async () => reader?.cancel()))
  )

const EMPTY = new Uint8Array()

/** How long a body may take: so many seconds, and one more for each 128 KiB. Until it is whole it is kept in memory. */
const [PATIENCE_SECONDS, BYTES_A_SECOND] = [20, MIB / 8]

/** Ends a reading that takes too long, in requests that nothing else interrupts. */
const inTime = <A, E, R>(reading: Effect.Effect<A, E, R>, size: number, limit: number): Effect.Effect<A, E, R> =>
  Effect.timeoutFailCause(Effect.interruptible(reading), {
    duration: Duration.seconds(PATIENCE_SECONDS + size / BYTES_A_SECOND),
    onTimeout: () => Cause.die(new BodyTooLarge({ limit, late: true }))
  })

/** Of this process. */
const largeBodies = makeLargeBodies()

/**
 * The body's bytes, within what the route accepts; a declared length is judged before a byte is read. `hold` is given what gives the
 * room of a large one back.
 */
const readBody = (request: Request, { kind, limit }: AcceptedBody, hold: (release: Effect.Effect<void>) => void) => {
  const length = request.headers["content-length"]
  const chunked = length === undefined && request.headers["transfer-encoding"] !== undefined
  // Of two lengths that are the same Bun makes "5, 5", which is none
  if (length !== undefined && !(Number(length) <= limit)) return Effect.die(new BodyTooLarge({ limit }))
  if (!chunked && (length === undefined || Number(length) === 0)) return Effect.succeed(EMPTY)
  const contentType = request.headers["content-type"] ?? "application/json"
  if (!contentTypes[kind].test(contentType.trim()) || !isPlain(request.headers["content-encoding"]))
    return Effect.die(new WrongContentType())
  return Effect.flatMap(largeBodies.open, ({ grow, release }) => {
    hold(release)
    return chunked
      ? inTime(readChunked(request, limit, grow), limit, limit)
      : Effect.zipRight(
          grow(Number(length)),
          inTime(
            Effect.map(request.arrayBuffer, (buffer) => new Uint8Array(buffer)),
            Number(length),
            limit
          )
        )
  })
}

/** Bytes of bodies that were read since the last forced collection, and how many of them force the next one. */
let uncollected = 0
const COLLECTED_AT = 8 * MIB

/**
 * Request buffers are off-heap, so Bun's collector does not see their size. Forces a collection for every 8 MiB of bodies
 * (measured: 1.1 GB → 0.3 GB after 100 uploads).
 */
const collectAfter = (size: number) =>
  Effect.sync(() => {
    uncollected += size
    if (uncollected < COLLECTED_AT) return
    uncollected = 0
    Bun.gc(true)
  })

const parse = (bytes: Uint8Array): unknown => {
  if (bytes.length > LARGE) return parseLargeJson(bytes)
  ensureFewValues(bytes)
  const text = utf8.decode(bytes)
  return text.trim() === "" ? {} : JSON.parse(text)
}

class GuardedRequest extends Inspectable.Class implements Request {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly headers: Headers.Headers

  /** `bytes` is the body, read once for all who ask. */
  constructor(
    private readonly request: Request,
    private readonly bytes: Effect.Effect<Uint8Array, HttpServerError.RequestError>
  ) {
    super()
    // The route decides what the body is; whatever it calls itself, Effect then asks for `json`
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
  get text(): Request["text"] {
    return Effect.tryMap(this.bytes, { try: (bytes) => utf8.decode(bytes), catch: unreadable(this) })
  }
  get json(): Request["json"] {
    return this.bytes.pipe(
      Effect.flatMap((bytes) =>
        Effect.ensuring(Effect.try({ try: () => parse(bytes), catch: unreadable(this) }), collectAfter(bytes.length))
      ),
      Effect.filterOrFail(
        (value) => nestsWithin(MAX_DEPTH, value),
        () => unreadable(this)("nested too deeply")
      )
    )
  }
  get urlParamsBody(): Request["urlParamsBody"] {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }
  get arrayBuffer() {
    return Effect.map(this.bytes, (bytes) => new Uint8Array(bytes).buffer)
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
    return new GuardedRequest(this.request.modify(options), this.bytes)
  }
  toJSON() {
    return this.request.toJSON()
  }
}

/** Runs with the request, its body bounded by what the matched route `accepts`. */
export const withGuardedBody = <A, E, R>(
  request: Request,
  accepts: Accepts,
  app: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, HttpServerRequest.HttpServerRequest>> => {
  let release: Effect.Effect<void> = Effect.void
  const hold = (given: Effect.Effect<void>) => {
    release = given
  }
  const body = Effect.flatMap(Effect.serviceOption(HttpRouter.RouteContext), (matched) =>
    Option.match(matched, {
      onNone: () => Effect.die(new WrongContentType()),
      onSome: ({ route }) => readBody(request, accepts(request.method, route.path), hold)
    })
  )
  return Effect.cached(body).pipe(
    Effect.flatMap((bytes) =>
      Effect.provideService(app, HttpServerRequest.HttpServerRequest, new GuardedRequest(request, bytes))
    ),
    Effect.ensuring(Effect.suspend(() => release))
  )
}
