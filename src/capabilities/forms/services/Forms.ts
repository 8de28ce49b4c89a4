/** Forms and their versions: the only writer of their tables. Rule 22.1. */
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { isNothing } from "../../../schemas/fields.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { ensureBelowLimit } from "../../../services/recordLimits.ts"
import { newUid } from "../../../services/uid.ts"
import { FilesOff } from "../schemas/errors.ts"
import {
  Form,
  type FormChanges,
  FormInUse,
  type FormItem,
  FormNotFound,
  FormUid,
  type NewForm
} from "../schemas/Form.ts"
import { flattened } from "./engine.ts"
import { keptIn } from "./kept.ts"

/** Most bytes of the questions of an organisation's forms together: a list has all of them, and is made in memory. */
const ITEMS_BYTES = 5_000_000

const Version = Schema.Struct({ title: Form.fields.title, items: Form.fields.items })

export class Forms extends Effect.Service<Forms>()("forms/Forms", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const { clamavUrl } = yield* Settings
    const versions = rowsOf(Version)
    const kept = yield* keptIn("forms", "title", Form, () => new FormNotFound())
    const { list, get, findForChange } = kept

    /** Files are asked for only where they are scanned. */
    const ensureFiles = (items: ReadonlyArray<FormItem> | undefined) =>
      clamavUrl === undefined && flattened(items ?? []).some(({ type }) => type === "file")
        ? Effect.fail(new FilesOff())
        : Effect.void

    /** Keeps the version of a form that was stored. Fails with `Invalid` if the questions of all forms together are too long. */
    const keepVersion = Effect.fnUntraced(function* (owner: OrganisationUid, { uid, version, items }: Form) {
      yield* ensureBelowLimit(
        sql`SELECT coalesce(sum(octet_length(items::text)), 0)::bigint AS count FROM forms
          WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        ITEMS_BYTES + 1,
        "items",
        "bytes of questions in all forms"
      )
      const row = { organisation_uid: owner, form_uid: uid, version, items: JSON.stringify(items) }
      yield* done(sql`INSERT INTO form_versions ${sql.insert(row)} ON CONFLICT DO NOTHING`)
    })

    /** Fails with `FilesOff`, and with `Invalid` at a limit. */
    const make = Effect.fn("Forms.make")(function* (owner: OrganisationUid, uid: FormUid, form: NewForm) {
      yield* ensureFiles(form.items)
      return yield* Effect.tap(kept.make(owner, uid, { ...form, version: 1 }), (made) => keepVersion(owner, made))
    }, transaction)
    const create = (owner: OrganisationUid, form: NewForm) =>
      Effect.flatMap(newUid(FormUid), (uid) => make(owner, uid, form))

    /** Only sent fields change; other items make the next version. Fails with `FormNotFound`, `FilesOff` and `Invalid`. */
    const update = Effect.fn("Forms.update")(function* (owner: OrganisationUid, uid: FormUid, changes: FormChanges) {
      const before = yield* findForChange(owner, uid)
      if (isNothing(changes)) return before
      yield* ensureFiles(changes.items)
      const isNew = changes.items !== undefined && !Bun.deepEquals(changes.items, before.items)
      const changed = kept.change(owner, uid, { ...changes, version: before.version + (isNew ? 1 : 0) })
      return yield* Effect.tap(changed, (form) => keepVersion(owner, form))
    }, transaction)

    /** Makes a form, or replaces what the one of this uid asks. Fails with `FilesOff`, and with `Invalid` at the limit. */
    const provision = Effect.fn("Forms.provision")(function* (owner: OrganisationUid, uid: FormUid, form: NewForm) {
      yield* kept.restore(owner, uid)
      return yield* Effect.catchTag(update(owner, uid, form), "FormNotFound", () => make(owner, uid, form))
    }, transaction)

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

    /** What a version asked, also of a form that was deleted since. */
    const version = (owner: OrganisationUid, uid: FormUid | null, number: number) =>
      versions.first(sql`SELECT f.title, v.items FROM form_versions v
        JOIN forms f ON f.organisation_uid = ${owner} AND f.uid = v.form_uid
        WHERE v.organisation_uid = ${owner} AND v.form_uid = ${uid} AND v.version = ${number}`)

    return { list, get, findForChange, create, update, provision, remove, asked, version } as const
  })
}) {}
