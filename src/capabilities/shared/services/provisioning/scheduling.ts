/** Resources, appointment types, availability and appointments of a file. */
import { Effect, Layer, Schema } from "effect"
import { OrganisationUid } from "../../../../schemas/ids.ts"
import type { OverrideEntry, RuleEntry } from "../../../../schemas/provisioning/scheduling.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { onConstraint } from "../../../../services/database/SqlErrors.ts"
import { AppointmentTypes } from "../../../../services/scheduling/practice/AppointmentTypes.ts"
import { AvailabilityRules } from "../../../../services/scheduling/practice/AvailabilityRules.ts"
import { DateOverrides } from "../../../../services/scheduling/practice/DateOverrides.ts"
import { Reminders } from "../../../../services/scheduling/practice/Reminders.ts"
import { Resources } from "../../../../services/scheduling/practice/Resources.ts"
import { DoctorSettings } from "../DoctorSettings.ts"
import { type FoundOwners, list, mustFind, ownerCheck, rejectAll, rejected } from "./entry.ts"
import { ProvisionedAppointments } from "./ProvisionedAppointments.ts"

/** A doctor's and a resource's uid may be the same text. */
const keyOfHours = ({ uid, doctor_uid, resource_uid }: RuleEntry | OverrideEntry) =>
  resource_uid === null ? `${doctor_uid}/${uid}` : `resource/${resource_uid}/${uid}`

const owners = rowsOf(Schema.Struct({ organisation_uid: OrganisationUid }))

/** The organisation of the record that an entry belongs to. */
const ownersOfRecords = Effect.map(Sql, (sql) =>
  Effect.fnUntraced(function* (
    table: "doctors" | "resources" | "appointment_types",
    uid: string,
    path: string,
    found: FoundOwners
  ) {
    const known = found.get(`${table}/${uid}`)
    if (known !== undefined) return known
    const asked = owners.all(sql`SELECT organisation_uid FROM ${sql(table)} WHERE uid = ${uid}`)
    const { organisation_uid } = yield* mustFind(path, asked)
    found.set(`${table}/${uid}`, organisation_uid)
    return organisation_uid
  })
)
/** The organisation of an entry's doctor. */
export const ownerOfDoctor = Effect.map(
  ownersOfRecords,
  (ownerOf) => (doctor_uid: string, path: string, found: FoundOwners) =>
    ownerOf("doctors", doctor_uid, `${path}.doctor_uid`, found)
)

export const schedulingLists = Effect.gen(function* () {
  const resources = yield* Resources
  const types = yield* AppointmentTypes
  const reminders = yield* Reminders
  const rules = yield* AvailabilityRules
  const overrides = yield* DateOverrides
  const settings = yield* DoctorSettings
  const appointments = yield* ProvisionedAppointments
  const ensureOwner = yield* ownerCheck
  const ownerOf = yield* ownersOfRecords
  const ofDoctor = yield* ownerOfDoctor

  /** The column and the uid of the subject of a rule or an override. */
  const subjectOf = ({ doctor_uid, resource_uid }: Pick<RuleEntry, "doctor_uid" | "resource_uid">) =>
    resource_uid === null ? { doctor_uid: doctor_uid ?? "" } : { resource_uid }
  const ofSubject = ({ doctor_uid, resource_uid }: RuleEntry | OverrideEntry, path: string, found: FoundOwners) =>
    resource_uid === null
      ? ofDoctor(doctor_uid ?? "", path, found)
      : ownerOf("resources", resource_uid, `${path}.resource_uid`, found)

  return [
    list("resources", {
      key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
      write: (resource) => resources.provision(resource),
      rows: ({ uid, organisation_uid }) => [["resources", { organisation_uid, uid }]]
    }),
    list("appointment_types", {
      key: ({ uid }) => uid,
      write: (type, path) =>
        Effect.zipRight(
          ensureOwner("appointment_types", "uid", type.uid, type.organisation_uid, path),
          types.provision(type)
        ).pipe(Effect.catchTag("Invalid", ({ faults }) => rejectAll(path, faults))),
      rows: ({ uid, organisation_uid }) => [["appointment_types", { organisation_uid, uid }]]
    }),
    list("reminders", {
      key: ({ uid, appointment_type_uid }) => `${appointment_type_uid}/${uid}`,
      write: (reminder, path, found) =>
        Effect.flatMap(
          ownerOf("appointment_types", reminder.appointment_type_uid, `${path}.appointment_type_uid`, found),
          (owner) => reminders.provision(owner, reminder)
        ),
      rows: ({ uid, appointment_type_uid }) => [["reminders", { appointment_type_uid, uid }]]
    }),
    list("availability_rules", {
      key: keyOfHours,
      write: (rule, path, found) =>
        Effect.flatMap(ofSubject(rule, path, found), (owner) => rules.provision(owner, rule)),
      rows: (rule) => [["availability_rules", { ...subjectOf(rule), uid: rule.uid }]]
    }),
    list("availability_date_overrides", {
      key: keyOfHours,
      write: (override, path, found) =>
        Effect.flatMap(ofSubject(override, path, found), (owner) => overrides.provision(owner, override)),
      rows: (override) => [["availability_date_overrides", { ...subjectOf(override), uid: override.uid }]]
    }),
    list("doctor_appointment_type_settings", {
      key: ({ doctor_uid, appointment_type_uid }) => `${doctor_uid}/${appointment_type_uid}`,
      named: "appointment_type_uid",
      write: (setting, path, found) =>
        Effect.flatMap(ofDoctor(setting.doctor_uid, path, found), (owner) => settings.provision(owner, setting)),
      rows: ({ doctor_uid, appointment_type_uid }) => [
        ["doctor_appointment_type_settings", { doctor_uid, appointment_type_uid }]
      ]
    }),
    list("appointments", {
      key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
      write: (appointment, path) =>
        appointments.provision(appointment).pipe(
          Effect.catchTag("Invalid", ({ faults }) => rejectAll(path, faults)),
          onConstraint("claims_no_overlap", () =>
            rejected(
              `${path}.start_date`,
              "overlaps another held or confirmed appointment of the same doctor or resource: move one, or give it another status"
            )
          ),
          onConstraint("appointments_one_seat_of_each_patient", () =>
            rejected(`${path}.patient_uid`, "has a seat of this group already")
          )
        ),
      writeMany: appointments.provisionPlain,
      rows: ({ uid, organisation_uid }) => [["appointments", { organisation_uid, uid }]]
    })
  ]
})

/** What writes these lists. */
export const schedulingServices = Layer.mergeAll(
  AppointmentTypes.Default,
  AvailabilityRules.Default,
  DateOverrides.Default,
  DoctorSettings.Default,
  ProvisionedAppointments.Default,
  Reminders.Default,
  Resources.Default
)
