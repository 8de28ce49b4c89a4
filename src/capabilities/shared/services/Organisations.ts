/** Organisations and their administrators; the only writer of their tables. Rule 12.1.3. */

import { Effect, Schema } from "effect"
import { AdministratorNotFound, OrganisationNotFound } from "../../../schemas/access/errors.ts"
import { organisationFields } from "../../../schemas/access/organisationFields.ts"
import { isNothing } from "../../../schemas/fields.ts"
import type { AdminUid, OrganisationUid, PharmacyUid } from "../../../schemas/ids.ts"
import { allNoticeKinds } from "../../../schemas/notifications/notices.ts"
import { Images, imageName } from "../../../services/access/Images.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, anyOr, columnsOf, done, rowsOf, withAdded } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { sqlErrorsDie, timestamp } from "../../../services/database/SqlErrors.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { ConsentTexts } from "../../../services/patients/ConsentTexts.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../../services/recordLimits.ts"
import { Service } from "../../../services/Service.ts"
import { Organisation, type OrganisationChanges, WholeOrganisation } from "../schemas/Organisation.ts"
import type { Organisation as OrganisationEntry } from "../schemas/provisionedRecords.ts"
import { ownRetention, retentionKinds } from "../schemas/retention.ts"

export class Organisations extends Service<Organisations>()("access/Organisations", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const images = yield* Images
    const consentTexts = yield* ConsentTexts
    const extensions = yield* Extensions
    const organisations = rowsOf(WholeOrganisation)
    const brief = rowsOf(Schema.Struct({ timezone: Schema.String, added: Schema.Unknown }))
    const own = sql.literal(columnsOf(Organisation.omit("uid", "admins", "consent", "message_texts")))
    /** Kinds of messages, but for those of capabilities that are off. As JSON: a cluster makes no object in an upsert. */
    const known = () => sql`${JSON.stringify({ known: allNoticeKinds() })}::jsonb`
    const columns = () => withAdded(sql, sql`${own}`, organisationFields)

    /**
     * Creates or replaces an organisation. Administrators not in the entry are kept. Fails with `Invalid` for a known consent version
     * with a different text. Does not map SQL errors.
     */
    const provision = Effect.fn("Organisations.provision")(function* ({
      uid,
      admins,
      consent,
      ...one
    }: Omit<OrganisationEntry, "pharmacy_uids">) {
      const now = yield* clock.now
      const row = {
        ...organisationFields.without(one),
        added: JSON.stringify(organisationFields.among(one)),
        message_texts: JSON.stringify(one.message_texts),
        branding: JSON.stringify({ ...one.branding, logo: imageName(one.branding.logo) }),
        retention: JSON.stringify(ownRetention(one.retention)),
        extra_holidays: JSON.stringify(one.extra_holidays),
        created_at: timestamp(now),
        updated_at: timestamp(now)
      }
      yield* sql`INSERT INTO organisations ${sql.insert({ organisation_uid: uid, ...row })}
        ON CONFLICT (organisation_uid) DO UPDATE SET ${sql.update(row, ["created_at", "added", "message_texts", "retention"])},
          -- what belongs to capabilities that are off stays
          added = organisations.added || excluded.added,
          message_texts = excluded.message_texts || jsonb_path_query_array(organisations.message_texts,
            '$[*] ? (!(@.kind == $known[*]))', ${known()}),
          retention = (organisations.retention - ${Object.keys(retentionKinds())}::text[]) || excluded.retention`
      yield* images.keep(uid, one.branding.logo)
      for (const admin of admins)
        yield* sql`INSERT INTO admins ${sql.insert({ organisation_uid: uid, ...admin })}
          ON CONFLICT (organisation_uid, uid) DO UPDATE
          SET display_name = excluded.display_name, email = excluded.email, phone = excluded.phone`
      yield* consentTexts.replace(uid, consent, now)
    })

    /** Sets the pharmacies that its shops may use; null: all. For operators only. */
    const limitPharmacies = Effect.fn("Organisations.limitPharmacies")(
      (uid: OrganisationUid, pharmacy_uids: ReadonlyArray<PharmacyUid> | null) =>
        sql`UPDATE organisations SET pharmacy_uids = ${pharmacy_uids && [...pharmacy_uids]}::text[]
          WHERE organisation_uid = ${uid}`
    )

    const one = (name: string, locking = sql``) =>
      Effect.fn(name)((uid: OrganisationUid) =>
        organisations.firstOr(
          sql`SELECT organisation_uid AS uid, ${columns()},
              jsonb_path_query_array(message_texts, '$[*] ? (@.kind == $known[*])', ${known()}) AS message_texts,
              (SELECT coalesce(json_agg(json_build_object('uid', a.uid, 'display_name', a.display_name, 'email', a.email,
                'phone', a.phone) ORDER BY a.uid), '[]') FROM admins a
                WHERE a.organisation_uid = ${uid}) AS admins,
              (SELECT coalesce(json_agg(json_build_object('purpose', c.purpose, 'version', c.version, 'required', c.required,
                'texts', c.texts) ORDER BY c.purpose), '[]') FROM consent_texts c
                WHERE c.organisation_uid = ${uid} AND c.in_force) AS consent
            FROM organisations WHERE organisation_uid = ${uid} ${locking}`,
          () => new OrganisationNotFound()
        )
      )
    const stored = one("Organisations.find")
    const storedForChange = one("Organisations.findForChange", sql`FOR NO KEY UPDATE`)
    const shown = (found: Organisation): Organisation => ({
      ...found,
      branding: { ...found.branding, logo: images.address(found.branding.logo) }
    })
    /** The record. Fails with `OrganisationNotFound`. */
    const find = (uid: OrganisationUid) => Effect.map(stored(uid), shown)
    /** As `find`, locked until the transaction ends. */
    const findForChange = (uid: OrganisationUid) => Effect.map(storedForChange(uid), shown)

    /** The zone, and the fields of capabilities that were ever set; none without the organisation. Costs less than the record. */
    const settings = (uid: OrganisationUid) =>
      brief.first(sql`SELECT timezone, added FROM organisations WHERE organisation_uid = ${uid}`)

    /** Updates the fields sent, and the administrators sent. Fails with `OrganisationNotFound` and `Invalid`. */
    const update = Effect.fn("Organisations.update")(function* (uid: OrganisationUid, changes: OrganisationChanges) {
      const before = yield* storedForChange(uid)
      if (isNothing(changes)) return shown(before)
      const named = (changes.admins ?? []).map((admin) => admin.uid)
      yield* Effect.when(
        ensureBelowLimit(
          sql`SELECT count(*) AS count FROM admins WHERE organisation_uid = ${uid} AND uid <> ALL (${named}::text[])`,
          RECORD_LIMITS.administrators - named.length + 1,
          "admins",
          "other administrators"
        ),
        () => named.length > 0
      )
      yield* Effect.forEach(
        yield* extensions.having("organisationFields"),
        (one) => one.organisationFields?.(before, changes) ?? Effect.void,
        { discard: true }
      )
      const branding = { ...before.branding, ...changes.branding }
      const retention = { ...before.retention, ...changes.retention }
      yield* sqlErrorsDie(provision({ ...before, ...changes, branding, retention }))
      return yield* find(uid)
    }, transaction)

    /** Whether the time of holds that expire stays closed until a job has stored that. `decide` is asked once the organisation is locked. */
    const closeLapsedHolds = Effect.fn("Organisations.closeLapsedHolds")(function* <E, R>(
      uid: OrganisationUid,
      decide: Effect.Effect<boolean, E, R>
    ) {
      yield* done(sql`SELECT FROM organisations WHERE organisation_uid = ${uid} FOR NO KEY UPDATE`)
      const closes = yield* decide
      yield* done(sql`UPDATE organisations SET lapsed_holds_close = ${closes}
        WHERE organisation_uid = ${uid} AND lapsed_holds_close <> ${closes}`)
    }, transaction)

    /** Fails with `AdministratorNotFound`, also if it was already removed. */
    const removeAdmin = Effect.fn("Organisations.removeAdmin")((owner: OrganisationUid, uid: AdminUid) =>
      anyOr(
        sql`DELETE FROM admins WHERE organisation_uid = ${owner} AND uid = ${uid} RETURNING uid`,
        () => new AdministratorNotFound()
      )
    )

    /** Whether there is any organisation. */
    const exist = any(sql`SELECT FROM organisations LIMIT 1`)
    return {
      provision,
      limitPharmacies,
      find,
      findForChange,
      settings,
      update,
      closeLapsedHolds,
      removeAdmin,
      exist
    } as const
  }),
  dependencies: [ConsentTexts.Default, Images.Default]
}) {}
