/**
 * Records of patients that capabilities have, by the name of their table, which has `organisation_uid` and `patient_uid`: they are part of
 * an export, move when two patients are merged, and are deleted by an erasure.
 */
import type { Schema } from "effect"

const added = new Map<string, Schema.Schema.AnyNoContext>()

/** Adds the schemas of records of a capability. Called at start. */
export const addPatientRecords = (records: Readonly<Record<string, Schema.Schema.AnyNoContext>>) => {
  for (const [table, record] of Object.entries(records)) added.set(table, record)
}

export const addedPatientRecords = (): Readonly<Record<string, Schema.Schema.AnyNoContext>> => Object.fromEntries(added)
