/** The fields of a practice's records as the bodies and queries of requests have them: bounds, defaults, null. Rule 2.2.12. */
import { expect, test } from "bun:test"
import { Either, Schema } from "effect"
import { DoctorSettingBody } from "../../src/capabilities/shared/schemas/DoctorSetting.ts"
import { faultsOfError } from "../../src/schemas/faults.ts"
import { AppointmentQuery } from "../../src/schemas/scheduling/AppointmentQuery.ts"
import { AppointmentTypeChanges, NewAppointmentType } from "../../src/schemas/scheduling/AppointmentType.ts"
import { AvailabilityRuleChanges, NewAvailabilityRule } from "../../src/schemas/scheduling/Availability.ts"
import { DateOverrideChanges, DateOverrideQuery, NewDateOverride } from "../../src/schemas/scheduling/DateOverride.ts"
import { NewReminder, ReminderChanges } from "../../src/schemas/scheduling/Reminder.ts"
import { NewResource, ResourceChanges } from "../../src/schemas/scheduling/Resource.ts"
import { CONSULTATION, DAY } from "../support/practice.ts"

type Body = Readonly<Record<string, unknown>>

/** Valid values including the bounds, invalid ones, and the default. */
interface Field {
  readonly accepts: ReadonlyArray<unknown>
  readonly refuses: ReadonlyArray<unknown>
  /** If omitted, the field is required. */
  readonly default?: unknown
}

/** What is read from a body, or its faults. */
const reading = (schema: Schema.Schema.AnyNoContext) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (sent: unknown): Body | ReadonlyArray<string> =>
    Either.match(decode(sent), { onLeft: (error) => faultsOfError(error), onRight: (value: Body) => value })
}
const isFault = (read: Body | ReadonlyArray<string>): read is ReadonlyArray<string> => Array.isArray(read)
/** Of faults their fields, else the read value of one field. */
const seen = (read: Body | ReadonlyArray<string>, name: string): unknown =>
  isFault(read) ? read.map((fault) => fault.split(":")[0]) : { [name]: read[name] }

const NOT_A_NUMBER = ["1", 1.5, true, [], {}, Number.MAX_SAFE_INTEGER + 1]
const NOT_TEXT = [1, true, [], {}, "with \u0000 in it"]
const flag = (value: boolean): Field => ({ accepts: [true, false], refuses: ["true", 1, [], {}], default: value })
const from = (min: number, max: number, more: Partial<Field> = {}): Field => ({
  accepts: [min, min + 1, max - 1, max],
  refuses: [min - 1, max + 1, ...NOT_A_NUMBER],
  ...more
})
const minutes = from(0, 52_560_000, { default: 0 })
const words = (...accepts: ReadonlyArray<string>): Field => ({
  accepts,
  refuses: ["", accepts.join().toLowerCase(), "other", ...NOT_TEXT]
})
const name: Field = {
  accepts: ["a", "ä".repeat(255), "🩺".repeat(255)],
  refuses: ["", "  ", "a".repeat(256), ...NOT_TEXT]
}
const uidOrNull: Field = { accepts: ["uid", null], refuses: [1, true, [], {}], default: null }
const LATEST = 253_402_300_799
const bound: Field = { ...from(0, LATEST, { default: null }), accepts: [0, LATEST, null] }
const LATEST_DATE = 253_402_214_400
const translated = (language: string, texts: Body = {}) => ({
  language,
  name: null,
  description: null,
  preparation: null,
  cancellation_rule: null,
  price: null,
  ...texts
})
const languages = (count: number) =>
  Array.from({ length: count }, (_, i) => translated(`x${String.fromCharCode(97 + i)}`))

const records: ReadonlyArray<
  readonly [
    what: string,
    create: Schema.Schema.AnyNoContext,
    update: Schema.Schema.AnyNoContext | undefined,
    body: Body,
    fields: Readonly<Record<string, Field>>
  ]
> = [
  [
    "an appointment type",
    NewAppointmentType,
    AppointmentTypeChanges,
    { name: "First visit", ...CONSULTATION },
    {
      name,
      meeting_type: words("CONSULTATION", "FOLLOW_UP", "INITIAL", "REVIEW", "ON_DEMAND"),
      duration_minutes: from(1, 1440),
      hold_ttl_seconds: from(1, 86_400),
      booking_min_notice_minutes: minutes,
      cancellation_min_notice_minutes: minutes,
      rebooking_min_notice_minutes: minutes,
      room_strategy: words("persistent_per_provider", "per_appointment"),
      rebooking_mode: words("same_doctor_only", "any_doctor_same_organisation"),
      doctor_assignment_mode: {
        ...words("all_available_doctors", "selected_doctors_only"),
        default: "all_available_doctors"
      },
      doctor_choice: { ...words("any", "patient"), default: "any" },
      allow_patient_rebooking: flag(false),
      translations: {
        accepts: [
          [translated("tr", { name: "Muayene" })],
          [translated("en", { price: "Free" }), translated("en-US", { preparation: "Come early" })],
          languages(20)
        ],
        refuses: [languages(21), "tr", 1, {}],
        default: []
      },
      buffer_before_minutes: from(0, 240, { default: 0 }),
      buffer_after_minutes: from(0, 240, { default: 0 }),
      slot_step_minutes: { ...from(5, 240), accepts: [5, 240, null], default: null },
      closed_on_holidays: flag(true),
      seats: from(1, 200, { default: 1 }),
      formats: {
        accepts: [["DIGITAL"], ["IN_PERSON"], ["IN_PERSON", "DIGITAL"]],
        refuses: [[], ["DIGITAL", "DIGITAL"], "DIGITAL"],
        default: ["DIGITAL", "IN_PERSON"]
      },
      active: flag(true)
    }
  ],
  [
    "an availability rule",
    NewAvailabilityRule,
    AvailabilityRuleChanges,
    { weekday: 0, start_time: 540, end_time: 720 },
    {
      weekday: from(0, 6),
      start_time: { accepts: [0, 1, 719], refuses: [-1, "1", 1.5, true] },
      end_time: { accepts: [541, 1439, 1440], refuses: [-1, 1441, "1", 1.5, true] },
      buffer_minutes: minutes,
      valid_from: bound,
      valid_until: bound,
      active: flag(true),
      appointment_type_uid: uidOrNull
    }
  ],
  [
    "a date override",
    NewDateOverride,
    DateOverrideChanges,
    { date: DAY, start_time: 540, end_time: 720 },
    {
      date: { accepts: [0, DAY, LATEST_DATE], refuses: [-DAY, 1, DAY - 1, DAY + 1, LATEST_DATE + DAY, "0", true] },
      start_time: { accepts: [0, 1, 719], refuses: [-1, "1", 1.5, true, null] },
      end_time: { accepts: [541, 1439, 1440], refuses: [-1, 1441, "1", 1.5, true, null] },
      buffer_minutes: minutes,
      appointment_type_uid: uidOrNull
    }
  ],
  [
    "a reminder",
    NewReminder,
    ReminderChanges,
    { recipient_role: "patient", minutes_before: 60 },
    {
      recipient_role: words("patient", "doctor", "admin"),
      minutes_before: from(1, 86_400),
      send_email: flag(false),
      send_sms: flag(false),
      active: flag(true)
    }
  ],
  [
    "a resource",
    NewResource,
    ResourceChanges,
    { kind: "room", name: "Room 1" },
    {
      kind: words("room", "device", "person"),
      name,
      site: { accepts: ["Main Street 1", null], refuses: ["", "x".repeat(256), ...NOT_TEXT], default: null },
      always_available: flag(true),
      active: flag(true)
    }
  ],
  [
    "a doctor's setting",
    DoctorSettingBody,
    undefined,
    {},
    { active: flag(true), booking_min_notice_minutes: { ...minutes, accepts: [0, 52_560_000, null], default: null } }
  ]
]

/** Null in these is absence, whatever the field; Rules 7.5.2 and 7.6.2. */
const onlyFlagsClear: ReadonlyArray<unknown> = [AvailabilityRuleChanges, DateOverrideChanges]

test.each(records)("each field of %s has its bounds and default on create, and is changed alone", (_, ...record) => {
  const [creating, updating, body, fields] = record
  const create = reading(creating)
  const update = updating === undefined ? undefined : reading(updating)
  const found: Array<unknown> = []
  const expected: Array<unknown> = []
  const compare = (what: string, value: unknown, read: unknown, wanted: unknown) => {
    found.push([what, value, read])
    expected.push([what, value, wanted])
  }
  const created = (name: string, value: unknown, wanted: unknown) =>
    compare("create", value, seen(create({ ...body, [name]: value }), name), wanted)
  const updated = (name: string, value: unknown, wanted: unknown) => {
    if (update === undefined) return
    const read = update({ [name]: value })
    const isKept = value === null && onlyFlagsClear.includes(updating)
    compare("update", value, isFault(read) ? seen(read, name) : read, isKept ? {} : wanted)
  }
  for (const [name, field] of Object.entries(fields)) {
    for (const value of field.accepts) {
      created(name, value, { [name]: value })
      updated(name, value, { [name]: value })
    }
    for (const value of field.refuses) {
      created(name, value, [name])
      updated(name, value, [name])
    }
    const ofAbsence = "default" in field ? { [name]: field.default } : [name]
    const { [name]: _, ...without } = body
    compare("left out", undefined, seen(create(without), name), ofAbsence)
    if (![...field.accepts, ...field.refuses].includes(null)) {
      created(name, null, ofAbsence)
      updated(name, null, {})
    }
  }
  if (update !== undefined) compare("no change", {}, update({}), {})
  expect(found).toEqual(expected)
})

const A_TYPE = { name: "First visit", ...CONSULTATION }
const OVERRIDE = { date: DAY, start_time: 540, end_time: 720 }
const RULE = { weekday: 0, start_time: 540, end_time: 720 }
const tr = { language: "tr" }
const requires = (one: Body) => ({ requirements: [one] })
const limits = (one: Body) => ({ limits: [one] })
const bothTypes = { appointment_type_uid: "a", clear_appointment_type: true }

/** Bodies with several faults, with faults below a field or across fields: each with all of them. */
const refused: ReadonlyArray<
  readonly [Schema.Schema.AnyNoContext, ReadonlyArray<readonly [Body, ...faults: ReadonlyArray<string>]>]
> = [
  [
    NewAppointmentType,
    [
      [
        { ...CONSULTATION, duration_minutes: 0, active: "yes", room_strategy: undefined },
        "name: is required",
        "duration_minutes: must be an integer from 1 to 1440",
        'room_strategy: must be "persistent_per_provider" or "per_appointment"',
        "active: must be true or false"
      ],
      [{ ...A_TYPE, translations: [tr, tr] }, "translations[1].language: is there already"]
    ]
  ],
  [
    AppointmentTypeChanges,
    [
      [
        { translations: [{ language: "Turkish", name: "a".repeat(256), price: "a".repeat(2_001) }] },
        "translations[0].language: must be a language tag such as de or pt-BR",
        "translations[0].name: must be text of 1 to 255 characters",
        "translations[0].price: must be text of at most 2000 characters"
      ],
      [
        requires({ resource_uids: ["a"], doctor_uids: ["a"] }),
        "requirements[0].resource_uids: cannot be sent together with doctor_uids"
      ],
      [requires({ count: 1 }), "requirements[0].resource_uids: is required, or doctor_uids"],
      [requires({ resource_uids: [] }), "requirements[0].resource_uids: must have at least one entry"],
      [
        requires({ resource_uids: ["a"], count: 2 }),
        "requirements[0].count: cannot be more than the 1 of resource_uids"
      ],
      [requires({ doctor_uids: ["a", "a"] }), "requirements[0].doctor_uids: must not name the same one twice"],
      [{ requirements: Array(6).fill({ resource_uids: ["a"] }) }, "requirements: must have at most 5 entries"],
      [limits({ per: "year", max: 1 }), 'limits[0].per: must be "day" or "week" or "month"'],
      [limits({ per: "week", max: 0 }), "limits[0].max: must be an integer from 1 to 10000"],
      [limits({ per: "week", max: 10_001 }), "limits[0].max: must be an integer from 1 to 10000"],
      [limits({ per: "week", max: 1, scope: "room" }), 'limits[0].scope: must be "doctor" or "organisation" or null'],
      [{ limits: Array(6).fill({ per: "day", max: 1 }) }, "limits: must have at most 5 entries"]
    ]
  ],
  [
    NewAvailabilityRule,
    [
      [{ ...RULE, start_time: 720 }, "end_time: must be after start_time"],
      [
        { ...RULE, start_time: 1441 },
        "start_time: must be an integer from 0 to 1440",
        "end_time: must be after start_time"
      ],
      [
        { weekday: 9, start_time: 600, end_time: 540, valid_from: 5, valid_until: 5 },
        "weekday: must be an integer from 0 to 6",
        "end_time: must be after start_time",
        "valid_until: must be after valid_from"
      ]
    ]
  ],
  [
    AvailabilityRuleChanges,
    [
      [
        { valid_from: 1, valid_until: 2, clear_valid_from: true, clear_valid_until: true, ...bothTypes },
        "clear_valid_from: cannot be sent together with valid_from",
        "clear_valid_until: cannot be sent together with valid_until",
        "clear_appointment_type: cannot be sent together with appointment_type_uid"
      ],
      [{ clear_valid_from: 1 }, "clear_valid_from: must be true or false"]
    ]
  ],
  [
    NewDateOverride,
    [
      [{ ...OVERRIDE, day_off: 1 }, "day_off: must be true or false"],
      [
        { date: 0, day_off: null },
        "start_time: is required unless day_off is true",
        "end_time: is required unless day_off is true"
      ],
      [{ date: 0, start_time: 540 }, "end_time: is required unless day_off is true"],
      [{ ...OVERRIDE, end_time: 540 }, "end_time: must be after start_time"],
      [
        { ...OVERRIDE, day_off: true },
        "start_time: must be left out when day_off is true",
        "end_time: must be left out when day_off is true"
      ]
    ]
  ],
  [
    DateOverrideChanges,
    [
      [{ day_off: true, end_time: 600 }, "end_time: must be left out when day_off is true"],
      [bothTypes, "clear_appointment_type: cannot be sent together with appointment_type_uid"]
    ]
  ]
]

test("every fault of a body is reported, at its field", () => {
  const read = refused.flatMap(([schema, rows]) => rows.map(([body]) => [body, ...[reading(schema)(body)].flat()]))
  expect(read).toEqual(refused.flatMap(([, rows]) => rows))
})

test("a query with an invalid parameter is refused at it", () => {
  const inBoth = ["limit=0", "limit=-1", "limit=1.5", "limit=many", "limit=9007199254740992", "page=-1", "page=1000001"]
  const rows: ReadonlyArray<readonly [Schema.Schema.AnyNoContext, ReadonlyArray<string>]> = [
    [DateOverrideQuery, ["from=1", "to=86401", "from=-86400", "from=abc", "from=", "to=86400&from=172800"]],
    [AppointmentQuery, ["page=", "status=HELD", "status=", "from=-1", "from=tomorrow", "from=253402300800", "to=-1"]],
    [AppointmentQuery, ["to=100&from=100", "to=99&from=100"]]
  ]
  const asked = rows.flatMap(([schema, queries]) => [...inBoth, ...queries].map((query) => [schema, query] as const))
  const faults = asked.map(([schema, query]) => {
    const sent = Object.fromEntries(new URLSearchParams(query))
    return [query, seen(reading(schema)(sent), "")]
  })
  expect(faults).toEqual(asked.map(([, query]) => [query, [query.split("=")[0]]]))
})

test("a name is trimmed and normalised, a day off may have times that are null", () => {
  expect(reading(NewResource)({ kind: "room", name: "  A\u0308rztezimmer " })).toMatchObject({ name: "Ärztezimmer" })
  const off = { date: DAY, day_off: true, start_time: null, end_time: null }
  expect(reading(NewDateOverride)(off)).toMatchObject(off)
})
