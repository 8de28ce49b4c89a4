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

const kept = new Set<string>()

/**
 * Tables of patients' sealed records that move when two patients are merged, that an erasure leaves to retention, and for whose time the
 * patient's row stays. Called at start.
 */
export const addKeptRecords = (tables: ReadonlyArray<string>) => {
  for (const table of tables) kept.add(table)
}
export const keptRecords = (): ReadonlyArray<string> => [...kept]

export const addedPatientRecords = (): Readonly<Record<string, Schema.Schema.AnyNoContext>> => Object.fromEntries(added)

/**
 * Records that belong to appointments, which have `organisation_uid` and `appointment_uid`: they are part of an export, and stay with the
 * appointment when two patients are merged.
 */
export interface AppointmentRecords {
  /** In exports, and in the answer to an erasure. */
  readonly name: string
  readonly description: string
  readonly record: Schema.Schema.AnyNoContext
  /** Columns that an erasure blanks. */
  readonly blanked: ReadonlyArray<string>
}

const ofAppointments = new Map<string, AppointmentRecords>()

/** Adds records of a capability, by the name of their table. Called at start. */
export const addAppointmentRecords = (records: Readonly<Record<string, AppointmentRecords>>) => {
  for (const [table, one] of Object.entries(records)) ofAppointments.set(table, one)
}

export const addedAppointmentRecords = (): ReadonlyArray<AppointmentRecords & { readonly table: string }> =>
  [...ofAppointments].map(([table, one]) => ({ table, ...one }))
