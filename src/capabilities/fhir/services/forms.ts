/** The forms of FHIR resources, of records that exist: nothing is decided here. Elements are in FHIR's order. Rule 20.4. */

import { Option, Predicate, Schema } from "effect"
import type { Patient } from "../../../schemas/access/Patient.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { AppointmentUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { AppointmentStatus } from "../../../schemas/scheduling/AppointmentStates.ts"
import { type AppointmentType, meetingTypeNames } from "../../../schemas/scheduling/AppointmentType.ts"
import type { Doctor } from "../../../schemas/scheduling/Doctor.ts"
import { SPECIALTY_SYSTEM, specialties } from "../../../schemas/scheduling/specialties.ts"
import type { Merge } from "../../../services/patients/PatientsRepo.ts"
import { localIsoWriter } from "../../../services/scheduling/slots/localIso.ts"
import { zoneOf } from "../../../services/scheduling/slots/zones.ts"
import type { DoctorWithType } from "../../shared/services/DoctorSettings.ts"
import { fhirId, scheduleId } from "./ids.ts"

export type Resource = { readonly resourceType: string; readonly id: string } & Readonly<Record<string, unknown>>

export const PROFILES = "https://gematik.de/fhir/isik/StructureDefinition"
export const UID_SYSTEM = "urn:sprechstunde:uid"
export const CUSTOMER_SYSTEM = "urn:sprechstunde:shop-customer-id"
/** Code system of appointment types: the code is the type's uid. */
export const TYPE_SYSTEM = "urn:sprechstunde:appointment-type"
export const TAG_SYSTEM = "http://fhir.de/CodeSystem/common-meta-tag-de"
export const EXTERNAL_TAG = "external"
const CANCELLATION_SYSTEM = "http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason"
const SNOMED = "http://snomed.info/sct"
export const PRIORITY_EXTENSION = `${PROFILES}/ISiKTerminPriorityExtension`
const REPLACES_EXTENSION = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Appointment.replaces"
const NAME_EXTENSION = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Schedule.name"

const utcWriter = localIsoWriter(zoneOf("UTC"))
export const instant = (seconds: number) => utcWriter(seconds).replace("+00:00", "Z")
/** Times of slots and appointments have the offset of the doctor's zone. */
export const localInstant = (zone: string) => localIsoWriter(zoneOf(zone))

const identifierOf = (uid: string) => [{ system: UID_SYSTEM, value: uid }]

const specialtyOf = (code: string) => ({
  coding: [
    {
      system: SPECIALTY_SYSTEM,
      code,
      ...(Object.hasOwn(specialties, code) && { display: specialties[code as keyof typeof specialties] })
    }
  ]
})
const specialtiesOf = (...codes: ReadonlyArray<string>) => [...new Set(codes)].map(specialtyOf)

const typeOf = ({ uid, name }: { readonly uid: string; readonly name: string }) => ({
  coding: [{ system: TYPE_SYSTEM, code: uid, display: name }],
  text: name
})

const versionOf = (content: unknown) =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16)

/** With its version, a hash of its content. */
const versioned = (
  resourceType: string,
  id: string,
  meta: Readonly<Record<string, unknown>>,
  content: Readonly<Record<string, unknown>>
): Resource => ({
  resourceType,
  id,
  meta: { versionId: versionOf([id, meta, content]), ...meta },
  ...content
})

export const versionIn = (resource: Readonly<Record<string, unknown>>) =>
  String((resource.meta as { readonly versionId?: string } | undefined)?.versionId ?? "") // as `versioned` made it

/** Without elements that have no value. */
const some = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0)
    )
  )

/** What was sent with a booking by FHIR and has no place in the record. */
export const BookingRow = Schema.Struct({
  appointment_uid: AppointmentUid,
  priority_code: Schema.NullOr(Schema.String),
  priority_version: Schema.NullOr(Schema.String),
  instruction: Schema.NullOr(Schema.String),
  /** Who booked for the patient: a RelatedPerson, JSON. Null: the patient. */
  related_person: Schema.NullOr(Schema.String)
})
export type Booking = Omit<typeof BookingRow.Type, "appointment_uid">

export const scheduleForm = (row: DoctorWithType): Resource =>
  versioned(
    "Schedule",
    scheduleId(row.doctor_uid, row.type_uid),
    { lastUpdated: instant(row.updated_at), profile: [`${PROFILES}/ISiKKalender`] },
    {
      extension: [{ url: NAME_EXTENSION, valueString: `${row.doctor_name}, ${row.type_name}` }],
      active: row.active,
      serviceType: [typeOf({ uid: row.type_uid, name: row.type_name })],
      specialty: specialtiesOf(row.type_specialty, row.doctor_specialty),
      actor: [{ reference: `Practitioner/${fhirId(row.doctor_uid)}`, display: row.doctor_name }]
    }
  )

export interface SlotRow {
  readonly id: string
  readonly schedule_id: string
  readonly status: "free" | "busy" | "busy-unavailable"
  readonly start: string
  readonly end: string
}

/** Slots are computed when they are asked for, so they have neither a version nor a time of change. */
export const slotForm = ({ id, schedule_id, status, start, end }: SlotRow): Resource => ({
  resourceType: "Slot",
  id,
  meta: { profile: [`${PROFILES}/ISiKTerminblock`] },
  schedule: { reference: `Schedule/${schedule_id}` },
  status,
  start,
  end
})

export const serviceForm = (row: AppointmentType): Resource =>
  versioned(
    "HealthcareService",
    fhirId(row.uid),
    { lastUpdated: instant(row.updated_at), profile: [`${PROFILES}/ISiKMedizinischeBehandlungseinheit`] },
    some({
      identifier: identifierOf(row.uid),
      active: row.active,
      type: [typeOf(row)],
      specialty: specialtiesOf(row.specialty_code),
      name: row.name,
      comment: row.description
    })
  )

/** Titles are no given names. */
const TITLE = /^(dr|prof|med|dent|h\.?c|pd|priv|doz|dipl|herr|frau)\b\.?-?/i

/** The parts of a name that is kept as one text. */
const humanName = (display: string, title: string | null) => {
  const words = display.split(/\s+/)
  const titles = words.slice(
    0,
    words.findIndex((word) => !TITLE.test(word)) === -1 ? 0 : words.findIndex((word) => !TITLE.test(word))
  )
  const rest = words.slice(titles.length)
  const prefix = titles.length > 0 ? titles.join(" ") : title
  return some({
    use: "official",
    text: display,
    family: rest.at(-1),
    given: rest.slice(0, -1),
    prefix: prefix === null ? [] : [prefix]
  })
}

export const practitionerForm = (row: Omit<Doctor, "picture">): Resource =>
  versioned(
    "Practitioner",
    fhirId(row.uid),
    { lastUpdated: instant(row.updated_at), profile: [`${PROFILES}/ISiKPersonImGesundheitsberuf`] },
    {
      identifier: identifierOf(row.uid),
      active: true,
      name: [humanName(row.display_name, row.title)],
      qualification: [{ code: specialtyOf(row.specialty_code) }]
    }
  )

const GENDERS = byWord<string>({ male: "male", female: "female", divers: "other" })

/** The shop's identifier of a customer who is known by an identifier of another system. */
export const customerOf = (system: string | undefined, value: string) =>
  system === undefined || system === CUSTOMER_SYSTEM ? value : `${system}|${value}`
const identifierOfCustomer = (text: string) => {
  const [, system = CUSTOMER_SYSTEM, value = text] = /^((?:https?:|urn:)[^|]+)\|(.+)$/.exec(text) ?? []
  return { system, value }
}

const textIn = (profile: Readonly<Record<string, unknown>>, name: string) => {
  const value = profile[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

const linkTo = (uid: string, type: "replaces" | "replaced-by") => ({
  other: { reference: `Patient/${fhirId(uid)}`, identifier: identifierOf(uid)[0] },
  type
})

/** A record that was merged into another. */
export const mergedForm = ({ merged_uid, patient_uid, merged_at }: Merge): Resource =>
  versioned(
    "Patient",
    fhirId(merged_uid),
    { lastUpdated: instant(merged_at) },
    { identifier: identifierOf(merged_uid), active: false, link: [linkTo(patient_uid, "replaced-by")] }
  )

export const patientForm = ({
  uid,
  shop_customer_id,
  profile,
  updated_at,
  merged_uids
}: Patient & { readonly merged_uids: ReadonlyArray<string> }): Resource => {
  const field = (name: string) => textIn(profile, name)
  const name = some({ use: "official", family: field("last_name"), given: [field("first_name")].filter(Boolean) })
  const address = some({
    line: [field("street")].filter(Boolean),
    city: field("city"),
    postalCode: field("zip"),
    country: field("country_code")
  })
  const phone = field("phone")
  const email = field("email")
  const gender = field("gender")
  const language = field("language")
  return versioned(
    "Patient",
    fhirId(uid),
    { lastUpdated: instant(updated_at) },
    some({
      identifier: [
        ...identifierOf(uid),
        ...(shop_customer_id === null ? [] : [identifierOfCustomer(shop_customer_id)])
      ],
      active: true,
      name: Object.keys(name).length > 1 ? [name] : [],
      telecom: [
        ...(phone === undefined ? [] : [{ system: "phone", value: phone }]),
        ...(email === undefined ? [] : [{ system: "email", value: email }])
      ],
      gender: gender === undefined ? undefined : GENDERS[gender],
      birthDate: field("date_of_birth"),
      address: Object.keys(address).length > 0 ? [{ type: "both", ...address }] : [],
      communication:
        language === undefined ? [] : [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: language }] } }],
      link: merged_uids.map((merged) => linkTo(merged, "replaces"))
    })
  )
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

/** The profile in a Patient: the reverse of its form. Text alone; the rest is left out. */
export const profileOf = (patient: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => {
  const in1 = (value: unknown, name: string) => (Predicate.isRecord(value) ? value[name] : undefined)
  const name = first(patient.name)
  const address = first(patient.address)
  const contact = (system: string) =>
    in1(
      (Array.isArray(patient.telecom) ? patient.telecom : []).find((one) => in1(one, "system") === system),
      "value"
    )
  const profile: Readonly<Record<string, unknown>> = {
    first_name: first(in1(name, "given")),
    last_name: in1(name, "family"),
    date_of_birth: patient.birthDate,
    gender: Object.entries(GENDERS).find(([, code]) => code === patient.gender)?.[0],
    phone: contact("phone"),
    email: contact("email"),
    street: first(in1(address, "line")),
    zip: in1(address, "postalCode"),
    city: in1(address, "city"),
    country_code: in1(address, "country")
  }
  return Object.fromEntries(
    Object.entries(profile).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  )
}

/** The whole name of a Patient or RelatedPerson. */
const nameIn = (person: Readonly<Record<string, unknown>>) => {
  const name = first(person.name)
  if (!Predicate.isRecord(name)) return undefined
  const given = Array.isArray(name.given) ? name.given : []
  return textIn(name, "text") ?? [...given, name.family].filter(Predicate.isString).join(" ")
}

/** What is kept of a RelatedPerson, as JSON: name, ways to reach them, and what they are to the patient. */
export const relatedPersonOf = ({ relationship, name, telecom }: Readonly<Record<string, unknown>>) =>
  JSON.stringify(some({ relationship, name, telecom }))

/** The statuses of FHIR; one that is missing has no appointment here. */
export const statuses: Readonly<Record<AppointmentStatus, string>> = {
  held: "pending",
  confirmed: "booked",
  cancelled: "cancelled",
  expired: "cancelled",
  completed: "fulfilled",
  no_show: "noshow"
}

/** All statuses that FHIR knows. */
export const appointmentStatuses = [
  "proposed",
  "pending",
  "booked",
  "arrived",
  "fulfilled",
  "cancelled",
  "noshow",
  "entered-in-error",
  "checked-in",
  "waitlist"
]

/** Reasons of a cancellation that ISiK allows. The reason as stored begins with the name; any other text is `other`. */
export const cancellationReasons = {
  pat: "Patient",
  prov: "Provider",
  maint: "Equipment Maintenance/Repair",
  "meds-inc": "Prep/Med Incomplete",
  other: "Other"
} as const
export type CancellationCode = keyof typeof cancellationReasons
export const isCancellationCode = (text: unknown): text is CancellationCode =>
  typeof text === "string" && Object.hasOwn(cancellationReasons, text)

/** The text that a cancellation with this code and text stores. */
export const storedReason = (code: CancellationCode, text: string | undefined) =>
  text === undefined || text === "" ? cancellationReasons[code] : `${cancellationReasons[code]}: ${text}`

const cancellationForm = (reason: string | null) => {
  const known = Object.entries(cancellationReasons).find(
    ([, name]) => reason === name || reason?.startsWith(`${name}: `) === true
  )
  const [code, name] = known ?? (["other", cancellationReasons.other] as const)
  const text = known === undefined ? reason : reason === name ? null : (reason?.slice(name.length + 2) ?? null)
  return { coding: [{ system: CANCELLATION_SYSTEM, code, display: name }], ...(text !== null && { text }) }
}

/** Priorities of ISiK, SNOMED CT. */
export const priorities = byWord<string>({
  "709122007": "ASAP",
  "441808003": "Delayed priority",
  "103390000": "Elective",
  "25876001": "Emergency",
  "394849002": "High priority",
  "88694003": "Immediate",
  "1251527002": "Low priority",
  "394848005": "Normal priority",
  "76561005": "Reclassified",
  "44408006": "Reclassified and rescheduled",
  "64695001": "Repeat elective",
  "21282002": "Repeat emergency",
  "58334001": "Rescheduled",
  "50811001": "Routine",
  "416774000": "Scheduled - priority",
  "49499008": "Stat",
  "103391001": "Urgent"
})

/** What the form of an appointment needs beside its record. */
export interface AppointmentSurroundings {
  readonly doctor: Pick<Doctor, "timezone" | "specialty_code"> | undefined
  readonly type: Pick<AppointmentType, "specialty_code" | "preparation"> | undefined
  /** Undefined: not booked by FHIR. */
  readonly booking: Booking | undefined
  readonly slot_id: string | undefined
  /** Whether names and reasons may be seen. */
  readonly seesPatient: boolean
}

const participant = (type: string, uid: string, display: string | undefined) => ({
  actor: { reference: `${type}/${fhirId(uid)}`, ...(display !== undefined && display !== "" && { display }) },
  status: "accepted"
})

const decodePerson = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)
const RELATED = "related-person"

/** Who booked for the patient, within the appointment. */
const relatedForm = (stored: string | null, patient_uid: string) =>
  Option.map(decodePerson(stored), (person) => ({
    resource: {
      resourceType: "RelatedPerson",
      id: RELATED,
      patient: { reference: `Patient/${fhirId(patient_uid)}` },
      ...person
    },
    participant: { actor: some({ reference: `#${RELATED}`, display: nameIn(person) }), status: "accepted" }
  }))

export const appointmentForm = (
  record: Appointment,
  { doctor, type, booking, slot_id, seesPatient }: AppointmentSurroundings
): Resource => {
  const local = localInstant(doctor?.timezone ?? "UTC")
  const { appointment_type_uid, appointment_type_name, status, previous_meeting_uid } = record
  const isCancelled = status === "cancelled" || status === "expired"
  const reason = status === "expired" ? "The hold expired" : record.cancellation_reason
  const priority = booking?.priority_code ?? null
  const related = Option.toArray(relatedForm((seesPatient && booking?.related_person) || null, record.patient_uid))
  return versioned(
    "Appointment",
    fhirId(record.uid),
    {
      lastUpdated: instant(record.updated_at),
      profile: [`${PROFILES}/ISiKTermin`],
      ...(booking !== undefined && { tag: [{ system: TAG_SYSTEM, code: EXTERNAL_TAG }] })
    },
    some({
      contained: related.map(({ resource }) => resource),
      extension:
        previous_meeting_uid === null
          ? []
          : [
              {
                url: REPLACES_EXTENSION,
                valueReference: { reference: `Appointment/${fhirId(previous_meeting_uid)}` }
              }
            ],
      identifier: identifierOf(record.uid),
      status: statuses[status],
      cancelationReason: isCancelled ? cancellationForm(seesPatient ? reason : null) : undefined,
      serviceType: [
        appointment_type_uid === null
          ? { text: meetingTypeNames[record.meeting_type] }
          : typeOf({ uid: appointment_type_uid, name: appointment_type_name ?? appointment_type_uid })
      ],
      specialty: specialtiesOf(
        ...(type === undefined ? [] : [type.specialty_code]),
        ...(doctor === undefined ? [] : [doctor.specialty_code])
      ),
      _priority:
        priority === null
          ? undefined
          : {
              extension: [
                {
                  url: PRIORITY_EXTENSION,
                  valueCodeableConcept: {
                    coding: [
                      some({
                        system: SNOMED,
                        version: booking?.priority_version,
                        code: priority,
                        display: priorities[priority]
                      })
                    ]
                  }
                }
              ]
            },
      start: local(record.start_date),
      end: local(record.end_date),
      minutesDuration: Math.round((record.end_date - record.start_date) / 60),
      slot: slot_id === undefined ? [] : [{ reference: `Slot/${slot_id}` }],
      created: instant(record.created_at),
      comment: seesPatient ? record.visit_reason : null,
      patientInstruction: (seesPatient ? booking?.instruction : null) ?? type?.preparation,
      participant: [
        participant("Patient", record.patient_uid, seesPatient ? record.patient_display_name : undefined),
        ...related.map(({ participant }) => participant),
        participant("Practitioner", record.doctor_uid, record.doctor_display_name),
        ...record.further_doctors.map(({ uid, display_name }) => participant("Practitioner", uid, display_name)),
        ...(appointment_type_uid === null
          ? []
          : [participant("HealthcareService", appointment_type_uid, appointment_type_name ?? undefined)])
      ]
    })
  )
}
