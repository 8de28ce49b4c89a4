/** The practice's kinds of records that several groups read and change. */
import type { AppointmentTypeUid, DoctorUid } from "../../../schemas/ids.ts"
import { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import { DateOverride, DateOverrideQuery } from "../../../schemas/scheduling/DateOverride.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { listedRecords, pagedRecords } from "../../records.ts"

export const ruleHandling = listedRecords(AvailabilityRule)
export const overrideHandling = pagedRecords(DateOverride, DateOverrideQuery)
export const reminderHandling = listedRecords(Reminder)

export const doctorOf = ({ doctor_uid }: { readonly doctor_uid: DoctorUid }) => doctor_uid
export const typeOf = ({ appointment_type_uid: uid }: { readonly appointment_type_uid: AppointmentTypeUid }) => uid
