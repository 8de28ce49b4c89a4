/** Organisations and pharmacies by name, for an operator. Rule 8.5.11. */
import { Effect } from "effect"
import { likePattern } from "../../../../services/database/likePattern.ts"
import { countOf, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { pageOf, windowOf } from "../../../../services/database/totals.ts"
import { Owner, type OwnerQuery } from "../../schemas/Installation.ts"

export class OwnerList extends Effect.Service<OwnerList>()("operation/OwnerList", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const owners = rowsOf(Owner)

    /** Those of an operator, who sees all tenants. */
    const all = sql`(SELECT o.organisation_uid AS uid, 'organisation' AS kind, o.name, o.timezone,
          ARRAY(SELECT s.shop_identifier FROM shops s WHERE s.organisation_uid = o.organisation_uid ORDER BY 1) AS shops,
          (SELECT count(*) FROM doctors d WHERE d.organisation_uid = o.organisation_uid AND d.deleted_at IS NULL) AS doctors,
          floor(extract(epoch FROM o.created_at))::bigint AS created_at
        FROM organisations o
        UNION ALL SELECT pharmacy_uid, 'pharmacy', name, NULL, '{}', 0, NULL FROM pharmacies) all_owners`

    const list = Effect.fn("OwnerList.list")((query: OwnerQuery) => {
      const { kind, uids, search, after } = query
      const pattern = search === undefined ? "" : likePattern(search)
      const wanted = [
        ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
        ...(uids === undefined ? [] : [sql`uid = ANY (${uids.split(",")})`]),
        ...(pattern === ""
          ? []
          : [
              sql`(lower(name) LIKE ${pattern} OR lower(uid) LIKE ${pattern} OR lower(array_to_string(shops, ' ')) LIKE ${pattern})`
            ])
      ]
      const condition = (more: typeof wanted = []) => sql.and([sql`true`, ...wanted, ...more])
      const { limit, offset } = windowOf(query)
      const from = after === undefined ? [] : [sql`(name, uid) > (${after[0]}, ${after[1]})`]
      return pageOf(
        query,
        owners.all(
          sql`SELECT * FROM ${all} WHERE ${condition(from)} ORDER BY name, uid LIMIT ${limit} OFFSET ${offset}`
        ),
        ({ name, uid }) => [name, uid] as const,
        countOf(sql`SELECT count(*) FROM ${all} WHERE ${condition()}`)
      )
    })

    const find = (kind: Owner["kind"], uid: string) =>
      owners.first(sql`SELECT * FROM ${all} WHERE kind = ${kind} AND uid = ${uid}`)

    return { list, find } as const
  })
}) {}
