/** Limits the memory held by responses that slow clients have not read yet, and the time that they take. Rule 2.8.5. */
import { type HttpApp, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, type Runtime, Stream } from "effect"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { isConstant } from "../server/compression.ts"
import { sentAs, withOneHead } from "../server/oneHead.ts"
import { currentParty } from "./Admission.ts"
import { MIB } from "./bodyLimits.ts"
import { makeMemoryShares, type Share } from "./memoryShares.ts"

/** Bun copies the body of each response, so that larger ones are sent in chunks of this many bytes, as their reader takes them. */
const CHUNK_BYTES = MIB / 4
/**
 * Bytes of large responses in progress, in the process and for one caller, and the seconds that each may take, besides one for every
 * 128 KiB.
 */
const LIMITS = { all: 256 * MIB, own: 32 * MIB, seconds: 20 }
const BYTES_PER_SECOND = MIB / 8
/** A streamed response, whose length is unknown: the memory that it counts for, and the length from which its deadline follows. */
const STREAMED = { held: MIB, length: 72.5 * MIB }

/** Reserves room for a response and starts its timeout, which calls `abort`. Returns what ends both. */
type Begin = (abort: () => void) => () => void

// `controller.error` gets no error: Bun would log it for each reader. Begins at the first pull: a client may be gone before it.
const ofBytes = (bytes: Uint8Array, begin: Begin) => {
  let end: (() => void) | undefined
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        end ??= begin(() => controller.error())
        const chunk = bytes.subarray(at, at + CHUNK_BYTES)
        at += CHUNK_BYTES
        if (chunk.length > 0) return controller.enqueue(chunk)
        end()
        controller.close()
      },
      cancel: () => end?.()
    },
    { highWaterMark: 0 }
  )
}

const ofStream = (open: () => ReadableStream<Uint8Array>, begin: Begin) => {
  let reader: ReturnType<typeof start> | undefined
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const source = open().getReader()
    const end = begin(() => {
      controller.error()
      source.cancel().catch(() => {})
    })
    source.closed.then(end, end)
    return source
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reader ??= start(controller)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason)
    },
    { highWaterMark: 0 }
  )
}

/** How a response is sent within the limits; undefined for a small one, and for the live events of a page. */
const sendingOf = ({ body }: HttpServerResponse.HttpServerResponse) => {
  if (body._tag === "Stream" && body.contentType !== "text/event-stream") {
    const open = (runtime: Runtime.Runtime<never>) => () => Stream.toReadableStreamRuntime(body.stream, runtime)
    return { ...STREAMED, sent: (runtime: Runtime.Runtime<never>, begin: Begin) => ofStream(open(runtime), begin) }
  }
  if (body._tag !== "Uint8Array" || body.body.length <= CHUNK_BYTES) return undefined
  const { length } = body.body
  // The bytes of a constant response are in memory once for all readers
  return { held: isConstant(body) ? 0 : length, length, sent: (_: unknown, begin: Begin) => ofBytes(body.body, begin) }
}

/** Makes a guard with its own counters. Beyond the limits a response is the defect `Overloaded`. Tests pass other limits. */
export const makeSlowReaderGuard = (limits = LIMITS) => {
  const memory = makeMemoryShares()
  /** The room that was reserved is released when the response ends. */
  const reserving =
    (shares: ReadonlyArray<Share>, held: number, length: number): Begin =>
    (abort) => {
      let isOpen = true
      const end = () => {
        if (!isOpen) return
        isOpen = false
        clearTimeout(timeout)
        memory.give(shares, held)
      }
      const timeout = setTimeout(
        () => {
          abort()
          end()
        },
        1_000 * (limits.seconds + length / BYTES_PER_SECOND)
      )
      memory.add(shares, held)
      return end
    }

  const limited = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const sending = method === "HEAD" ? undefined : sendingOf(response)
    if (sending === undefined) return method === "HEAD" ? response : withOneHead(response)
    const { held, length, sent } = sending
    const { caller } = yield* currentParty
    const shares: ReadonlyArray<Share> = [
      ["all", limits.all],
      [`to ${caller}`, limits.own]
    ]
    if (!memory.fits(shares, held)) return yield* Effect.die(new Overloaded())
    return sentAs(response, sent(yield* Effect.runtime<never>(), reserving(shares, held, length)))
  })

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> => Effect.flatMap(app, limited)
}
