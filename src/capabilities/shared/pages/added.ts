/** Places of the pages of staff at which capabilities add cards, and what these are given. */
import type { ComponentType } from "preact"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Organisation } from "../schemas/Organisation.ts"
import type { Shop } from "../schemas/Shop.ts"

type Choices = ReadonlyArray<readonly [uid: string, name: string]>

export interface AddedCardProps {
  /** Fields of an appointment type; null: of a new one. */
  readonly typeFields: { readonly one: AppointmentType | null }
  /** Fields of the practice's branding. */
  readonly brandingFields: { readonly organisation: Organisation }
  /** The practice's page of its branding; `meetingsUrl` is the base of patients' pages. */
  readonly branding: {
    readonly organisation: Organisation
    readonly shops: ReadonlyArray<Shop>
    readonly meetingsUrl: string
  }
  /** A shop, among the practice's. */
  readonly shop: { readonly organisation: Organisation; readonly shop: Shop; readonly meetingsUrl: string }
  /** The practice's page of an appointment. */
  readonly appointment: { readonly one: Appointment }
  /** Among its details. */
  readonly appointmentDetails: { readonly one: Appointment }
  /** The practice's page of a doctor: other pages about them. */
  readonly doctor: { readonly doctor_uid: string }
  /** The head of the practice's page of a patient: what can be done for them. */
  readonly patientHead: { readonly patient_uid: string }
  /** The practice's page of a patient; `appointment_type_uid` is the one to choose. */
  readonly patient: {
    readonly patient_uid: string
    readonly types: Choices
    readonly doctors: Choices
    readonly appointment_type_uid: string
  }
  /** A doctor's card of a patient; `appointment_type_uid` is the one to choose. `today`: YYYY-MM-DD in the page's zone. */
  readonly ownPatient: {
    readonly patient_uid: string
    readonly appointment_type_uid: string
    readonly today: string
  }
}

export type AddedCards = { readonly [Place in keyof AddedCardProps]?: ComponentType<AddedCardProps[Place]> }

/** A time in a calendar, and what it is. */
export interface NamedPeriod {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** What staff call things of a capability. */
export interface AddedNames {
  /** Records of patients, several of them, by the name of their table. */
  readonly records: Readonly<Record<string, string>>
  /** Operations in the log, by `group.name`. */
  readonly actions: Readonly<Record<string, string>>
  /** Its kinds of retention. Default: none. */
  readonly kept?: Readonly<Record<string, string>>
}
