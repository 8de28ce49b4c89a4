/** The repository of prescriptions, their items, their log and their files. */
import type { Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { Actor } from "../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import {
  type DoctorUid,
  OrganisationUid,
  PatientUid,
  type PharmacyOrderLineUid,
  type PharmacyOrderUid,
  PharmacyUid,
  PrescriptionItemUid,
  PrescriptionLogUid,
  type PrescriptionUid,
  ShopUid,
  SkuUid
} from "../../schemas/ids.ts"
import { PrescriptionNotFound } from "../../schemas/prescriptions/errors.ts"
import {
  ListedPrescription,
  type NewPrescription,
  Prescription,
  PrescriptionItem,
  PrescriptionPatient,
  type PrescriptionQuery,
  PrescriptionRef,
  StoredFile
} from "../../schemas/prescriptions/Prescription.ts"
import { PrescriptionStatus, type PrescriptionTrigger } from "../../schemas/prescriptions/PrescriptionStates.ts"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import type { PrescriptionEntry } from "../../schemas/provisioning/prescriptions.ts"
import { changedSince } from "../database/changedSince.ts"
import { likePattern } from "../database/likePattern.ts"
import { any, countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { timestamp } from "../database/SqlErrors.ts"
import { pageOf, windowOf } from "../database/totals.ts"
import { Envelope, type SealedPlace } from "../sealing/Envelope.ts"
import { newUid } from "../uid.ts"
import type { Allocation } from "./allocate.ts"
import { openingItems } from "./openItems.ts"

export interface OrderRef {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
}

export interface OrderLine {
  readonly uid: PharmacyOrderLineUid
  readonly sku_uid: SkuUid
  readonly quantity: number
}

const StoredPrescription = Schema.Struct({
  ...Prescription.pick("uid", "doctor", "items", "signature", "created_at", "updated_at").fields,
  organisation_uid: OrganisationUid,
  shop_uid: Schema.NullOr(ShopUid),
  /** The pharmacy of the shop's orders that name none, and whether it is still assigned to the organisation. */
  default_pharmacy_uid: Schema.NullOr(PharmacyUid),
  default_pharmacy_assigned: Schema.NullOr(Schema.Boolean),
  status: PrescriptionStatus,
  patient: PrescriptionPatient,
  /** The signed PDF, else the rendered one. */
  file: Schema.NullOr(StoredFile),
  /** When the current rendering was requested; null if none is running. */
  rendering_since: Schema.NullOr(UnixSeconds)
})
export type StoredPrescription = typeof StoredPrescription.Type

const PrescriptionState = StoredPrescription.pick("organisation_uid", "uid", "status")

/** Columns for orders, without items, of which it may have many more than the order has lines. */
const PrescriptionOnOrder = StoredPrescription.pick("organisation_uid", "uid", "patient", "file")
export type PrescriptionOnOrder = typeof PrescriptionOnOrder.Type

/** In lists, without the names of the articles. */
const Listed = Schema.Struct({
  ...ListedPrescription.omit("items", "status").fields,
  status: PrescriptionStatus,
  items: Schema.Array(PrescriptionItem.pick("sku_uid", "quantity"))
})

const ItemLeft = Schema.Struct({ uid: PrescriptionItemUid, sku_uid: SkuUid, left: Schema.Number })

const notFound = () => new PrescriptionNotFound()

export const refOf = ({ organisation_uid, uid }: Pick<StoredPrescription, "organisation_uid" | "uid">) => ({
  organisation_uid,
  prescription_uid: uid
})

export class PrescriptionsRepo extends Effect.Service<PrescriptionsRepo>()("prescriptions/PrescriptionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const dosagePlace = (organisation_uid: string, prescription_uid: string, item: string): SealedPlace => ({
      table: "prescription_items",
      column: "dosage_encrypted",
      row: [organisation_uid, prescription_uid, item]
    })
    const openItems = openingItems(envelope)
    const prescriptions = rowsOf(StoredPrescription, openItems)
    const ordered = rowsOf(PrescriptionOnOrder)
    const statuses = rowsOf(PrescriptionState)
    const listed = rowsOf(Listed)
    const storedFiles = rowsOf(Schema.Struct({ ...PrescriptionRef.fields, ...StoredFile.fields }))
    const linked = rowsOf(Schema.Struct({ patient_uid: Schema.NullOr(PatientUid) }))
    const uses = rowsOf(Schema.Struct({ used: Schema.Boolean }))

    const onOrder = (
      owner: OrganisationUid
    ) => sql`json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'date_of_birth', p.date_of_birth,
        'gender', p.gender) AS patient,
      (SELECT json_build_object('area', f.area, 'name', f.name, 'sha256', f.sha256, 'size', f.size, 'data_key', f.data_key) FROM files f
        WHERE f.organisation_uid = ${owner} AND f.prescription_uid = p.uid
        ORDER BY f.area = 'signed' DESC LIMIT 1) AS file`
    const columns = (
      owner: OrganisationUid
    ) => sql`p.organisation_uid, p.uid, p.shop_uid, p.status, p.signature, p.rendering_since, p.created_at,
      p.updated_at,
      (SELECT s.default_pharmacy_uid FROM shops s
        WHERE s.organisation_uid = ${owner} AND s.uid = p.shop_uid) AS default_pharmacy_uid,
      (SELECT o.pharmacy_uids IS NULL OR s.default_pharmacy_uid = ANY (o.pharmacy_uids)
        FROM shops s JOIN organisations o USING (organisation_uid) WHERE s.organisation_uid = ${owner} AND s.uid = p.shop_uid) AS default_pharmacy_assigned,
      (SELECT json_build_object('uid', d.uid, 'display_name', d.display_name) FROM doctors d
        WHERE d.organisation_uid = ${owner} AND d.uid = p.doctor_uid) AS doctor,
      ${onOrder(owner)},
      (SELECT coalesce(json_agg(json_build_object('organisation_uid', i.organisation_uid, 'prescription_uid',
          i.prescription_uid, 'uid', i.uid, 'sku_uid', i.sku_uid, 'quantity', i.quantity, 'dosage_encrypted',
          i.dosage_encrypted, 'anamnesis_uid', i.anamnesis_uid) ORDER BY i.position), '[]')
        FROM prescription_items i
        WHERE i.organisation_uid = ${owner} AND i.prescription_uid = p.uid) AS items`

    const among = (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
      sql`FROM prescriptions p WHERE p.organisation_uid = ${owner} AND p.uid = ANY (${[...uids]})`
    const selected = (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
      sql`SELECT ${columns(owner)} ${among(owner, uids)}`

    const ofEach = <A, E, R>(
      refs: ReadonlyArray<PrescriptionRef>,
      read: (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) => Effect.Effect<ReadonlyArray<A>, E, R>
    ) =>
      Effect.map(
        Effect.forEach(
          Map.groupBy(refs, ({ organisation_uid }) => organisation_uid),
          ([owner, some]) =>
            read(
              owner,
              some.map(({ prescription_uid }) => prescription_uid)
            )
        ),
        (found) => found.flat()
      )
    /** The existing ones of these prescriptions, in no order. */
    const findAll = Effect.fn("PrescriptionsRepo.findAll")((refs: ReadonlyArray<PrescriptionRef>) =>
      ofEach(refs, (owner, uids) => prescriptions.all(selected(owner, uids)))
    )
    /** As `findAll`, with the columns for orders. */
    const onOrders = Effect.fn("PrescriptionsRepo.onOrders")((refs: ReadonlyArray<PrescriptionRef>) =>
      ofEach(refs, (owner, uids) =>
        ordered.all(sql`SELECT p.organisation_uid, p.uid, ${onOrder(owner)} ${among(owner, uids)}`)
      )
    )

    /** Fails with `PrescriptionNotFound`. */
    const find = Effect.fn("PrescriptionsRepo.find")(({ organisation_uid, prescription_uid }: PrescriptionRef) =>
      prescriptions.firstOr(selected(organisation_uid, [prescription_uid]), notFound)
    )

    /** Those waiting for this doctor or for any, the oldest first, until they have `items` items together. */
    const waitingFor = Effect.fn("PrescriptionsRepo.waitingFor")(
      (
        owner: OrganisationUid,
        doctor: DoctorUid,
        { limit, items }: { readonly limit: number; readonly items: number }
      ) =>
        prescriptions.all(sql`SELECT ${columns(owner)} FROM (
          SELECT p.*, sum(p.items) OVER (ORDER BY p.created_at, p.uid COLLATE "C") - p.items AS before FROM (
            SELECT p.*, (SELECT count(*) FROM prescription_items i
              WHERE i.organisation_uid = ${owner} AND i.prescription_uid = p.uid) AS items
            FROM prescriptions p WHERE p.organisation_uid = ${owner} AND p.status = 'WAITING_FOR_DOCTOR'
              AND (p.doctor_uid = ${doctor} OR p.doctor_uid IS NULL)
            ORDER BY p.created_at, p.uid COLLATE "C" LIMIT ${limit}) p) p
        WHERE p.before < ${items} ORDER BY p.created_at, p.uid COLLATE "C"`)
    )

    /** A page of them, newest first. */
    const list = Effect.fn("PrescriptionsRepo.list")(function* (owner: OrganisationUid, query: PrescriptionQuery) {
      const { status, patient_uid, search, after } = query
      const where = sql.and([
        sql`p.organisation_uid = ${owner}`,
        ...(status === undefined ? [] : [sql`p.status = ${status.toUpperCase()}`]),
        ...(patient_uid === undefined ? [] : [sql`p.patient_uid = ${patient_uid}`]),
        ...(search === undefined || search === ""
          ? []
          : [
              sql.or([
                sql`p.uid = ${search}`,
                sql.and(search.split(/\s+/).map((word) => sql`p.patient_name LIKE ${likePattern(word)}`))
              ])
            ]),
        ...changedSince(sql, query, "p.updated_at")
      ])
      const behind =
        after === undefined ? [] : [sql`(p.created_at, p.uid COLLATE "C") < (to_timestamp(${after[0]}), ${after[1]})`]
      const { limit, offset } = windowOf(query)
      const rows = listed.all(sql`SELECT p.uid, p.status, p.created_at, p.updated_at,
          (SELECT json_build_object('uid', d.uid, 'display_name', d.display_name) FROM doctors d
            WHERE d.organisation_uid = ${owner} AND d.uid = p.doctor_uid) AS doctor,
          EXISTS (SELECT FROM files f WHERE f.organisation_uid = ${owner} AND f.prescription_uid = p.uid) AS rendered,
          json_build_object('uid', p.patient_uid, 'display_name', nullif(concat_ws(' ', p.first_name, p.last_name), '')) AS patient,
          (SELECT coalesce(json_agg(json_build_object('sku_uid', i.sku_uid, 'quantity', i.quantity) ORDER BY i.position), '[]')
            FROM prescription_items i
            WHERE i.organisation_uid = ${owner} AND i.prescription_uid = p.uid AND i.position <= 20) AS items
        FROM prescriptions p WHERE ${sql.and([where, ...behind])}
        ORDER BY p.created_at DESC, p.uid COLLATE "C" DESC LIMIT ${limit} OFFSET ${offset}`)
      return yield* pageOf(
        query,
        rows,
        ({ created_at, uid }) => [created_at, uid] as const,
        countOf(sql`SELECT count(*) FROM prescriptions p WHERE ${where}`)
      )
    })

    /** The status, locked until the caller's transaction ends; items are not read. Fails with `PrescriptionNotFound`. */
    const lockStatus = ({ organisation_uid, prescription_uid }: PrescriptionRef) =>
      statuses.firstOr(
        sql`SELECT organisation_uid, uid, status FROM prescriptions
          WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid} FOR NO KEY UPDATE`,
        notFound
      )
    /** The prescription, locked likewise. Fails with `PrescriptionNotFound`. */
    const lock = (ref: PrescriptionRef) => Effect.zipRight(lockStatus(ref), find(ref))

    /** Whether a cancelled one was signed before, according to its log. One provisioned as cancelled counts as unsigned. */
    const wasSigned = Effect.fn("PrescriptionsRepo.wasSigned")((ref: PrescriptionRef) =>
      any(sql`SELECT FROM prescription_log WHERE organisation_uid = ${ref.organisation_uid}
        AND prescription_uid = ${ref.prescription_uid} AND to_status = 'CANCELLED'
        AND from_status <> 'WAITING_FOR_DOCTOR' LIMIT 1`)
    )

    const insertItems = Effect.fnUntraced(function* (
      { organisation_uid, prescription_uid }: PrescriptionRef,
      items: ReadonlyArray<
        Omit<PrescriptionEntry["items"][number], "uid"> & { readonly uid?: PrescriptionItemUid | null }
      >
    ) {
      const rows = yield* Effect.forEach(items, ({ dosage, ...item }, i) => {
        const uid = item.uid ?? `${prescription_uid}_${i + 1}`
        return Effect.map(
          envelope.seal(dosagePlace(organisation_uid, prescription_uid, uid), dosage),
          (dosage_encrypted) => ({
            organisation_uid,
            prescription_uid,
            ...item,
            uid,
            position: i + 1,
            dosage_encrypted
          })
        )
      })
      if (rows.length > 0) yield* sql`INSERT INTO prescription_items ${sql.insert(rows)}`
    })

    /** The organisation's patient with this name and birth date; null unless there is exactly one. */
    const patientByName = ({ organisation_uid, patient }: Pick<NewPrescription, "organisation_uid" | "patient">) =>
      Effect.map(
        linked.one(sql`SELECT patient_called(${organisation_uid}, ${patient.first_name}, ${patient.last_name},
          ${patient.date_of_birth}::bigint) AS patient_uid`),
        ({ patient_uid }) => patient_uid
      )

    /** Records the patient of these prescriptions before the patient's name changes. */
    const assignPatient = (owner: OrganisationUid, patient: PatientUid, uids: ReadonlyArray<PrescriptionUid>) =>
      Effect.orDie(sql`UPDATE prescriptions SET patient_uid = ${patient}
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]}) AND patient_uid IS NULL`)

    /** The columns that a provisioning file changes, too. */
    const columnsFor = (prescription: Omit<NewPrescription, "items">, status: PrescriptionStatus) =>
      Effect.map(patientByName(prescription), (patient_uid) => {
        const { shop_uid, doctor_uid, patient } = prescription
        const { first_name, last_name, date_of_birth, gender } = patient
        return { shop_uid, doctor_uid, status, first_name, last_name, date_of_birth, gender, patient_uid }
      })

    const insert = Effect.fn("PrescriptionsRepo.insert")(function* (
      prescription: NewPrescription,
      status: PrescriptionStatus,
      signature: Signature | null,
      now: UnixSeconds
    ) {
      const { uid, organisation_uid, items } = prescription
      const row = {
        organisation_uid,
        uid,
        ...(yield* columnsFor(prescription, status)),
        signature: signature && JSON.stringify(signature),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      yield* sql`INSERT INTO prescriptions ${sql.insert(row)}`
      yield* insertItems({ organisation_uid, prescription_uid: uid }, items)
    }, Effect.orDie)

    /**
     * Creates or replaces a prescription of a provisioning file. One that has been rendered or has left its first status is unchanged, so
     * that its PDF stays correct and no transition is undone.
     */
    const provision = Effect.fn("PrescriptionsRepo.provision")(function* (entry: PrescriptionEntry, now: UnixSeconds) {
      const { organisation_uid, uid, items } = entry
      const [found] = yield* uses.all(sql`SELECT p.rendering_since IS NOT NULL
            OR EXISTS (SELECT FROM files f WHERE f.organisation_uid = ${organisation_uid} AND f.prescription_uid = ${uid})
            OR EXISTS (SELECT FROM dispensings d WHERE d.organisation_uid = ${organisation_uid} AND d.prescription_uid = ${uid})
            OR EXISTS (SELECT FROM prescription_log l WHERE l.organisation_uid = ${organisation_uid} AND l.prescription_uid = ${uid})
          AS used FROM prescriptions p WHERE p.organisation_uid = ${organisation_uid} AND p.uid = ${uid} FOR NO KEY UPDATE OF p`)
      if (found?.used === true) return
      const row = yield* columnsFor(entry, entry.status)
      const at = timestamp(now)
      yield* sql`INSERT INTO prescriptions ${sql.insert({ organisation_uid, uid, ...row, created_at: at, updated_at: at })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update({ ...row, updated_at: at })}`
      yield* sql`DELETE FROM prescription_items
        WHERE organisation_uid = ${organisation_uid} AND prescription_uid = ${uid}`
      yield* insertItems({ organisation_uid, prescription_uid: uid }, items)
    })

    /** Applies the transition and logs it. The caller holds the lock and has checked that the transition is allowed. */
    const move = Effect.fn("PrescriptionsRepo.move")(function* (
      { organisation_uid, uid, status }: typeof PrescriptionState.Type,
      trigger: PrescriptionTrigger,
      to: PrescriptionStatus,
      actor: Actor,
      now: UnixSeconds,
      reason: string | null = null
    ) {
      yield* sql`UPDATE prescriptions SET status = ${to}, updated_at = to_timestamp(${now})
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
      const entry = yield* newUid(PrescriptionLogUid)
      const place: SealedPlace = {
        table: "prescription_log",
        column: "reason_encrypted",
        row: [organisation_uid, uid, entry]
      }
      yield* sql`INSERT INTO prescription_log ${sql.insert({
        organisation_uid,
        prescription_uid: uid,
        uid: entry,
        trigger,
        from_status: status,
        to_status: to,
        actor_kind: actor.kind,
        actor_uid: actor.uid,
        reason_encrypted: yield* envelope.seal(place, reason),
        created_at: timestamp(now)
      })}`
    }, Effect.orDie)

    /** Records a stored file, and ends the rendering. */
    const addFile = Effect.fn("PrescriptionsRepo.addFile")(function* (
      { organisation_uid, prescription_uid }: PrescriptionRef,
      file: StoredFile,
      now: UnixSeconds
    ) {
      yield* sql`INSERT INTO files ${sql.insert({ organisation_uid, prescription_uid, ...file, created_at: timestamp(now) })}`
      yield* sql`UPDATE prescriptions SET rendering_since = NULL, updated_at = to_timestamp(${now})
        WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid}`
    }, Effect.orDie)

    /** Records what the examination of a file that came in signed found. */
    const keepSignature = ({ organisation_uid, prescription_uid }: PrescriptionRef, signature: Signature | null) =>
      Effect.orDie(sql`UPDATE prescriptions SET signature = ${signature && JSON.stringify(signature)}::jsonb
        WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid}`)

    const filesWhere = (condition: Statement.Fragment) =>
      Effect.map(
        storedFiles.all(sql`SELECT organisation_uid, prescription_uid, area, name, sha256, size, data_key FROM files
          WHERE ${condition}`),
        (rows) =>
          rows.map(({ organisation_uid, prescription_uid, ...file }) => ({
            ref: { organisation_uid, prescription_uid },
            file
          }))
      )
    const filesOf = (owner: OrganisationUid) => filesWhere(sql`organisation_uid = ${owner}`)
    /** Up to 100 of the organisation's files encrypted with another key. */
    const filesNotUnder = (owner: OrganisationUid, key: string) =>
      filesWhere(sql`organisation_uid = ${owner} AND data_key <> ${key} LIMIT 100`)
    /** Records the key of a file that was encrypted again. False if the file has been erased meanwhile. */
    const fileResealed = ({ organisation_uid, prescription_uid }: PrescriptionRef, { area, data_key }: StoredFile) =>
      any(sql`UPDATE files SET data_key = ${data_key} WHERE organisation_uid = ${organisation_uid}
        AND prescription_uid = ${prescription_uid} AND area = ${area} RETURNING area`)

    /** The undispensed quantity of each item, in the prescription's order; what `order` was given counts as undispensed. */
    const itemsLeft = Effect.fn("PrescriptionsRepo.itemsLeft")(
      ({ organisation_uid, prescription_uid }: PrescriptionRef, order?: OrderRef) =>
        rowsOf(ItemLeft).all(sql`SELECT i.uid, i.sku_uid, i.quantity - i.dispensed
            + (SELECT coalesce(sum(d.quantity), 0)::integer FROM dispensings d
              WHERE d.organisation_uid = ${organisation_uid} AND d.prescription_uid = ${prescription_uid} AND d.item_uid = i.uid
                AND d.pharmacy_uid = ${order?.pharmacy_uid ?? null} AND d.pharmacy_order_uid = ${order?.pharmacy_order_uid ?? null})
            AS left
          FROM prescription_items i
          WHERE i.organisation_uid = ${organisation_uid} AND i.prescription_uid = ${prescription_uid} ORDER BY i.position`)
    )

    /** Allocates lines of an order to items. The caller holds the lock. */
    const dispense = Effect.fn("PrescriptionsRepo.dispense")(function* (
      { organisation_uid, prescription_uid }: PrescriptionRef,
      { pharmacy_uid, pharmacy_order_uid }: OrderRef,
      allocations: ReadonlyArray<Allocation<OrderLine>>
    ) {
      const rows = JSON.stringify(
        allocations.map(({ item_uid, quantity, line }) => ({
          item_uid,
          quantity,
          sku_uid: line.sku_uid,
          line: line.uid
        }))
      )
      const bound = sql`jsonb_to_recordset(${rows}::jsonb) AS b(item_uid text, sku_uid text, line text, quantity integer)`
      yield* sql`INSERT INTO dispensings (organisation_uid, prescription_uid, item_uid, sku_uid, pharmacy_uid,
          pharmacy_order_uid, pharmacy_order_line_uid, quantity)
        SELECT ${organisation_uid}, ${prescription_uid}, b.item_uid, b.sku_uid, ${pharmacy_uid}, ${pharmacy_order_uid},
          b.line, b.quantity FROM ${bound}
        ON CONFLICT (organisation_uid, prescription_uid, item_uid, pharmacy_uid, pharmacy_order_uid, pharmacy_order_line_uid)
          DO UPDATE SET quantity = dispensings.quantity + excluded.quantity`
      yield* sql`UPDATE prescription_items i SET dispensed = i.dispensed + d.quantity
        FROM (SELECT b.item_uid, sum(b.quantity) AS quantity FROM ${bound} GROUP BY b.item_uid) d
        WHERE i.organisation_uid = ${organisation_uid} AND i.prescription_uid = ${prescription_uid}
          AND i.uid = d.item_uid`
    }, Effect.orDie)

    /** Releases the allocations of an order. The caller holds the lock. */
    const release = Effect.fn("PrescriptionsRepo.release")(
      ({ organisation_uid, prescription_uid }: PrescriptionRef, { pharmacy_uid, pharmacy_order_uid }: OrderRef) =>
        sql`WITH freed AS (DELETE FROM dispensings WHERE organisation_uid = ${organisation_uid}
              AND prescription_uid = ${prescription_uid} AND pharmacy_uid = ${pharmacy_uid}
              AND pharmacy_order_uid = ${pharmacy_order_uid} RETURNING item_uid, quantity)
          UPDATE prescription_items i SET dispensed = i.dispensed - f.quantity
          FROM (SELECT item_uid, sum(quantity) AS quantity FROM freed GROUP BY item_uid) f
          WHERE i.organisation_uid = ${organisation_uid} AND i.prescription_uid = ${prescription_uid}
            AND i.uid = f.item_uid`,
      Effect.orDie
    )

    const renderingSince = Effect.fn("PrescriptionsRepo.renderingSince")(
      ({ organisation_uid, prescription_uid }: PrescriptionRef, now: UnixSeconds) =>
        sql`UPDATE prescriptions SET rendering_since = to_timestamp(${now})
          WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid}`,
      Effect.orDie
    )

    const reads = { list, findAll, onOrders, waitingFor, find, lock, lockStatus, wasSigned, itemsLeft } as const
    const files = { addFile, keepSignature, filesOf, filesNotUnder, fileResealed, renderingSince } as const
    return { ...reads, ...files, insert, assignPatient, provision, move, dispense, release } as const
  })
}) {}
