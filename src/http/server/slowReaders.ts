/** Answers on their way: what a reader has not taken yet stays in memory. Rule 2.8.5. */
import { Headers, type HttpApp, type HttpBody, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, Stream } from "effect"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { MIB } from "../bodies/bodyLimits.ts"
import { isConstant } from "./compression.ts"

/** Larger ones are sent in pieces of so many bytes, since Bun copies what it is given, and counted until the last one is taken. */
const LARGE = MIB / 16
/**
 * Bytes of large answers under way in a process, and of those for one address. How long one may take: so many seconds, and one more for
 * each 128 KiB.
 */
const MOST = { all: 256 * MIB, own: 32 * MIB, seconds: 20 }
const BYTES_A_SECOND = MIB / 8
/** Of an answer that is sent while it is written: what it keeps in memory, and what it is given the time of. */
const WRITTEN = { held: MIB, length: 72.5 * MIB }

const piecesOf = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += LARGE) yield bytes.subarray(at, at + LARGE)
}

/** What is sent in pieces, and how much of it is in memory meanwhile. Undefined for a small answer, and a page's live events. */
const sendingOf = (body: HttpBody.HttpBody) => {
  if (body._tag === "Stream")
    return body.contentType === "text/event-stream" ? undefined : { stream: body.stream, ...WRITTEN }
  if (body._tag !== "Uint8Array" || body.body.length <= LARGE) return undefined
  const { length } = body.body
  // What is the same for all who ask is in memory once
  const held = isConstant(body) ? 0 : length
  return { stream: Stream.fromIteratorSucceed(piecesOf(body.body), 1), held, length }
}

/** Its reader, by whom it is broken off after so long: what writes it waits to be asked for more, which a reader need not. */
const timed = (source: ReadableStream<Uint8Array>, seconds: number, broken: () => void) => {
  const reader = source.getReader()
  const late = setTimeout(() => {
    broken()
    return reader.cancel()
  }, 1_000 * seconds)
  const stop = () => clearTimeout(late)
  reader.closed.then(stop, stop)
  return reader
}

/** Begun when it is first asked for a piece, which is not so for HEAD. */
const inTime = (begin: () => ReadableStream<Uint8Array>, seconds: number) => {
  let reader: ReturnType<typeof timed> | undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // Bun writes any error that it is given into the log, for each reader
        reader ??= timed(begin(), seconds, () => controller.error())
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason)
    },
    { highWaterMark: 0 }
  )
}

/** A count of its own, with other limits in tests. Where there is no room it is a defect, `Overloaded`. */
export const makeSlowReaders = (most = MOST) => {
  const taken = new Map<string, number>()
  const takenOf = (caller: string) => taken.get(caller) ?? 0
  let all = 0
  const hold = (caller: string, size: number) =>
    Effect.sync(() => {
      all += size
      const now = takenOf(caller) + size
      if (now > 0) taken.set(caller, now)
      else taken.delete(caller)
    })

  const sent = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
    const sending = sendingOf(response.body)
    if (sending === undefined) return response
    const { stream, held, length } = sending
    const caller = yield* FiberRef.get(currentCaller)
    if (all + held > most.all || (caller !== "" && takenOf(caller) + held > most.own))
      return yield* Effect.die(new Overloaded())
    const runtime = yield* Effect.runtime<never>()
    const room = Effect.acquireRelease(hold(caller, held), () => hold(caller, -held))
    const begin = () => Stream.toReadableStreamRuntime(Stream.unwrapScoped(Effect.as(room, stream)), runtime)
    return HttpServerResponse.raw(inTime(begin, most.seconds + length / BYTES_A_SECOND), {
      status: response.status,
      headers: Headers.remove(response.headers, "content-length"),
      cookies: response.cookies,
      ...(response.body.contentType !== undefined && { contentType: response.body.contentType })
    })
  })

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> => Effect.flatMap(app, sent)
}
