/** The demo practice: six doctors in two towns, their rooms, what they offer, and eight weeks of appointments. */
import { Array as Arr } from "effect"
import { organisationFields } from "../../../../../schemas/access/organisationFields.ts"
import { organisationPermissions, pharmacyPermissions } from "../../../../../schemas/access/permissions.ts"
import { typeFields } from "../../../../../schemas/scheduling/AppointmentType.ts"
import { DAY, MINUTE } from "../../../../../schemas/seconds.ts"
import { temporal } from "../../../../../schemas/timeZones.ts"
import { demo } from "../../../../shared/services/demo.ts"
import { brandingOf, consent, reminderOf } from "../records.ts"
import { aroundNow, calendarOf, dateIn } from "./calendar.ts"
import { doctors, kinds, patients } from "./people.ts"

const { organisation: organisation_uid, shop: shop_uid, managementKey, pharmacies } = demo.practice

const hamburg = "Gartenstraße 5, 20095 Hamburg"
const PHONE = "+49 40 66969100"
const lasPalmas = "Calle del Jardín 12, 35003 Las Palmas"

const rooms = [
  { uid: "res_room_1", kind: "room", name: "Sprechzimmer 1", site: hamburg },
  { uid: "res_room_2", kind: "room", name: "Sprechzimmer 2", site: hamburg },
  { uid: "res_room_3", kind: "room", name: "Consulta", site: lasPalmas },
  { uid: "res_dermatoscope", kind: "device", name: "Dermatoskop", site: hamburg },
  { uid: "res_interpreter", kind: "person", name: "Dolmetschdienst Arabisch", site: null }
]

const common = {
  organisation_uid,
  hold_ttl_seconds: 600,
  booking_min_notice_minutes: 60,
  cancellation_min_notice_minutes: 120,
  rebooking_min_notice_minutes: 120,
  room_strategy: "per_appointment",
  rebooking_mode: "any_doctor_same_organisation",
  doctor_assignment_mode: "selected_doctors_only",
  allow_patient_rebooking: true,
  cancellation_rule: "Kostenfrei bis zwei Stunden vorher."
}

/** A type's name in other languages. */
const named = (en: string, tr: string, ar: string, uk: string, ru: string) =>
  Object.entries({ en, tr, ar, uk, ru }).map(([language, name]) => ({ language, name }))

const types = [
  {
    ...common,
    uid: demo.practice.consultation,
    name: "Videosprechstunde",
    meeting_type: "CONSULTATION",
    duration_minutes: kinds.video.minutes,
    formats: ["DIGITAL"],
    description: "Für neue Beschwerden und Fragen zu Ihrer Behandlung.",
    preparation: "Bitte halten Sie Ihre Medikamentenliste bereit.",
    price: "Kassenleistung",
    translations: [
      {
        language: "en",
        name: "Video consultation",
        description: "For new complaints and questions about your treatment.",
        preparation: "Please have your list of medicines at hand.",
        cancellation_rule: "Free of charge until two hours before.",
        price: "Paid by statutory health insurance"
      },
      {
        language: "tr",
        name: "Görüntülü görüşme",
        description: "Yeni şikâyetler ve tedavinizle ilgili sorular için.",
        price: "Yasal sağlık sigortası öder",
        preparation: "Lütfen ilaç listenizi hazır bulundurun.",
        cancellation_rule: "İki saat öncesine kadar ücretsiz."
      },
      {
        language: "ar",
        name: "استشارة بالفيديو",
        description: "للشكاوى الجديدة والأسئلة عن علاجكم.",
        price: "يتحمّلها التأمين الصحي القانوني",
        preparation: "يُرجى تجهيز قائمة أدويتكم.",
        cancellation_rule: "مجانًا حتى ساعتين قبل الموعد."
      },
      {
        language: "uk",
        name: "Відеоприйом",
        description: "Для нових скарг і запитань про ваше лікування.",
        price: "Оплачує державна медична страховка",
        preparation: "Підготуйте, будь ласка, список своїх ліків.",
        cancellation_rule: "Безкоштовно до двох годин до початку."
      },
      {
        language: "ru",
        name: "Видеоприём",
        description: "Для новых жалоб и вопросов о вашем лечении.",
        price: "Оплачивает государственная медицинская страховка",
        preparation: "Подготовьте, пожалуйста, список своих лекарств.",
        cancellation_rule: "Бесплатно до двух часов до начала."
      }
    ]
  },
  {
    ...common,
    uid: "aty_erst",
    name: "Erstgespräch",
    meeting_type: "INITIAL",
    duration_minutes: kinds.erst.minutes,
    description: "Das erste Gespräch mit einer Ärztin oder einem Arzt unserer Praxis.",
    preparation: "Bitte bringen Sie Vorbefunde mit.",
    buffer_after_minutes: 5,
    price: "Kassenleistung",
    translations: named("First appointment", "İlk görüşme", "الموعد الأول", "Перший прийом", "Первый приём")
  },
  {
    ...common,
    uid: "aty_nach",
    name: "Nachgespräch",
    meeting_type: "FOLLOW_UP",
    duration_minutes: kinds.nach.minutes,
    translations: named("Follow-up", "Takip görüşmesi", "موعد متابعة", "Повторний прийом", "Повторный приём")
  },
  {
    ...common,
    uid: "aty_haut",
    name: "Hautkrebs-Screening",
    meeting_type: "REVIEW",
    duration_minutes: kinds.haut.minutes,
    specialty_code: "HAUT",
    formats: ["IN_PERSON"],
    description: "Untersuchung der ganzen Haut, alle zwei Jahre ab 35.",
    requirements: [{ resource_uids: ["res_room_1", "res_room_2"] }, { resource_uids: ["res_dermatoscope"] }],
    price: "Kassenleistung ab 35 Jahren, sonst 45 €",
    translations: named(
      "Skin cancer screening",
      "Cilt kanseri taraması",
      "فحص سرطان الجلد",
      "Скринінг раку шкіри",
      "Скрининг рака кожи"
    )
  },
  {
    ...common,
    uid: "aty_therapie",
    name: "Psychotherapie",
    meeting_type: "CONSULTATION",
    duration_minutes: kinds.therapie.minutes,
    specialty_code: "PSYC",
    buffer_after_minutes: 10,
    limits: [{ per: "day", max: 5 }],
    translations: named("Psychotherapy", "Psikoterapi", "علاج نفسي", "Психотерапія", "Психотерапия")
  },
  {
    ...common,
    uid: "aty_therapie_erst",
    name: "Psychotherapie, Erstgespräch",
    meeting_type: "INITIAL",
    duration_minutes: 80,
    specialty_code: "PSYC",
    buffer_after_minutes: 10,
    translations: named(
      "Psychotherapy, first visit",
      "Psikoterapi, ilk görüşme",
      "علاج نفسي، الموعد الأول",
      "Психотерапія, перший прийом",
      "Психотерапия, первый приём"
    )
  },
  {
    ...common,
    uid: "aty_kurs",
    name: "Rückenkurs per Video",
    meeting_type: "REVIEW",
    duration_minutes: 60,
    formats: ["DIGITAL"],
    description: "In der Gruppe, ohne Geräte. Sie brauchen nur eine Matte.",
    seats: 12,
    price: "15 € je Termin",
    translations: named(
      "Back course by video",
      "Görüntülü sırt kursu",
      "دورة للظهر بالفيديو",
      "Курс для спини по відео",
      "Курс для спины по видео"
    )
  }
]

/** The course is on Thursdays at 17:00. */
export const COURSE = {
  doctor_uid: "doc_weiss",
  appointment_type_uid: "aty_kurs",
  weekday: 3,
  start_time: 1020,
  end_time: 1080
} as const

/** The start of the first course that is at least three days ahead, Unix seconds. */
export const firstCourse = (now: number) => {
  const from = temporal.Instant.fromEpochMilliseconds((now + 3 * DAY) * 1000)
    .toZonedDateTimeISO("Europe/Berlin")
    .toPlainDate()
  const date = from.add({ days: (COURSE.weekday + 8 - from.dayOfWeek) % 7 })
  const midnight = date.toZonedDateTime({ timeZone: "Europe/Berlin" }).epochMilliseconds / 1000
  return midnight + COURSE.start_time * MINUTE
}

/** Dr. Weiß is away for the next two days, and Dr. Lindqvist had a day off last week. */
const daysOff = [
  { doctor_uid: "doc_weiss", days: 1 },
  { doctor_uid: "doc_weiss", days: 2 },
  { doctor_uid: "doc_lindqvist", days: -7 }
]

const reminder = reminderOf(demo.practice.consultation)

/** All appointments of the practice. `now`: Unix seconds. */
export const appointmentsOf = (now: number) => {
  const around = aroundNow(now)
  const isOff = ({ uid }: { readonly uid: string }, day: number) =>
    daysOff.some(({ doctor_uid, days }) => doctor_uid === uid && days === day)
  return [...calendarOf(now, around, isOff), ...around.appointments]
}

/** The provisioning file without pharmacies. Everything is relative to `now`, Unix seconds. */
export const practiceWorld = (now: number) => {
  return {
    organisations: [
      {
        uid: organisation_uid,
        name: "Praxis am Stadtgarten",
        timezone: "Europe/Berlin",
        holiday_region: "DE-HH",
        extra_holidays: [{ date: `${new Date(now * 1000).getUTCFullYear()}-12-24`, name: "Heiligabend" }],
        return_url_origins: ["https://example.org"],
        messages: ["confirmation", "cancellation", "rebooking"],
        ...organisationFields.among({ fhir: { enabled: true }, public_booking: true }),
        // sixty patients share eight weeks of six doctors
        patient_future_appointments_max: 1_000,
        branding: brandingOf("Praxis am Stadtgarten", "#0a6b63", PHONE, hamburg),
        consent,
        admins: [{ uid: "adm_garten", display_name: "Empfang", email: "empfang@example.org" }]
      }
    ],
    shops: [
      {
        uid: shop_uid,
        shop_identifier: demo.practice.shopIdentifier,
        organisation_uid,
        name: "Praxis am Stadtgarten",
        default_pharmacy_uid: pharmacies[0],
        pharmacy_uids: pharmacies
      }
    ],
    doctors: doctors.map(({ hours: _, kinds: __, ...doctor }) => ({
      ...doctor,
      organisation_uid,
      email: `${doctor.uid.slice(4)}@example.org`,
      address: doctor.timezone === "Europe/Berlin" ? hamburg : lasPalmas,
      phone: PHONE
    })),
    patients: patients.map(({ uid, ...profile }) => ({
      uid,
      organisation_uid,
      shop_uid,
      shop_customer_id: uid.replace("pat_", ""),
      profile
    })),
    resources: rooms.map((room) => ({ ...room, organisation_uid })),
    appointment_types: types.map((type) => ({ ...type, ...typeFields.among({ waitlist: true }) })),
    reminders: [reminder("rem_garten_day", "patient", 1440), reminder("rem_garten_hour", "patient", 60, true)],
    availability_rules: [
      ...doctors.flatMap(({ uid: doctor_uid, hours }) =>
        hours.flatMap(([weekdays, start_time, end_time]) =>
          weekdays.map((weekday) => ({
            uid: `rul_${doctor_uid}_${weekday}_${start_time}`,
            doctor_uid,
            weekday,
            start_time,
            end_time
          }))
        )
      ),
      { uid: "rul_course", ...COURSE }
    ],
    availability_date_overrides: daysOff.map(({ doctor_uid, days }) => ({
      uid: `ovr_${doctor_uid}_${days}`,
      doctor_uid,
      date: dateIn(now, days),
      day_off: true
    })),
    doctor_appointment_type_settings: doctors.flatMap(({ uid: doctor_uid, kinds: seen }) =>
      Arr.dedupe([...seen.map((kind) => `aty_${kind}`), ...(doctor_uid === COURSE.doctor_uid ? ["aty_kurs"] : [])]).map(
        (appointment_type_uid) => ({ doctor_uid, appointment_type_uid })
      )
    ),
    appointments: appointmentsOf(now).map((appointment) => ({ ...appointment, organisation_uid })),
    api_keys: [
      {
        key: managementKey,
        name: "Demo: practice",
        permissions: organisationPermissions,
        organisation_uid
      },
      {
        key: demo.practice.pharmacyKey,
        name: "Demo: pharmacy of the practice",
        permissions: pharmacyPermissions,
        pharmacy_uid: pharmacies[0]
      }
    ],
    booking_token_secrets: [
      {
        organisation_uid,
        key_id: "bts_garten",
        secret: "demo-practice-booking-token-secret-that-everybody-knows"
      }
    ]
  }
}
