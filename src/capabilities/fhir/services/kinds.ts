/** Reads and searches of records that one service has, all of one form. */
import type { Statement } from "@effect/sql"
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { Condition, FieldsOf, Matching } from "../../../services/database/matching.ts"
import type { Sql } from "../../../services/database/Sql.ts"
import type { Caller as ServiceCaller } from "../../../services/scheduling/appointments/Appointments.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import type { ResourceType, Rights } from "../schemas/rights.ts"
import { conditionsOf } from "./conditions.ts"
import type { Resource } from "./forms.ts"
import { type Given, textOf } from "./parameters.ts"
import { type FhirRefused, notFound, refuse } from "./refused.ts"

/** Who asks, and what they may do. */
export interface FhirCaller extends ServiceCaller {
  readonly rights: Rights
  /** Zone of times without an offset. */
  readonly timezone: string
}

export interface Page {
  readonly resources: ReadonlyArray<Resource>
  /** Undefined: not counted. */
  readonly total: number | undefined
  /** The position after which the next page begins; undefined on the last one. */
  readonly next: ReadonlyArray<string | number> | undefined
}

export interface SearchQuery {
  readonly given: ReadonlyArray<Given>
  readonly count: number
  readonly after: ReadonlyArray<string | number> | undefined
}

/** What can be done with every type of resource but slots. */
export interface Interactions {
  readonly read: (caller: FhirCaller, id: string) => Effect.Effect<Resource, FhirRefused, CurrentTenant>
  readonly search: (caller: FhirCaller, query: SearchQuery) => Effect.Effect<Page, FhirRefused, CurrentTenant>
}

interface Found {
  readonly updated_at: number
  readonly deleted: boolean
}

interface Kind<Row extends Found> {
  readonly type: ResourceType
  readonly matching: Matching<Row>
  /** Of those that searches find, beside that they are not deleted. */
  readonly present?: Condition<Row>
  readonly hasId: (fields: FieldsOf<Row>, id: string) => Statement.Fragment
  /** Of the search parameters that not all kinds have. */
  readonly conditions: Readonly<Record<string, (fields: FieldsOf<Row>, given: Given) => Statement.Fragment>>
  readonly form: (row: Row) => Resource
}

export const kindOf = <Row extends Found>(sql: Sql, kind: Kind<Row>) => {
  const { type, matching, hasId, form } = kind
  const { either, within } = conditionsOf(sql)

  const conditionOf = (fields: FieldsOf<Row>, given: Given) => {
    if (given.name === "_id") return either(given.values.map((id) => hasId(fields, textOf(id))))
    if (given.name === "_lastUpdated") return within(fields.updated_at, given)
    return kind.conditions[given.name]?.(fields, given) ?? sql`false`
  }

  const search: Interactions["search"] = ({ organisation_uid: owner }, { given, count, after }) =>
    Effect.map(
      matching.page(
        owner,
        (fields) =>
          sql.and([
            sql`NOT ${fields.deleted}`,
            kind.present?.(fields) ?? sql`true`,
            ...given.map((one) => conditionOf(fields, one))
          ]),
        { limit: count, after }
      ),
      ({ rows, total, last }) => ({ resources: rows.map(form), total, next: last ?? undefined })
    )

  /** The record of an id, also one that is gone; undefined without one. */
  const find = (owner: OrganisationUid, id: string) =>
    Effect.map(
      matching.all(owner, (fields) => hasId(fields, id)),
      ([found]) => found
    )

  const read: Interactions["read"] = Effect.fnUntraced(function* ({ organisation_uid: owner }: FhirCaller, id: string) {
    const found = yield* find(owner, id)
    if (found === undefined) return yield* notFound(type, id)
    return found.deleted ? yield* refuse(410, "deleted", `The ${type} ${id} was deleted`) : form(found)
  })

  return { search, find, read } as const
}
