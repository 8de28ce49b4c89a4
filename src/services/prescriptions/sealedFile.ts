/**
 * Encrypted file format: a header with the key's id, then chunks that are encrypted separately, so that a file need not fit into memory.
 * Each chunk is bound to the file, its number and whether it is the last: none can be exchanged or left out.
 */
import { randomBytes } from "node:crypto"
import { Effect, Stream } from "effect"
import { type DataKey, KEY_ID_LENGTH } from "../sealing/DataKeys.ts"
import { boundTo, OVERHEAD, openBytes, type SealedPlace, sealBytes } from "../sealing/Envelope.ts"
import { SecretAltered } from "../sealing/SecretBox.ts"

const PIECE = 64 * 1024
const SALT = 16
/** The key's id and a random salt of this encryption. */
const HEADER = KEY_ID_LENGTH + SALT

export const sealFile = (key: DataKey, place: SealedPlace, bytes: Uint8Array): Uint8Array => {
  const salt = randomBytes(SALT)
  const last = Math.max(Math.ceil(bytes.length / PIECE), 1) - 1
  // written in place, so that a large file is not in memory twice
  const sealed = Buffer.alloc(HEADER + (last + 1) * OVERHEAD + bytes.length)
  sealed.write(key.id, "latin1")
  salt.copy(sealed, KEY_ID_LENGTH)
  for (let at = 0; at <= last; at++) {
    const bound = boundTo(place, salt.toString("hex"), at, at === last)
    const from = HEADER + at * (PIECE + OVERHEAD)
    sealBytes(key, bound, bytes.subarray(at * PIECE, (at + 1) * PIECE), sealed.subarray(from))
  }
  return sealed
}

/** Streams the decrypted bytes. An altered file (`SecretAltered`) is a defect. */
export const openFile =
  <E2, R2>(find: (id: string) => Effect.Effect<DataKey, E2, R2>, place: SealedPlace) =>
  <E, R>(sealed: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | E2, R | R2> =>
    Stream.suspend(() => {
      const altered = () => new SecretAltered({ place })
      // one chunk is held back, since it may be the last one; buffers are reused to avoid garbage
      const header = Buffer.alloc(HEADER)
      const held = Buffer.alloc(PIECE + OVERHEAD)
      let headed = 0
      let filled = 0
      let at = 0
      let opened: { readonly key: DataKey; readonly salt: string } | undefined

      const open = (isLast: boolean) =>
        Effect.try({
          try: () => {
            if (opened === undefined) throw altered()
            const { key, salt } = opened
            return openBytes(key, boundTo(place, salt, at, isLast), held.subarray(0, filled))
          },
          catch: altered
        }).pipe(Effect.orDie)

      const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
        const pieces: Array<Uint8Array> = []
        let from = 0
        while (from < chunk.length) {
          const [target, done] = headed < HEADER ? [header, headed] : [held, filled]
          if (target === held && done === held.length) {
            pieces.push(yield* open(false))
            at++
            filled = 0
            continue
          }
          const some = chunk.subarray(from, from + target.length - done)
          target.set(some, done)
          from += some.length
          if (target === held) filled += some.length
          else headed += some.length
          if (target === header && headed === HEADER)
            opened = {
              key: yield* find(header.toString("latin1", 0, KEY_ID_LENGTH)),
              salt: header.toString("hex", KEY_ID_LENGTH)
            }
        }
        return pieces
      })

      return Stream.mapConcatEffect(sealed, take).pipe(
        Stream.concat(Stream.suspend(() => Stream.fromEffect(open(true))))
      )
    })
