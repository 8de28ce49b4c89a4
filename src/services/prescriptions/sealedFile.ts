/**
 * A sealed file: a header that names its key, then pieces that are sealed each on its own, so that a file is never whole in
 * memory. Every piece is bound to the file, its number and whether it is the last one: none can be exchanged or left out.
 */
import { randomBytes } from "node:crypto"
import { Effect, Option, Stream } from "effect"
import { type DataKey, KEY_ID_LENGTH } from "../DataKeys.ts"
import { boundTo, OVERHEAD, openBytes, type SealedPlace, sealBytes } from "../Envelope.ts"
import { SecretAltered } from "../SecretBox.ts"

const PIECE = 64 * 1024
const SALT = 16
/** The key's id and a random text of this sealing. */
const HEADER = KEY_ID_LENGTH + SALT

export const sealFile = (key: DataKey, place: SealedPlace, bytes: Uint8Array): Uint8Array => {
  const salt = randomBytes(SALT)
  const last = Math.max(Math.ceil(bytes.length / PIECE), 1) - 1
  const pieces = Array.from({ length: last + 1 }, (_, at) =>
    sealBytes(key, boundTo(place, salt.toString("hex"), at, at === last), bytes.subarray(at * PIECE, (at + 1) * PIECE))
  )
  return Buffer.concat([Buffer.from(key.id), salt, ...pieces])
}

interface Reading {
  /** What has been read and not been opened. */
  readonly rest: Buffer
  readonly opened: Option.Option<{ readonly key: DataKey; readonly salt: string }>
  /** The number of the next piece. */
  readonly at: number
}

const start: Reading = { rest: Buffer.alloc(0), opened: Option.none(), at: 0 }

/** The file's bytes, as they come. A file that was changed (`SecretAltered`) is a defect. */
export const openFile =
  <E2, R2>(find: (id: string) => Effect.Effect<DataKey, E2, R2>, place: SealedPlace) =>
  <E, R>(sealed: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | E2, R | R2> => {
    const altered = new SecretAltered({ place })

    const headed = Effect.fnUntraced(function* (reading: Reading) {
      if (Option.isSome(reading.opened) || reading.rest.length < HEADER) return reading
      const key = yield* find(reading.rest.toString("latin1", 0, KEY_ID_LENGTH))
      const salt = reading.rest.toString("hex", KEY_ID_LENGTH, HEADER)
      return { ...reading, opened: Option.some({ key, salt }), rest: reading.rest.subarray(HEADER) }
    })

    const pieceOf = ({ opened, at }: Reading, bytes: Uint8Array, isLast: boolean) =>
      Effect.flatMap(
        Effect.mapError(opened, () => altered),
        ({ key, salt }) =>
          Effect.try({ try: () => openBytes(key, boundTo(place, salt, at, isLast), bytes), catch: () => altered })
      ).pipe(Effect.orDie)

    /** Opens what cannot be the last piece; at the end of the file, that too. */
    const next = Effect.fnUntraced(function* (before: Reading, chunk: Option.Option<Uint8Array>) {
      const more = Option.getOrElse(chunk, () => new Uint8Array())
      let reading = yield* headed({ ...before, rest: Buffer.concat([before.rest, more]) })
      const pieces: Array<Uint8Array> = []
      while (Option.isSome(reading.opened) && reading.rest.length > PIECE + OVERHEAD) {
        pieces.push(yield* pieceOf(reading, reading.rest.subarray(0, PIECE + OVERHEAD), false))
        reading = { ...reading, rest: reading.rest.subarray(PIECE + OVERHEAD), at: reading.at + 1 }
      }
      if (Option.isNone(chunk)) pieces.push(yield* pieceOf(reading, reading.rest, true))
      return [reading, pieces] as const
    })

    return sealed.pipe(
      Stream.map(Option.some),
      Stream.concat(Stream.make(Option.none<Uint8Array>())),
      Stream.mapAccumEffect(start, next),
      Stream.mapConcat((pieces) => pieces)
    )
  }
