/** The provisioning file of a practice of some size: doctors with hours, rooms, patients, and appointments around today. */
import { organisationPermissions } from "../../src/schemas/access/permissions.ts"
import { CONSULTATION, DAY, HOUR, random } from "./world.ts"

const FIRST = ["Ayşe", "Jörg", "Zoë", "Çetin", "Renée", "Łukasz", "Anna", "Ben", "Chiara", "Deniz", "Émile", "Fatma"]
const LAST = [
  "Yılmaz",
  "Schröder",
  "Müller",
  "Weiß",
  "Nguyễn",
  "Özdemir",
  "Kowalski",
  "Groß",
  "Becker",
  "Vogel",
  "Krüger"
]

export interface VolumeOptions {
  readonly doctors: number
  readonly patients: number
  readonly appointments: number
  /** Noon UTC of the day around which the appointments lie, Unix seconds. */
  readonly around: number
}

const at = <A>(list: ReadonlyArray<A>, index: number) => list[index % list.length] as A // not empty

/** Doctors work from 8 to 12 and from 14 to 17, Monday to Friday (Europe/Berlin); a third of all appointments have passed. */
export const volume = ({ doctors: count, patients: known, appointments: booked, around }: VolumeOptions) => {
  const organisation_uid = random("org")
  const [shop_uid, key, key_id] = [random("shop"), random("spr_key_that_is_long_enough"), random("bts")]
  const type_uid = random("aty")
  const followUp = random("aty")
  const room = random("res")
  const doctors = Array.from({ length: count }, (_, index) => ({
    uid: random("doc"),
    organisation_uid,
    display_name: `Dr. ${at(LAST, index)} ${String(index + 1).padStart(2, "0")}`,
    timezone: "Europe/Berlin"
  }))
  const patients = Array.from({ length: known }, (_, index) => ({
    uid: random("pat"),
    organisation_uid,
    shop_uid,
    shop_customer_id: `k-${index + 1}`,
    profile: {
      first_name: at(FIRST, index),
      last_name: `${at(LAST, index * 7)}${index < LAST.length * FIRST.length ? "" : `-${at(LAST, index * 3 + 1)}`}`,
      date_of_birth: `${1930 + (index % 85)}-${String(1 + (index % 12)).padStart(2, "0")}-${String(1 + (index % 28)).padStart(2, "0")}`,
      phone: `+49 30 ${String(5_000_000 + index)}`,
      email: `p${index + 1}@example.org`
    }
  }))
  const rules = doctors.flatMap(({ uid: doctor_uid }) =>
    [0, 1, 2, 3, 4].flatMap((weekday) =>
      [
        [480, 720],
        [840, 1_020]
      ].map(([start_time = 0, end_time = 0]) => ({ uid: random("rul"), doctor_uid, weekday, start_time, end_time }))
    )
  )
  // twelve times of a weekday for each doctor, so that every third one stays free
  const monday = Math.floor(around / DAY) - ((Math.floor(around / DAY) + 3) % 7)
  const days = Array.from({ length: 70 }, (_, index) => monday - 14 + index).filter((day) => (day + 3) % 7 < 5)
  const times = days.flatMap((day) =>
    doctors.flatMap(({ uid }, index) =>
      Array.from({ length: 6 }, (_, time) => ({
        doctor_uid: uid,
        // 8:20 in Berlin in winter, every 40 minutes
        start_date: day * DAY + 7 * HOUR + 1_200 + time * 2_400 - (index % 2) * 1_200
      }))
    )
  )
  const first = Math.max(
    0,
    times.findIndex(({ start_date }) => start_date > around - 7 * DAY)
  )
  const appointments = times.slice(first, first + booked).map((time, index) => ({
    uid: random("apt"),
    organisation_uid,
    ...time,
    end_date: time.start_date + 1_200,
    patient_uid: at(patients, index * 13).uid,
    appointment_type_uid: type_uid,
    status:
      time.start_date + 1_200 < around
        ? index % 17 === 0
          ? "no_show"
          : "completed"
        : index % 23 === 0
          ? "cancelled"
          : "confirmed",
    visit_reason: index % 4 === 0 ? "Kontrolle" : null,
    meeting_format: index % 3 === 0 ? "IN_PERSON" : "DIGITAL"
  }))
  const file = {
    organisations: [
      {
        uid: organisation_uid,
        name: "Praxis am Hafen",
        timezone: "Europe/Berlin",
        patient_live_holds_max: 10_000,
        patient_future_appointments_max: 10_000
      }
    ],
    shops: [{ uid: shop_uid, shop_identifier: random("identifier"), organisation_uid }],
    doctors,
    patients,
    appointment_types: [
      { uid: type_uid, name: "Sprechstunde" },
      { uid: followUp, name: "Nachgespräch" }
    ].map((type) => ({
      ...type,
      organisation_uid,
      ...CONSULTATION,
      rebooking_mode: "any_doctor_same_organisation",
      allow_patient_rebooking: true
    })),
    resources: [{ uid: room, organisation_uid, kind: "room", name: "Zimmer 1" }],
    availability_rules: rules,
    appointments,
    api_keys: [{ key, name: "all", permissions: organisationPermissions, organisation_uid }],
    booking_token_secrets: [{ organisation_uid, key_id, secret: random("secret_of_at_least_32_bytes") }]
  }
  return { file, organisation_uid, shop_uid, type_uid, key, doctors, patients, appointments }
}
