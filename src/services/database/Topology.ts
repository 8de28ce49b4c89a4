/** On which servers the tables of the database are, and what statements therefore need. Read once at start-up. */
import { Context } from "effect"
import { Inserts, type InsertsPort } from "./Inserts.ts"

export interface TopologyOf {
  /**
   * Whether one server has all tables. Only there a transaction has a role, a statement outside of a transaction its tenancy, and a
   * prepared statement one plan whatever its values.
   */
  readonly isSingle: boolean
  /**
   * The statement that sets a tenancy until the end of the transaction: the role $1, the organisation (an expression), the pharmacy $3,
   * the request $4, the mode of planning $5.
   */
  readonly tenancy: (organisation: string) => string
  /** Sent within a transaction that sends a job, after it. */
  readonly afterJob: string | undefined
  readonly inserts: InsertsPort
}

export class Topology extends Context.Tag("services/Topology")<Topology, TopologyOf>() {}

/** `num_nulls` keeps the values out of the response. */
export const single: TopologyOf = {
  isSingle: true,
  tenancy: (organisation) =>
    `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true), set_config('plan_cache_mode', $5, true))`,
  afterJob: undefined,
  inserts: Inserts.defaultValue()
}

/** A topology that the service serves beside one server. */
export interface AnotherTopology extends TopologyOf {
  /** A query with one row: whether the database has it, `AS is`. */
  readonly isFound: string
}
