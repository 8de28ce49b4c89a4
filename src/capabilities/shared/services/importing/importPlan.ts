/** What another program has, as entries of a provisioning file; what has no counterpart here is listed and never guessed. */
import { createHash } from "node:crypto"
import { Data, type Effect, Either, Option, Schema } from "effect"
import { type PatientProfile, profileWith } from "../../../../schemas/access/PatientProfile.ts"
import { midnightOf } from "../../../../schemas/birthDate.ts"
import { faultsOfError } from "../../../../schemas/faults.ts"
import type { AppointmentEntry } from "../../../../schemas/provisioning/scheduling.ts"
import type { MeetingFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import { type ProvisioningFile, provisioningFile } from "../../schemas/ProvisioningFile.ts"
import type { ImportTarget, KnownDoctor } from "./ImportTarget.ts"

/** The file is not what the command takes. Nothing was changed. */
export class ImportUnreadable extends Data.TaggedError("ImportUnreadable")<{ readonly why: string }> {
  override get message() {
    return `${this.why}. Nothing was changed`
  }
}
export const unreadable = (why: string) => new ImportUnreadable({ why })

export interface Goal {
  readonly organisation: string
  readonly shop: string
  readonly timezone: string
  readonly known: Effect.Effect.Success<ReturnType<ImportTarget["read"]>>
}

const english = new Intl.DisplayNames("en", { type: "language" })
const LANGUAGES = ["ar", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ro", "ru", "tr", "uk"]
/** The code of a language by its English name, as programs store it. */
export const languageOf = (name = "") => LANGUAGES.find((code) => isSame(english.of(code), name))

export const hashed = (text: string, length = 16) => createHash("sha256").update(text).digest("hex").slice(0, length)
/** Whether both are the same text, in any case, and not empty. */
export const isSame = (one: unknown, other: unknown) =>
  typeof one === "string" && typeof other === "string" && one !== "" && one.toLowerCase() === other.toLowerCase()

/** UIDs begin with it: the same record of the same organisation has the same uid each time. */
export const prefixOf = (source: string, organisation: string) => `${source}-${hashed(organisation, 8)}-`

type Entry = typeof AppointmentEntry.Encoded
interface FoundAppointment
  extends Pick<Entry, "doctor_uid" | "patient_uid" | "start_date" | "end_date" | "visit_reason"> {
  readonly key: string
  readonly appointment_type_uid: string | null
  /** Default IN_PERSON. */
  readonly meeting_format?: MeetingFormat
  /** Cancelled at the source. Default false. */
  readonly cancelled?: boolean
}

interface FoundPatient {
  readonly key: string
  readonly customer_id?: string
  readonly profile: Readonly<Record<string, unknown>>
  /** Whether the source's fields count where they differ from those here; null clears. Default false. */
  readonly isNewer?: boolean
}

export const planFor = (source: string, { organisation, shop, known }: Goal) => {
  const prefix = prefixOf(source, organisation)
  const id = (kind: string, key: string | number | undefined) => `${prefix}${kind}-${key}`
  const decode = Schema.decodeUnknownEither(provisioningFile())
  const entries: Array<{ readonly list: string; readonly label: string; readonly entry: unknown }> = []
  const left: Array<string> = []
  const placed = new Map<string, string>()
  const leave = (label: string, what: string) => {
    left.push(`${label}: ${what}`)
    return undefined
  }

  /** Lists each set field of a record, except those taken: names, divided by spaces. */
  const leaveOthers = (label: string, record: Readonly<Record<string, unknown>>, taken: string) => {
    for (const [field, value] of Object.entries(record)) {
      const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "")
      if (!taken.split(" ").includes(field) && !["", "0", "false", "[]", "{}"].includes(text)) leave(label, field)
    }
  }

  /** Adds an entry that the list's schema takes, and returns it; undefined if it does not, and then it is listed. */
  const add = <E extends Readonly<Record<string, unknown>>>(list: keyof ProvisioningFile, label: string, entry: E) => {
    const decoded = decode({ [list]: [entry] })
    if (Either.isRight(decoded)) {
      entries.push({ list, label, entry })
      return entry
    }
    for (const fault of faultsOfError(decoded.left, "file"))
      leave(label, fault.replace(`${list}[0].`, "").replace(`${list}[0]`, "entry"))
    return undefined
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
  const doctor = (label: string, key: string | undefined, { name, email, timezone }: Omit<KnownDoctor, "uid">) => {
    const uid = id("doctor", key)
    const [same, more] = known.doctors.some((one) => one.uid === uid)
      ? []
      : known.doctors.filter((one) => isSame(one.email, email) || one.name === name)
    if (more !== undefined) return leave(label, "several doctors here have this name or mail address")
    const entry = { uid, organisation_uid: organisation, display_name: name, email, timezone }
    return same?.uid ?? add("doctors", label, entry)?.uid
  }

  /** The patient's uid; undefined if it is not clear who it is. */
  const patient = (label: string, { key, customer_id, profile, isNewer = false }: FoundPatient) => {
    const own = id("patient", key)
    const earlier = placed.get(own)
    if (earlier !== undefined) return earlier
    const isSamePerson = (one: (typeof known.patients)[number]) =>
      customer_id === undefined
        ? isSame(one.profile.email, profile.email)
        : one.shop_uid === shop && one.shop_customer_id === customer_id
    const ours = known.patients.filter((one) => one.uid === own)
    const [here, more] = ours.length > 0 ? ours : known.patients.filter(isSamePerson)
    if (more !== undefined) return leave(label, "several patients here have this mail address")
    const uid = here?.uid ?? own
    // of a patient of somebody else nothing is changed, unless the source is meant to
    if (uid === own || isNewer) {
      const before = here?.profile ?? {}
      for (const field of isNewer ? [] : Object.keys(profile))
        if (Object.hasOwn(before, field) && JSON.stringify(before[field]) !== JSON.stringify(profile[field]))
          leave(label, `${field} is another here and stays`)
      const entry = {
        uid,
        organisation_uid: organisation,
        shop_uid: here?.shop_uid ?? shop,
        shop_customer_id: here?.shop_customer_id ?? customer_id ?? null,
        profile: isNewer ? { ...before, ...profile } : { ...profile, ...before }
      }
      if (add("patients", label, entry) === undefined) return undefined
    }
    placed.set(own, uid)
    return uid
  }

  /** Adds a future appointment. What has changed at the source since it was brought over is listed. */
  const appointment = (label: string, { key, cancelled = false, ...found }: FoundAppointment): void => {
    const uid = id("appointment", key)
    const here = known.appointments.find((one) => one.uid === uid)
    const isLive = here?.status === "confirmed"
    if (found.start_date <= known.now) plan.past++
    else if (here === undefined && !cancelled)
      add("appointments", label, {
        ...{ uid, organisation_uid: organisation, status: "confirmed", meeting_format: "IN_PERSON", ...found }
      })
    else if (isLive && cancelled) leave(label, "was cancelled there; cancel it here")
    else if (isLive && (here.start_date !== found.start_date || here.end_date !== found.end_date))
      leave(label, "was moved there; move it here")
  }

  /** `past`: appointments that are not brought over because they are over. */
  const plan = { past: 0, id, add, type, leave, leaveOthers, profileOf, doctor, patient, appointment, entries, left }
  return plan
}
export type Plan = ReturnType<typeof planFor>

/** Minutes from midnight of `9:30` or `09:30:00`; NaN for what is none. */
const minuteOf = (text: string) => {
  const [, hour, minute] = /^([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?: ?Uhr)?$/.exec(text.trim()) ?? []
  const minutes = Number(hour) * 60 + Number(minute)
  return minutes <= 1440 ? minutes : Number.NaN
}
export const windowOf = (start: string, end: string) => ({ start_time: minuteOf(start), end_time: minuteOf(end) })

/** `24.12.2026` as `2026-12-24`; other texts as they are. */
export const isoOf = (text: string) =>
  text.replace(/^(\d\d?)\.(\d\d?)\.(\d{4})$/, (_, ...[day = "", month = "", year]: ReadonlyArray<string>) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-")
  )

/** A date and a time of day, divided by a space, in seconds as if it were UTC; NaN for what is none. */
export const wallOf = (text = "") => {
  const [, date = "", time = ""] = /^(\S+) (.+)$/.exec(text) ?? []
  return (midnightOf(isoOf(date)) ?? Number.NaN) + minuteOf(time) * 60
}
/** The instant of a wall-clock time of a zone. */
export const instantAt = (timezone: string, wall: number) => instantOfWall(zoneOf(timezone), wall)
