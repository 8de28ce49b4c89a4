/** Pictures of organisations and doctors, named by a hash of their content; the only writer of their table. */
import { Cache, Effect, Exit, Option, Schema } from "effect"
import { Settings } from "../../config.ts"
import { imageIn } from "../../schemas/access/Image.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { withoutOwner } from "../tenancy/Tenancy.ts"

const Stored = Schema.Struct({ content_type: Schema.String, bytes: Schema.Uint8ArrayFromSelf })

const ENDINGS = { "image/png": "png", "image/jpeg": "jpg" } as const

/** The column value for a sent picture: null, the name of a stored one, or the name of a new one. */
export const imageName = (sent: string | null) => {
  const image = sent === null ? null : imageIn(sent)
  if (image === null) return sent
  const digest = new Bun.CryptoHasher("sha256").update(image.bytes).digest("base64url").slice(0, 22)
  return `${digest}.${ENDINGS[image.content_type]}`
}

/** Pattern of names; no others are looked up. */
const NAME = /^[\w-]{22}\.(?:png|jpg)$/

export class Images extends Effect.Service<Images>()("access/Images", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { meetingsUrl } = yield* Settings
    const images = rowsOf(Stored)
    const names = rowsOf(Schema.Struct({ name: Schema.String }))

    /** Pictures of at most 64 KiB each. A deleted one is evicted at once in this process, and after 10 seconds in others. */
    const found = yield* Cache.makeWith({
      capacity: 128,
      lookup: (name: string) => withoutOwner(images.first(sql`SELECT content_type, bytes FROM image_named(${name})`)),
      timeToLive: (exit) => (Exit.isSuccess(exit) && Option.isSome(exit.value) ? "10 seconds" : 0)
    })

    /** Stores a data URI, and deletes the organisation's unused pictures. Does not map SQL errors. */
    const keep = Effect.fn("Images.keep")(function* (owner: OrganisationUid, sent: string | null) {
      const image = sent === null ? null : imageIn(sent)
      if (image !== null)
        yield* sql`INSERT INTO images ${sql.insert({ organisation_uid: owner, name: imageName(sent), ...image })}
          ON CONFLICT DO NOTHING`
      // Candidates for deletion are read first, so that a picture stored concurrently by another transaction is not among them
      const before = yield* names.all(sql`SELECT name FROM images WHERE organisation_uid = ${owner}`)
      const shown = yield* names.all(sql`SELECT branding->>'logo' AS name FROM organisations
          WHERE organisation_uid = ${owner} AND branding->>'logo' IS NOT NULL
        UNION SELECT picture FROM doctors WHERE organisation_uid = ${owner} AND picture IS NOT NULL`)
      const kept = new Set(shown.map(({ name }) => name))
      const left = before.map(({ name }) => name).filter((name) => !kept.has(name))
      if (left.length > 0) yield* sql`DELETE FROM images WHERE organisation_uid = ${owner} AND name = ANY (${left})`
      yield* Effect.forEach(left, (name) => found.invalidate(name), { discard: true })
    })

    /** The public URL of a stored picture. */
    const address = (name: string | null) => (name === null ? null : `${meetingsUrl}/images/${name}`)

    /** A picture by name, of any organisation: pages are public, and names cannot be guessed. */
    const find = (name: string) => (NAME.test(name) ? found.get(name) : Effect.succeedNone)

    return { keep, address, find } as const
  })
}) {}
