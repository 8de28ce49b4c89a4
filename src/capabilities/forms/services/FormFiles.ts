/** Files that patients add to forms: sealed, scanned, without metadata; the only writer of their table. Rule 22.6. */
import { Effect, Option, Schema, Stream, Struct } from "effect"
import { Settings } from "../../../config.ts"
import { onOneLine, truncate } from "../../../schemas/fields.ts"
import { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { fileAddresses } from "../../../services/access/fileAddresses.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { countOf, done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { FileStore } from "../../../services/prescriptions/FileStore.ts"
import { openFile, sealFile } from "../../../services/prescriptions/sealedFile.ts"
import { Service } from "../../../services/Service.ts"
import { DataKeys } from "../../../services/sealing/DataKeys.ts"
import { Envelope, type SealedPlace } from "../../../services/sealing/Envelope.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { streamOf } from "../../../services/tenancy/Tenancy.ts"
import { newUid } from "../../../services/uid.ts"
import { FORM_FILES_PATH } from "../paths.ts"
import { FilesOff, FormFileNotFound, TooManyFiles } from "../schemas/errors.ts"
import { FILE_MAX, FileUid, FormFile, ReadFile } from "../schemas/TypeFields.ts"
import { accepted } from "./pictures.ts"
import { type FilesOf, lockPatient, ofPlace, type Place } from "./places.ts"
import { Scanner } from "./Scanner.ts"

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly form_files: OrganisationUid
  }
}

const FILES_MAX = 10
/** Between two attempts to scan a file, and files of a batch: each is in memory while it is scanned. */
const AGAIN_SECONDS = MINUTE
const BATCH = 20

const Stored = Schema.Struct({
  ...FormFile.fields,
  organisation_uid: OrganisationUid,
  media_type: ReadFile.fields.media_type,
  patient_uid: PatientUid
})
const Ref = Schema.Struct({ organisation_uid: OrganisationUid, uid: FileUid })

const sha256 = (content: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(content).digest("hex")
const fileOf = (owner: OrganisationUid, uid: FileUid) =>
  ({ area: "uploads", name: `${sha256(JSON.stringify([owner, uid]))}.bin` }) as const
const placeOf = (
  owner: OrganisationUid,
  uid: FileUid,
  column: SealedPlace["column"] = "content_encrypted"
): SealedPlace => ({ table: "form_files", column, row: [owner, uid] })
const unknown = () => new FormFileNotFound()
const shownOf = (file: typeof Stored.Type): FormFile => Struct.pick(file, "uid", "name", "size", "sha256", "status")

export class FormFiles extends Service<FormFiles>()("forms/FormFiles", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const keys = yield* DataKeys
    const store = yield* FileStore
    const scanner = yield* Scanner
    const owners = yield* Owners
    const { clamavUrl } = yield* Settings
    const addresses = yield* fileAddresses("form-file", FORM_FILES_PATH, Ref, unknown)
    const stored = rowsOf(Stored, envelope.openRows("form_files", ["organisation_uid", "uid"]))
    const refs = rowsOf(Ref)
    const sized = rowsOf(Schema.Struct({ uid: FileUid, size: Schema.Number }))
    const columns = sql`organisation_uid, uid, patient_uid, name_encrypted, media_type, size, sha256, status`

    const all = (owner: OrganisationUid, of: Place) =>
      stored.all(
        sql`SELECT ${columns} FROM form_files WHERE ${ofPlace(sql, owner, of)} AND status <> 'expired' ORDER BY created_at, uid`
      )

    /** Those of a form at one door. */
    const of = (owner: OrganisationUid, place: Place) => Effect.map(all(owner, place), (found) => found.map(shownOf))

    /** Fails with `TooManyFiles`; the caller's transaction holds the patient's row, so that uploads at once are counted. */
    const ensureRoom = (owner: OrganisationUid, place: FilesOf) =>
      Effect.flatMap(
        countOf(
          sql`SELECT count(*) AS count FROM form_files WHERE ${ofPlace(sql, owner, place)} AND status IN ('scanning', 'clean')`
        ),
        (count) => (count < FILES_MAX ? Effect.void : Effect.fail(new TooManyFiles()))
      )

    const judge = Effect.fnUntraced(function* (owner: OrganisationUid, uid: FileUid, bytes: Uint8Array) {
      const verdict = yield* Effect.option(
        Effect.tapError(scanner.scan(bytes), () => Effect.logWarning("the virus scanner does not answer: files wait"))
      )
      const now = yield* clock.now
      const row = Option.match(verdict, {
        onNone: () => ({ scan_after: timestamp(now + AGAIN_SECONDS) }),
        onSome: (status) => ({ status, scan_after: null, updated_at: timestamp(now) })
      })
      // one that was taken back meanwhile stays so
      yield* done(sql`UPDATE form_files SET ${sql.update(row)}
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND status = 'scanning'`)
      if (Option.contains(verdict, "rejected")) yield* Effect.orDie(store.delete(fileOf(owner, uid)))
      return Option.getOrElse(verdict, () => "scanning" as const)
    })

    /** Whoever reads a form sees that files were rejected: the newest ones, since those that are there do not count. */
    const forgetRejected = (owner: OrganisationUid, place: FilesOf) => {
      const rejected = sql`${ofPlace(sql, owner, place)} AND status = 'rejected'`
      return done(sql`DELETE FROM form_files WHERE ${rejected} AND uid = ANY (ARRAY(SELECT uid FROM form_files
        WHERE ${rejected} ORDER BY created_at DESC, uid DESC OFFSET ${FILES_MAX}))`)
    }

    /** Stores and scans a file. Fails with `FilesOff`, `TooManyFiles`, `PatientRestricted`, and `Invalid` for another kind of file. */
    const add = Effect.fn("FormFiles.add")(function* (
      owner: OrganisationUid,
      place: FilesOf,
      given: string,
      bytes: Uint8Array
    ) {
      if (clamavUrl === undefined) return yield* new FilesOff()
      if (bytes.length > FILE_MAX) return yield* invalid("body", `must have at most ${FILE_MAX} bytes`)
      const file = accepted(bytes)
      if (file === undefined)
        return yield* invalid("body", "must be a PDF, or a whole JPEG or PNG of at most 64 megapixels")
      yield* ensureRoom(owner, place)
      const uid = yield* newUid(FileUid)
      const name = truncate(onOneLine(given).replaceAll(/[/\\\p{Cc}"]/gu, "_")) || "file"
      const dataKey = yield* keys.current(owner)
      const now = yield* clock.now
      const row = {
        organisation_uid: owner,
        uid,
        ...place,
        name_encrypted: yield* envelope.sealed(placeOf(owner, uid, "name_encrypted"), name),
        media_type: file.media_type,
        size: file.bytes.length,
        sha256: sha256(file.bytes),
        data_key: dataKey.id,
        status: "scanning",
        scan_after: timestamp(now + AGAIN_SECONDS),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      yield* Effect.orDie(store.put(fileOf(owner, uid), sealFile(dataKey, placeOf(owner, uid), file.bytes)))
      const insert = Effect.gen(function* () {
        yield* lockPatient(sql)(owner, place.patient_uid)
        yield* ensureRoom(owner, place)
        yield* done(sql`INSERT INTO form_files ${sql.insert(row)}`)
      })
      yield* Effect.tapErrorCause(transaction(insert), () => Effect.orDie(store.delete(fileOf(owner, uid))))
      const status = yield* judge(owner, uid, file.bytes)
      if (status === "rejected") yield* forgetRejected(owner, place)
      const added: FormFile = { uid, name, size: row.size, sha256: row.sha256, status }
      return added
    })

    /** The patient takes a file back: it is deleted soon. */
    const remove = Effect.fn("FormFiles.remove")(function* (owner: OrganisationUid, place: FilesOf, uid: string) {
      const row = { status: "expired", scan_after: timestamp(yield* clock.now) }
      yield* done(sql`UPDATE form_files SET ${sql.update(row)} WHERE ${ofPlace(sql, owner, place)} AND uid = ${uid}`)
    })

    /** Gives files to another place of the same patient, such as those of a session's request to the request; default: all of them. */
    const move = (owner: OrganisationUid, from: FilesOf, to: FilesOf, uids?: ReadonlyArray<string>) =>
      done(sql`UPDATE form_files SET subject_uid = ${to.subject_uid}, asked_by = ${to.asked_by}
        WHERE ${ofPlace(sql, owner, from)} AND ${uids === undefined ? sql`true` : sql`uid = ANY (${[...uids]}::text[])`}`)

    /** The same with addresses, valid for five minutes, of those that are clean. */
    const readable = Effect.fnUntraced(function* (owner: OrganisationUid, place: Place) {
      return yield* Effect.forEach(
        yield* all(owner, place),
        Effect.fnUntraced(function* (one) {
          const { uid, organisation_uid, media_type, status } = one
          const address =
            status === "clean" ? yield* addresses.addressOf({ organisation_uid, uid }) : { url: null, expires_at: null }
          const read: ReadFile = { ...shownOf(one), media_type, ...address }
          return read
        })
      )
    })

    const contentOf = (owner: OrganisationUid, uid: FileUid) =>
      streamOf({ organisation_uid: owner })(
        openFile((id: string) => keys.find(owner, id), placeOf(owner, uid))(store.read(fileOf(owner, uid)))
      )

    /** The file of an address, as a stream. Fails with `FormFileNotFound` if it is altered or expired, or the patient was erased. */
    const download = Effect.fn("FormFiles.download")(function* (token: string) {
      const { organisation_uid: owner, uid } = yield* addresses.open(token)
      const file = yield* stored.firstOr(
        sql`SELECT ${columns} FROM form_files f WHERE organisation_uid = ${owner} AND uid = ${uid} AND status = 'clean'
          AND EXISTS (SELECT FROM patients p WHERE p.organisation_uid = ${owner} AND p.uid = f.patient_uid AND p.erased_at IS NULL)`,
        unknown
      )
      return { ...file, content: contentOf(owner, uid) }
    })

    const scanBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const due = yield* sized.all(sql`UPDATE form_files SET scan_after = to_timestamp(${now + AGAIN_SECONDS})
        WHERE organisation_uid = ${owner} AND uid = ANY (ARRAY(SELECT uid FROM form_files
          WHERE organisation_uid = ${owner} AND status <> 'expired' AND scan_after <= to_timestamp(${now})
          ORDER BY scan_after LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
        RETURNING uid, size`)
      for (const { uid, size } of due) {
        const bytes = Buffer.alloc(size)
        const isRead = yield* Stream.runFold(contentOf(owner, uid), 0, (at, piece) => {
          bytes.set(piece, at)
          return at + piece.length
        }).pipe(
          Effect.as(true),
          Effect.catchAllCause((cause) =>
            Effect.as(Effect.logError("a form's file cannot be read: it waits", cause), false)
          )
        )
        if (isRead) yield* judge(owner, uid, bytes)
      }
      return due.length
    })

    /** Deletes contents and rows of files whose retention is over. */
    const deleteBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const over = yield* refs.all(sql`SELECT organisation_uid, uid FROM form_files
        WHERE organisation_uid = ${owner} AND status = 'expired' LIMIT ${BATCH}`)
      for (const { uid } of over) {
        yield* Effect.orDie(store.delete(fileOf(owner, uid)))
        yield* done(sql`DELETE FROM form_files WHERE organisation_uid = ${owner} AND uid = ${uid}`)
      }
      return over.length
    })

    /** Scans files that the scanner has not seen yet, and deletes those whose retention is over; returns how many. Safe to run in several workers at once. */
    const scanDue = Effect.fn("FormFiles.scanDue")(function* () {
      return yield* owners.eachDue("form_files", yield* clock.now, (owner) =>
        Effect.zipWith(batches(BATCH, deleteBatch(owner)), batches(BATCH, scanBatch(owner)), (a, b) => a + b)
      )
    })

    return { of, add, remove, move, readable, download, scanDue } as const
  }),
  dependencies: [DataKeys.Default]
}) {}
