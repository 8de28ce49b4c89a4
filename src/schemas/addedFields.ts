/** Fields that capabilities add to a kind of record of the core. Read on use: they are known once every capability is declared. */
import { Record, type Schema } from "effect"
import { withDefault } from "./fields.ts"

/** Its values are JSON. */
export interface AddedField {
  readonly schema: Schema.Schema.AnyNoContext
  /** The value of a record without one. */
  readonly absent: unknown
}
export type AddedFields = Readonly<Record<string, AddedField>>

export const addedFields = () => {
  const added = new Map<string, AddedField>()
  const all = (): AddedFields => Object.fromEntries(added)
  const split = (row: object, isAdded: boolean) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => added.has(name) === isAdded))
  return {
    /** Called at start. */
    add: (some: AddedFields) => {
      for (const [name, field] of Object.entries(some)) added.set(name, field)
    },
    all,
    schemas: () => Record.map(all(), ({ schema }) => schema),
    withDefaults: () => Record.map(all(), ({ schema, absent }) => withDefault(schema, absent)),
    /** Those among what was sent. */
    among: (sent: object): Readonly<Record<string, unknown>> => split(sent, true),
    /** The record as the core knows it. */
    without: <T extends object>(row: T): T => split(row, false) as T // only what capabilities have added is left out
  }
}
