/** Answers on their way: what a reader has not taken yet stays in memory. Rule 2.8.5. */
import { Headers, type HttpApp, HttpServerResponse } from "@effect/platform"
import { Clock, Data, Effect, FiberRef, Stream } from "effect"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { MIB } from "../bodies/bodyLimits.ts"
import { isConstant } from "./compression.ts"

/** Larger ones are sent in pieces of so many bytes, and counted until the last one is taken. */
const LARGE = MIB
const PIECE = MIB / 4
/** Bytes of large answers under way in a process, and of those for one address. */
const MOST = { all: 256 * MIB, own: 64 * MIB }
/** How long one may take: so many seconds, and one more for each 128 KiB. */
const [PATIENCE_SECONDS, BYTES_A_SECOND] = [20, MIB / 8]

/** It was read too slowly: the connection is closed. */
class ReadTooSlowly extends Data.TaggedError("ReadTooSlowly") {}

const piecesOf = function* (bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
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

  const inPieces = (bytes: Uint8Array, caller: string) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        // Taken when it is begun: one that is not sent, as to HEAD, takes none
        yield* Effect.acquireRelease(hold(caller, bytes.length), () => hold(caller, -bytes.length))
        const end = (yield* Clock.currentTimeMillis) + 1_000 * (PATIENCE_SECONDS + bytes.length / BYTES_A_SECOND)
        return Stream.mapEffect(Stream.fromIteratorSucceed(piecesOf(bytes), 1), (piece) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            now > end ? Effect.fail(new ReadTooSlowly()) : Effect.succeed(piece)
          )
        )
      })
    )

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.flatMap(Effect.zip(app, FiberRef.get(currentCaller)), ([response, caller]) => {
      const { body } = response
      if (body._tag !== "Uint8Array" || body.body.length <= LARGE || isConstant(body)) return Effect.succeed(response)
      const size = body.body.length
      if (all + size > most.all || (caller !== "" && takenOf(caller) + size > most.own))
        return Effect.die(new Overloaded())
      return Effect.succeed(
        HttpServerResponse.stream(inPieces(body.body, caller), {
          status: response.status,
          headers: Headers.remove(response.headers, "content-length"),
          cookies: response.cookies,
          contentType: body.contentType
        })
      )
    })
}
