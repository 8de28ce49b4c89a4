/** What capabilities declare of how long rows of their tables are kept, also while they are off. Section 12.6. */
import type { RetentionKind } from "../../schemas/patients/retentionKinds.ts"

interface Rows {
  readonly table: string
  /** Start of the period: a column with an index. */
  readonly since: string
  /** The table's primary key; default `organisation_uid`, `uid`. */
  readonly key?: readonly [owner: string, ...rest: ReadonlyArray<string>]
  /**
   * SQL condition that keeps a row whatever its age; the row is `r`, `{owner}` its organisation, `{end}` the time before which it would
   * be deleted.
   */
  readonly unless?: string
  /** Columns to blank (SQL assignments) if the row is kept. If omitted, the row is deleted. */
  readonly set?: string
}

export interface RetentionRule extends Rows {
  /** A kind whose period an organisation configures, or a fixed time in seconds. */
  readonly after: (RetentionKind & { readonly name: string }) | number
}

const kept = new Set<string>()

/**
 * Tables of patients' sealed records that move when two patients are merged, that an erasure leaves to retention, and for whose time the
 * patient's row stays. Called at start.
 */
export const addKeptRecords = (tables: ReadonlyArray<string>) => {
  for (const table of tables) kept.add(table)
}
export const keptRecords = (): ReadonlyArray<string> => [...kept]

export const nameOf = ({ table, since, set }: RetentionRule) =>
  `${table} ${since}${set === undefined ? "" : " emptied"}`

const rules = new Map<string, RetentionRule>()
/** Adds rules of capabilities, each once. Called at start, before rules are read. */
export const addRetentionRules = (added: ReadonlyArray<RetentionRule>) => {
  for (const rule of added) rules.set(nameOf(rule), rule)
}
export const addedRetentionRules = (): ReadonlyArray<RetentionRule> => [...rules.values()]
