/**
 * The SQL client of repositories: its statements need a tenant, so that code that runs where nobody provides one does not compile. It is
 * Effect's client under a narrower type, which costs nothing at run time.
 */
import { SqlClient, type SqlConnection, type SqlError, type Statement } from "@effect/sql"
import type { Context, Effect } from "effect"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError, CurrentTenant>

/** A statement, or a part of another one. */
export interface TenantStatement<A> extends Statement.Fragment, Result<ReadonlyArray<A>> {
  readonly values: Result<ReadonlyArray<ReadonlyArray<unknown>>>
  readonly raw: Result<unknown>
  readonly compile: Statement.Statement<A>["compile"]
}

type Kept = "literal" | "in" | "insert" | "update" | "updateValues" | "and" | "or" | "csv" | "join"

export interface Sql extends Pick<SqlClient.SqlClient, Kept> {
  <A extends object = SqlConnection.Row>(
    strings: TemplateStringsArray,
    ...values: ReadonlyArray<unknown>
  ): TenantStatement<A>
  (name: string): Statement.Identifier
  readonly unsafe: <A extends object>(text: string, values?: ReadonlyArray<unknown>) => TenantStatement<A>
}

export const Sql = SqlClient.SqlClient as unknown as Context.Tag<SqlClient.SqlClient, Sql>
