/** Records of patients that capabilities have. */
import type { Schema } from "effect"
import type { Declarations } from "../../../declarations.ts"

/**
 * Records that belong to appointments, which have `organisation_uid` and `appointment_uid`: they are part of an export, and stay with the
 * appointment when two patients are merged.
 */
interface AppointmentRecords {
  /** In exports, and in the answer to an erasure. */
  readonly name: string
  readonly description: string
  readonly record: Schema.Schema.AnyNoContext
  /** Columns that an erasure blanks. */
  readonly blanked: ReadonlyArray<string>
}

declare module "../../../declarations.ts" {
  interface AddedParts {
    /**
     * Schemas of its records of patients, by the name of their table, which has `organisation_uid` and `patient_uid`: they are part of an
     * export, move when two patients are merged, and are deleted by an erasure.
     */
    readonly patientRecords: Readonly<Record<string, Schema.Schema.AnyNoContext>>
    /** Its records of appointments, by the name of their table. */
    readonly appointmentRecords: Readonly<Record<string, AppointmentRecords>>
  }
}

let capabilities: ReadonlyArray<Declarations> = []

/** Adds the records of these capabilities. Called at start. */
export const addRecords = (on: ReadonlyArray<Declarations>) => {
  capabilities = on
}

export const addedPatientRecords = (): Readonly<Record<string, Schema.Schema.AnyNoContext>> =>
  Object.assign({}, ...capabilities.map(({ patientRecords }) => patientRecords))

export const addedAppointmentRecords = () =>
  capabilities.flatMap(({ appointmentRecords = {} }) =>
    Object.entries(appointmentRecords).map(([table, one]) => ({ table, ...one }))
  )
