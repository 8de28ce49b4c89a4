/** Forms and their versions: the only writer of their tables. Rule 22.1. */
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { ensureBelowLimit } from "../../../services/recordLimits.ts"
import { FilesOff } from "../schemas/errors.ts"
import { Form, FormInUse, FormNotFound, FormUid, type NewForm } from "../schemas/Form.ts"
import { flattened } from "./engine.ts"
import { keptIn } from "./kept.ts"

/** Most bytes of the questions of an organisation's forms together: a list has all of them, and is made in memory. */
const ITEMS_BYTES = 5_000_000

const bytesOf = ({ items }: Pick<Form, "items">) => Buffer.byteLength(JSON.stringify(items))

const Version = Schema.Struct({ title: Form.fields.title, items: Form.fields.items })

export class Forms extends Effect.Service<Forms>()("forms/Forms", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const { clamavUrl } = yield* Settings
    const versions = rowsOf(Version)
    const uids = rowsOf(Schema.Struct({ uid: FormUid }))
    /** Fails with `Invalid` if the questions of all forms together, as they are stored, are too long. */
    const ensureRoom = (owner: OrganisationUid) =>
      ensureBelowLimit(
        sql`SELECT coalesce(sum(octet_length(items::text)), 0)::bigint AS count FROM forms
          WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        ITEMS_BYTES + 1,
        "items",
        "bytes of questions in all forms"
      )

    /** Keeps what a response answers, in its transaction: of a form's versions those that somebody has answered. */
    const keepVersion = (owner: OrganisationUid, { uid, version, items }: Pick<Form, "uid" | "version" | "items">) =>
      done(sql`INSERT INTO form_versions
        ${sql.insert({ organisation_uid: owner, form_uid: uid, version, items: JSON.stringify(items) })} ON CONFLICT DO NOTHING`)

    /** Files are asked for only where they are scanned (`FilesOff`); other items make the next version. */
    const kept = yield* keptIn({
      table: "forms",
      named: "title",
      schema: Form,
      uid: FormUid,
      notFound: () => new FormNotFound(),
      judged: (_, { items }: Partial<NewForm>, before) => {
        if (clamavUrl === undefined && flattened(items ?? []).some(({ type }) => type === "file"))
          return Effect.fail(new FilesOff())
        const isSame = items === undefined || Bun.deepEquals(items, before?.items)
        return Effect.succeed({ version: (before?.version ?? 0) + (isSame ? 0 : 1) })
      },
      stored: (owner, after, before) =>
        before === null || (after.version !== before.version && bytesOf(after) > bytesOf(before))
          ? ensureRoom(owner)
          : Effect.void
    })
    const { get, findForChange } = kept

    /** Whether an appointment type or a type of request asks it. */
    const isUsed = (owner: OrganisationUid, uid: FormUid) =>
      any(sql`SELECT FROM appointment_types WHERE organisation_uid = ${owner} AND deleted_at IS NULL
          AND (added -> 'entry' ->> 'form_uid' = ${uid} OR added -> 'intake' @> ${JSON.stringify([{ form_uid: uid }])}::jsonb)
        UNION ALL SELECT FROM request_types WHERE organisation_uid = ${owner} AND form_uid = ${uid} AND deleted_at IS NULL
        LIMIT 1`)

    /** What was answered stays. Fails with `FormNotFound` and `FormInUse`. */
    const remove = Effect.fn("Forms.remove")(function* (owner: OrganisationUid, uid: FormUid) {
      yield* findForChange(owner, uid)
      if (yield* isUsed(owner, uid)) return yield* new FormInUse()
      yield* kept.remove(owner, uid)
    }, transaction)

    /** The form that patients are asked; none for one that is inactive or deleted. */
    const asked = (owner: OrganisationUid, uid: FormUid) =>
      Effect.map(
        Effect.option(get(owner, uid)),
        Option.filter(({ active }) => active)
      )

    /** The forms that patients are asked. */
    const activeUids = (owner: OrganisationUid) =>
      Effect.map(
        uids.all(sql`SELECT uid FROM forms WHERE organisation_uid = ${owner} AND active AND deleted_at IS NULL`),
        (all) => new Set(all.map(({ uid }) => uid))
      )

    /** What an answered version asked, also of a form that was deleted since. */
    const version = (owner: OrganisationUid, uid: FormUid | null, number: number) =>
      versions.first(sql`SELECT f.title, v.items FROM form_versions v
        JOIN forms f ON f.organisation_uid = ${owner} AND f.uid = v.form_uid
        WHERE v.organisation_uid = ${owner} AND v.form_uid = ${uid} AND v.version = ${number}`)

    return { ...kept, remove, asked, activeUids, keepVersion, version } as const
  })
}) {}
