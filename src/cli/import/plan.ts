/** What another program has, as entries of a provisioning file; what has no counterpart here is listed and never guessed. */
import { createHash } from "node:crypto"
import { Data, type Effect, Either, Option, Record, Schema, Struct } from "effect"
import { type PatientProfile, profileWith } from "../../schemas/access/PatientProfile.ts"
import { midnightOf } from "../../schemas/birthDate.ts"
import { faultsOfError } from "../../schemas/faults.ts"
import {
  AppointmentEntry,
  AppointmentTypeEntry,
  OverrideEntry,
  RuleEntry,
  SettingEntry
} from "../../schemas/provisioning/scheduling.ts"
import { Doctor, Patient } from "../../schemas/provisioning/tenancy.ts"
import { DAY } from "../../schemas/seconds.ts"
import type { ImportTarget } from "../../services/provisioning/ImportTarget.ts"
import { instantOfWall, spanAt, zoneOf } from "../../services/scheduling/slots/zones.ts"

/** The file is not what the command takes. Nothing was changed. */
export class ImportUnreadable extends Data.TaggedError("ImportUnreadable")<{ readonly why: string }> {
  override get message() {
    return `${this.why}. Nothing was changed`
  }
}

const lists = {
  doctors: Doctor,
  patients: Patient,
  appointment_types: AppointmentTypeEntry,
  availability_rules: RuleEntry,
  availability_date_overrides: OverrideEntry,
  doctor_appointment_type_settings: SettingEntry,
  appointments: AppointmentEntry
}
export type ListName = keyof typeof lists
const decoders = Record.map(lists, (entry: Schema.Schema.AnyNoContext) => Schema.decodeUnknownEither(entry))

/** The lists in the order in which they are shown. */
export const listNames = Struct.keys(lists)

export type Known = Effect.Effect.Success<ReturnType<ImportTarget["read"]>>

export interface Goal {
  readonly organisation: string
  readonly shop: string
  readonly timezone: string
  readonly known: Known
}

/** Names of languages in English, as programs store them, by code. */
const languageNames = new Map(
  ["ar", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ro", "ru", "tr", "uk"].map((code) => [
    new Intl.DisplayNames("en", { type: "language" }).of(code)?.toLowerCase() ?? code,
    code
  ])
)
export const languageOf = (name: string) => languageNames.get(name.toLowerCase())

export const hashed = (text: string, length = 16) => createHash("sha256").update(text).digest("hex").slice(0, length)
export const isMail = (one: string | null | undefined, other: string | null | undefined) =>
  typeof one === "string" && one !== "" && one.toLowerCase() === other?.toLowerCase()

/** UIDs begin with it: the same record of the same organisation has the same uid each time. */
export const prefixOf = (source: string, organisation: string) => `${source}-${hashed(organisation, 8)}-`

export interface FoundAppointment {
  readonly key: string
  readonly doctor_uid: string
  readonly patient_uid: string
  readonly appointment_type_uid: string | null
  readonly start_date: number
  readonly end_date: number
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
  readonly visit_reason?: string | null
  /** Cancelled at the source. Default false. */
  readonly cancelled?: boolean
}

export interface FoundPatient {
  readonly key: string
  readonly customer_id?: string
  readonly profile: Readonly<Record<string, unknown>>
  /** Whether the source's fields count where they differ from those here; null clears. Default false. */
  readonly isNewer?: boolean
}

export const planFor = (source: string, { organisation, shop, known }: Goal) => {
  const prefix = prefixOf(source, organisation)
  const id = (kind: string, key: string | number) => `${prefix}${kind}-${key}`
  const added = (): Array<{ readonly label: string; readonly entry: unknown }> => []
  const entries = Record.map(lists, added)
  const left: Array<string> = []
  const placed = new Map<string, string>()
  let past = 0
  const leave = (label: string, what: string) => {
    left.push(`${label}: ${what}`)
  }

  /** Adds an entry that the list's schema takes; false if it does not, and then it is listed. */
  const add = (list: ListName, label: string, entry: Readonly<Record<string, unknown>>) => {
    const decoded = decoders[list](entry, { errors: "all" })
    if (Either.isRight(decoded)) entries[list].push({ label, entry })
    else for (const fault of faultsOfError(decoded.left, "entry")) leave(label, fault)
    return Either.isRight(decoded)
  }

  /** Adds a type that chosen doctors have; of what the source does not know it gets what is usual here. */
  const type = (label: string, fields: Readonly<Record<string, unknown>>) =>
    add("appointment_types", label, {
      ...{ organisation_uid: organisation, meeting_type: "CONSULTATION", hold_ttl_seconds: 600 },
      ...{ room_strategy: "per_appointment", rebooking_mode: "same_doctor_only", closed_on_holidays: false },
      ...{ doctor_assignment_mode: "selected_doctors_only", ...fields }
    })

  /** The values that a profile can have; the others are listed. */
  const profileOf = (label: string, fields: Readonly<Record<string, string | null | undefined>>): PatientProfile => {
    const usable = Object.entries(fields).flatMap(([field, text]): ReadonlyArray<PatientProfile> => {
      if (text === undefined || text === null || text.trim() === "") return []
      const value = profileWith(field, text)
      if (Option.isNone(value)) leave(label, `${field} cannot be used`)
      return Option.toArray(value)
    })
    return Object.assign({}, ...usable)
  }

  /** The doctor's uid: of one here with the same mail address or name, else of a new one; undefined if it cannot be one. */
  const doctor = (
    label: string,
    key: string | number,
    found: { readonly display_name: string; readonly email: string | null; readonly timezone: string | null }
  ) => {
    const uid = id("doctor", key)
    const here = known.doctors.filter(
      (one) => one.uid !== uid && (isMail(one.email, found.email) || one.name === found.display_name)
    )
    const [same, more] = here
    const isOurs = known.doctors.some((one) => one.uid === uid)
    if (isOurs || same === undefined)
      return add("doctors", label, { uid, organisation_uid: organisation, ...found }) ? uid : undefined
    if (more === undefined) return same.uid
    leave(label, "several doctors here have this name or mail address")
    return undefined
  }

  /** The patient's uid; undefined if it is not clear who it is. */
  const patient = (label: string, { key, customer_id, profile, isNewer = false }: FoundPatient) => {
    const uid = id("patient", key)
    const earlier = placed.get(uid)
    if (earlier !== undefined) return earlier
    const own = known.patients.filter((one) => one.uid === uid)
    const customers = known.patients.filter(
      (one) => customer_id !== undefined && one.shop_uid === shop && one.shop_customer_id === customer_id
    )
    const mails = known.patients.filter(
      (one) => customer_id === undefined && isMail(String(one.profile.email ?? ""), String(profile.email ?? ""))
    )
    const found = [own, customers, mails].find((some) => some.length > 0) ?? []
    const [here, more] = found
    if (more !== undefined) {
      leave(label, "several patients here have this mail address")
      return undefined
    }
    const remember = (one: string) => {
      placed.set(uid, one)
      return one
    }
    // of a patient of somebody else nothing is changed, unless the source is meant to
    if (here !== undefined && here.uid !== uid && !isNewer) return remember(here.uid)
    const before = here?.profile ?? {}
    if (!isNewer)
      for (const field of Object.keys(profile))
        if (Object.hasOwn(before, field) && JSON.stringify(before[field]) !== JSON.stringify(profile[field]))
          leave(label, `${field} is another here and stays`)
    const entry = {
      uid: here?.uid ?? uid,
      organisation_uid: organisation,
      shop_uid: here?.shop_uid ?? shop,
      shop_customer_id: here?.shop_customer_id ?? customer_id ?? null,
      profile: isNewer ? { ...before, ...profile } : { ...profile, ...before }
    }
    return add("patients", label, entry) ? remember(entry.uid) : undefined
  }

  /** Adds a future appointment. What has changed at the source since it was brought over is listed. */
  const appointment = (label: string, { key, cancelled = false, ...found }: FoundAppointment) => {
    const uid = id("appointment", key)
    if (found.start_date <= known.now) past++
    else {
      const here = known.appointments.find((one) => one.uid === uid)
      const isLive = here?.status === "confirmed"
      if (here === undefined && !cancelled)
        add("appointments", label, { uid, organisation_uid: organisation, status: "confirmed", ...found })
      else if (isLive && cancelled) leave(label, "was cancelled there; cancel it here")
      else if (isLive && (here.start_date !== found.start_date || here.end_date !== found.end_date))
        leave(label, "was moved there; move it here")
    }
  }

  const skipPast = () => {
    past++
  }
  const pastCount = () => past
  return { id, add, type, leave, profileOf, doctor, patient, appointment, skipPast, pastCount, entries, left } as const
}
export type Plan = ReturnType<typeof planFor>

/** Each set field of a record that is not among these is listed. */
export const leaveOthers = (plan: Plan, label: string, record: Readonly<Record<string, unknown>>, taken: string) => {
  const without = new Set(taken.split(" "))
  for (const [field, value] of Object.entries(record)) {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "")
    if (!without.has(field) && !["", "0", "false", "[]", "{}", "null"].includes(text)) plan.leave(label, field)
  }
}

/** Minutes of a day. */
export type Window = readonly [start: number, end: number]

/** Minutes from midnight of `9:30` or `09:30:00`; undefined for what is none. */
export const minuteOf = (text: string) => {
  const [, hour, minute] = /^([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?: ?Uhr)?$/.exec(text.trim()) ?? []
  const minutes = Number(hour) * 60 + Number(minute)
  return minutes <= 1440 ? minutes : undefined
}

/** The UTC midnight of `2026-12-24` or `24.12.2026`; undefined for what is none. */
export const midnightOfDate = (text: string) => {
  const [, d = "", m = "", y] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text.trim()) ?? []
  return midnightOf(y === undefined ? text.trim() : `${y}-${m.padStart(2, "0")}-${d.padStart(2, "0")}`)
}

/** The instant of a wall-clock time of a zone. */
export const instantAt = (timezone: string, midnight: number, minute: number) =>
  instantOfWall(zoneOf(timezone), midnight + minute * 60)

/** The UTC midnight of the date that a zone has now. */
export const today = (timezone: string, now: number) =>
  Math.floor((now + spanAt(zoneOf(timezone), now).offset) / DAY) * DAY
