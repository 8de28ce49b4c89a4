/** Limits the memory held by responses that slow clients have not read yet. Rule 2.8.5. */
import { Headers, type HttpApp, type HttpBody, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, Stream } from "effect"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { MIB } from "../bodies/bodyLimits.ts"
import { isConstant } from "./compression.ts"

/** Larger bodies are sent in chunks of this size, since Bun copies what it is given, and are counted until the last chunk is read. */
const CHUNK_BYTES = MIB / 16
/**
 * Bytes of large responses being sent: in the process, and to one client address. `seconds`: time that a client has to read a
 * response, plus one second for each 128 KiB.
 */
const LIMITS = { all: 256 * MIB, own: 32 * MIB, seconds: 20 }
const BYTES_PER_SECOND = MIB / 8
/** A streamed response, whose length is unknown: the memory that it holds, and the length from which its deadline follows. */
const STREAMED = { held: MIB, length: 72.5 * MIB }

const chunksOf = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** The body as chunks, and the bytes that it holds in memory. Undefined for small bodies and server-sent events. */
const chunkedBody = (body: HttpBody.HttpBody) => {
  if (body._tag === "Stream")
    return body.contentType === "text/event-stream" ? undefined : { stream: body.stream, ...STREAMED }
  if (body._tag !== "Uint8Array" || body.body.length <= CHUNK_BYTES) return undefined
  const { length } = body.body
  // A constant body is in memory once for all clients
  const held = isConstant(body) ? 0 : length
  return { stream: Stream.fromIteratorSucceed(chunksOf(body.body), 1), held, length }
}

/** A reader that cancels its source at the deadline. The source cannot time out itself: it only runs when it is pulled. */
const withDeadline = (source: ReadableStream<Uint8Array>, seconds: number, onTimeout: () => void) => {
  const reader = source.getReader()
  const timer = setTimeout(() => {
    onTimeout()
    return reader.cancel()
  }, 1_000 * seconds)
  const stop = () => clearTimeout(timer)
  reader.closed.then(stop, stop)
  return reader
}

/** Starts the source on the first pull, which never comes for HEAD. */
const streamWithDeadline = (start: () => ReadableStream<Uint8Array>, seconds: number) => {
  let reader: ReturnType<typeof withDeadline> | undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // No argument: Bun logs every error that it gets here
        reader ??= withDeadline(start(), seconds, () => controller.error())
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason)
    },
    { highWaterMark: 0 }
  )
}

/** Makes a guard with its own counters. Beyond the limits a response is the defect `Overloaded`. Tests pass other limits. */
export const makeSlowReaderGuard = (limits = LIMITS) => {
  const taken = new Map<string, number>()
  const takenOf = (caller: string) => taken.get(caller) ?? 0
  let all = 0
  const reserve = (caller: string, size: number) =>
    Effect.sync(() => {
      all += size
      const now = takenOf(caller) + size
      if (now > 0) taken.set(caller, now)
      else taken.delete(caller)
    })

  const sent = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
    const chunked = chunkedBody(response.body)
    if (chunked === undefined) return response
    const { stream, held, length } = chunked
    const caller = yield* FiberRef.get(currentCaller)
    if (all + held > limits.all || (caller !== "" && takenOf(caller) + held > limits.own))
      return yield* Effect.die(new Overloaded())
    const runtime = yield* Effect.runtime<never>()
    const reservation = Effect.acquireRelease(reserve(caller, held), () => reserve(caller, -held))
    const start = () => Stream.toReadableStreamRuntime(Stream.unwrapScoped(Effect.as(reservation, stream)), runtime)
    return HttpServerResponse.raw(streamWithDeadline(start, limits.seconds + length / BYTES_PER_SECOND), {
      status: response.status,
      headers: Headers.remove(response.headers, "content-length"),
      cookies: response.cookies,
      ...(response.body.contentType !== undefined && { contentType: response.body.contentType })
    })
  })

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> => Effect.flatMap(app, sent)
}
