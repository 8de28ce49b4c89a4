/** What `import` brings over from other programs, and that twice is the same as once. */
import { afterAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { commandLine } from "../../support/cli.ts"
import { temporaryFolder } from "../../support/processes.ts"
import { testServer } from "../../support/server.ts"
import { DAY, makeWorld, random } from "../../support/world.ts"
import { dumpOf, type Tables } from "./easyAppointmentsDump.ts"

const folder = temporaryFolder()
const server = testServer()
afterAll(folder.remove)

type World = Awaited<ReturnType<typeof makeWorld>>

/** Imports a file into the world's organisation: with `--apply` unless only compared. */
const importer = (world: World, source: string, content: string | Uint8Array) => {
  const file = join(folder.path, random("source"))
  writeFileSync(file, content)
  const run = (...more: ReadonlyArray<string>) =>
    commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: folder.path })(
      ...["import", source, file, "--organisation", world.organisation_uid, ...more]
    )
  return run
}

const practice = () => makeWorld(server.current, { doctors: 1 })
const Listed = Schema.Struct({ data: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Any })) })
const read = async (world: World, path: string) => {
  const { status, body } = await world.api("GET", `/v1/management/${path}`)
  expect(status).toBe(200)
  return Schema.decodeUnknownSync(Listed)(body).data
}
/** The first record with this name. */
const named = (all: Awaited<ReturnType<typeof read>>, name: string) => {
  const found = all.find((one) => one.name === name || one.display_name === name)
  if (found === undefined) throw new Error(`${name} is not there`)
  return found
}

/** The date in Berlin `days` from now, and a time on it as MySQL has it. */
const dateIn = (days: number) =>
  new Date(Date.now() + days * DAY * 1000).toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" })
const weekdayOf = (date: string) => (new Date(date).getUTCDay() + 6) % 7
const berlin = (date: string, time: string) => {
  const utc = Date.parse(`${date}T${time}:00Z`)
  const wall = Date.parse(`${new Date(utc).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" }).replace(" ", "T")}Z`)
  return (utc - (wall - utc)) / 1000
}

const HOURS = { start: "09:00", end: "17:00", breaks: [{ start: "12:00", end: "13:00" }] }
const WEEK = {
  monday: HOURS,
  tuesday: HOURS,
  wednesday: HOURS,
  thursday: HOURS,
  friday: HOURS,
  saturday: HOURS,
  sunday: HOURS
}

const tables = (mail: string, more: Tables = {}): Tables => ({
  roles: [
    [1, "Administrator", "admin"],
    [2, "Provider", "provider"],
    [3, "Customer", "customer"]
  ],
  settings: [[1, "book_advance_timeout", "30"]],
  services: [
    [
      1,
      'Sprechstunde; "lang"',
      30,
      "49.50",
      "EUR",
      "Zeile eins\nZeile 'zwei'",
      "#7cbae8",
      "Raum 2",
      "flexible",
      1,
      0,
      null
    ],
    [2, "Gruppe", 60, "0.00", "", "", "", "", "fixed", 8, 0, null],
    [3, "Privat", 15, "0.00", "", "", "", "", "fixed", 1, 1, null]
  ],
  services_providers: [
    [2, 1],
    [2, 2]
  ],
  users: [
    [1, "Ada", "Admin", `admin-${mail}`, "", "", "", "", "", "", "UTC", "english", null, 1],
    [
      2,
      "Dr. Paula",
      "Provider",
      `doctor-${mail}`,
      "",
      "+49 30 1234567",
      "",
      "",
      "",
      "",
      "Europe/Berlin",
      "german",
      null,
      2
    ],
    [
      3,
      "Karl",
      "O'Kunde",
      mail,
      "",
      "030 7654321",
      "Weg 1",
      "Berlin",
      "10115",
      "mag's ruhig",
      "UTC",
      "german",
      "AB+",
      3
    ],
    [4, "Kim", "Ohne Mail", "keine", "", "", "", "", "", "", "UTC", "english", null, 3]
  ],
  user_settings: [
    [
      ...[2, "paula", "secret"],
      ...[
        JSON.stringify({ ...WEEK, sunday: null }),
        JSON.stringify({ [dateIn(20)]: null, [dateIn(21)]: { ...HOURS, end: "11:00", breaks: [] } })
      ]
    ]
  ],
  appointments: [
    [
      1,
      "2026-01-01 10:00:00",
      `${dateIn(10)} 10:00:00`,
      `${dateIn(10)} 10:30:00`,
      "Husten",
      "h1",
      "Booked",
      0,
      2,
      3,
      1
    ],
    [2, "2020-01-01 10:00:00", "2020-01-06 10:00:00", "2020-01-06 10:30:00", "", "h2", "", 0, 2, 3, 1],
    [3, "2026-01-01 10:00:00", `${dateIn(10)} 10:15:00`, `${dateIn(10)} 10:45:00`, "", "h3", "", 0, 2, 4, 1],
    [4, "2026-01-01 10:00:00", `${dateIn(12)} 10:00:00`, `${dateIn(12)} 10:30:00`, "", "h4", "Cancelled", 0, 2, 3, 1],
    [5, "2026-01-01 10:00:00", `${dateIn(30)} 00:00:00`, `${dateIn(31)} 23:59:00`, "", "", "", 1, 2, null, null],
    [6, "2026-01-01 10:00:00", `${dateIn(35)} 14:00:00`, `${dateIn(35)} 15:00:00`, "", "", "", 1, 2, null, null]
  ],
  blocked_periods: [[1, "Feiertag", `${dateIn(40)} 00:00:00`, `${dateIn(40)} 23:59:00`]],
  webhooks: [[1, "https://example.org"]],
  ...more
})

describe("easyappointments", () => {
  test("brings types, doctors, hours, days off, patients and future appointments, and lists what has no counterpart", async () => {
    const world = await practice()
    const mail = `${random("karl")}@example.org`
    const run = importer(world, "easyappointments", dumpOf(tables(mail)))
    const before = await read(world, "scheduling/doctors")
    const shown = await run()
    expect(shown.status).toBe(0)
    expect(shown.last).toContain("Nothing has been changed: add --apply.")
    expect(await read(world, "scheduling/doctors")).toEqual(before)

    const applied = await run("--apply")
    expect([applied.status, applied.last]).toEqual([0, expect.stringContaining("Applied.")])
    for (const said of [
      "services 1: color",
      "services 1: location",
      "services 3: is private",
      "users 1: is admin",
      "users 3: notes",
      "users 3: custom_field_1",
      "users 4: email cannot be used",
      "appointments 4: status Cancelled",
      "ea_webhooks: 1 rows have no counterpart"
    ])
      expect(applied.out).toContain(said)
    expect(applied.out).toMatch(/appointments 3 \(appointments\): start_date: overlaps/)
    expect(applied.out).toContain("1 past appointments")
    expect(applied.out).not.toContain("O'Kunde")

    const types = await read(world, "scheduling/appointment-types?active=true")
    expect(named(types, 'Sprechstunde; "lang"')).toMatchObject({
      duration_minutes: 30,
      price: "49.50 EUR",
      description: "Zeile eins\nZeile 'zwei'",
      slot_step_minutes: 15,
      booking_min_notice_minutes: 30,
      formats: ["IN_PERSON"],
      doctor_assignment_mode: "selected_doctors_only"
    })
    expect(named(types, "Gruppe")).toMatchObject({ seats: 8, slot_step_minutes: null })

    const doctors = await read(world, "scheduling/doctors")
    const doctor = named(doctors, "Dr. Paula Provider")
    expect(doctor).toMatchObject({ timezone: "Europe/Berlin" })
    const rules = await read(world, `scheduling/doctors/${doctor.uid}/availability-rules`)
    expect(rules.length).toBe(12)
    const days = await read(
      world,
      `scheduling/doctors/${doctor.uid}/availability-date-overrides?to=${Date.parse(dateIn(60)) / 1000}`
    )
    const on = (date: string) =>
      days
        .filter((one) => one.date === Date.parse(date) / 1000)
        .map(({ start_time, end_time }) => [start_time, end_time])
    const unlessSunday = (date: string, windows: unknown) => (weekdayOf(date) === 6 ? [] : windows)
    expect(on(dateIn(20))).toEqual(unlessSunday(dateIn(20), [[null, null]]))
    expect(on(dateIn(21))).toEqual([[540, 660]])
    for (const days of [30, 31, 40]) expect(on(dateIn(days))).toEqual(unlessSunday(dateIn(days), [[null, null]]))
    expect(on(dateIn(35))).toEqual(
      unlessSunday(dateIn(35), [
        [540, 720],
        [780, 840],
        [900, 1020]
      ])
    )

    const patients = await read(world, `patients?email=${mail}`)
    expect(patients[0]?.profile).toEqual({
      ...{ first_name: "Karl", last_name: "O'Kunde", email: mail, phone: "030 7654321", language: "de" },
      ...{ street: "Weg 1", city: "Berlin", zip: "10115" }
    })
    const appointments = await read(world, `scheduling/appointments?patient_uid=${patients[0]?.uid}`)
    expect(appointments).toMatchObject([
      { start_date: berlin(dateIn(10), "10:00"), status: "confirmed", visit_reason: "Husten", doctor_uid: doctor.uid }
    ])
    expect(
      await server.current
        .sql`SELECT count(*)::int AS n FROM messages WHERE organisation_uid = ${world.organisation_uid}`
    ).toEqual([{ n: 0 }])

    const again = await run("--apply")
    expect([again.status, again.last]).toEqual([0, expect.stringMatching(/^0 changes/)])
  })

  test("reads phpMyAdmin's dumps the same, and lists what was moved or cancelled since", async () => {
    const world = await practice()
    const mail = `${random("karl")}@example.org`
    expect((await importer(world, "easyappointments", dumpOf(tables(mail)))("--apply")).status).toBe(0)
    const same = await importer(world, "easyappointments", dumpOf(tables(mail), true))()
    expect(same.last).toMatch(/^0 changes/)
    const [first = [], ...others] = tables(mail).appointments ?? []
    const at = (date: string, status: string) => [
      ...first.slice(0, 2),
      `${date} 11:00:00`,
      `${date} 11:30:00`,
      "",
      "h1",
      status,
      ...first.slice(7)
    ]
    const moved = dumpOf(tables(mail, { appointments: [at(dateIn(11), ""), ...others] }))
    expect((await importer(world, "easyappointments", moved)("--apply")).out).toContain(
      "appointments 1: was moved there; move it here"
    )
    const cancelled = dumpOf(tables(mail, { appointments: [at(dateIn(11), "Cancelled"), ...others] }))
    expect((await importer(world, "easyappointments", cancelled)()).out).toContain(
      "appointments 1: was cancelled there; cancel it here"
    )
  })

  test("refuses a file that is no dump, with status 1", async () => {
    const { status, last } = await importer(await practice(), "easyappointments", "CREATE TABLE x (\n`a` int\n);")()
    expect([status, last]).toEqual([1, expect.stringContaining("no SQL dump of Easy!Appointments")])
  })
})

const calCom = (mail: string, change: (body: CalCom) => void = () => undefined) => {
  const utc = (days: number, time: string) => `${dateIn(days)}T${time}:00.000Z`
  const booking = (uid: string, days: number, more: object = {}) => ({
    ...{ id: 1, uid, title: "x", status: "accepted", hosts: [{ id: 1, name: "Dr. Cal", email: `cal-${mail}` }] },
    ...{ start: utc(days, "10:00"), end: utc(days, "10:30"), eventTypeId: 11, location: "integrations:daily" },
    attendees: [
      { name: "Erika Muster", email: mail, timeZone: "Europe/Berlin", language: "de", phoneNumber: "+49301234" }
    ],
    guests: [],
    bookingFieldsResponses: { name: "Erika Muster", email: mail, notes: "Rücken", insurance: "AOK" },
    ...more
  })
  const type = {
    lengthInMinutes: 30,
    description: "",
    users: [],
    metadata: {},
    minimumBookingNotice: 120,
    hidden: false
  }
  const body = {
    me: {
      status: "success",
      data: { id: 1, name: "Dr. Cal", email: `cal-${mail}`, timeZone: "Europe/Berlin", defaultScheduleId: 5 }
    },
    "event-types": {
      data: [
        {
          ...type,
          id: 11,
          title: "Video",
          locations: [{ type: "integration", integration: "cal-video" }],
          scheduleId: null
        },
        {
          ...type,
          id: 12,
          title: "Vor Ort",
          locations: [{ type: "address", address: "Weg 1" }, { type: "attendeePhone" }],
          scheduleId: 5
        },
        { ...type, id: 13, title: "Team", locations: [], schedulingType: "roundRobin" },
        { ...type, id: 14, title: "Telefon", locations: [{ type: "phone", phone: "1" }] }
      ] as Array<Record<string, unknown>>
    },
    schedules: {
      data: [
        {
          ...{ id: 5, name: "Arbeit", timeZone: "Europe/Berlin", isDefault: true },
          availability: [{ days: ["Monday", "Friday"], startTime: "08:00", endTime: "12:00" }],
          overrides: [
            { date: dateIn(14), startTime: "00:00", endTime: "00:00" },
            { date: dateIn(15), startTime: "10:00", endTime: "11:00" }
          ]
        }
      ]
    },
    bookings: {
      data: [
        booking("b1", 7),
        booking("b2", -7),
        booking("b3", 8, { status: "pending" }),
        booking("b4", 9, { hosts: [{ email: "other@example.org" }] }),
        booking("b5", 9, { guests: ["guest@example.org"], eventTypeId: 12, location: "Weg 1" })
      ]
    }
  }
  change(body)
  return JSON.stringify(body)
}
type CalCom = { "event-types": { data: Array<Record<string, unknown>> } }

describe("calcom", () => {
  test("brings the account's doctor, types, hours, days off, patients and bookings", async () => {
    const world = await practice()
    const mail = `${random("erika")}@example.org`
    const run = importer(world, "calcom", calCom(mail))
    const applied = await run("--apply")
    expect([applied.status, applied.last]).toEqual([0, expect.stringContaining("Applied.")])
    for (const said of [
      "event-types 12: location attendeePhone",
      "event-types 13: belongs to a team: it does not come",
      "event-types 14: has no place that there is here",
      "bookings b3: waits to be confirmed",
      "bookings b4: has another host",
      "bookings b5: 1 guests",
      "bookings b1: insurance",
      "1 past appointments"
    ])
      expect(applied.out).toContain(said)
    const doctors = await read(world, "scheduling/doctors")
    const doctor = named(doctors, "Dr. Cal")
    const rules = await read(world, `scheduling/doctors/${doctor.uid}/availability-rules`)
    expect(rules.map((one) => [one.weekday, one.appointment_type_uid])).toEqual([
      [0, null],
      [4, null]
    ])
    const days = await read(world, `scheduling/doctors/${doctor.uid}/availability-date-overrides`)
    expect(days).toMatchObject([{ start_time: null }, { start_time: 600, end_time: 660 }])
    const types = await read(world, "scheduling/appointment-types")
    const formatsOf = (name: string) => types.find((one) => one.name === name)?.formats
    expect([formatsOf("Video"), formatsOf("Vor Ort"), formatsOf("Team")]).toEqual([
      ["DIGITAL"],
      ["IN_PERSON"],
      undefined
    ])
    const patients = await read(world, `patients?email=${mail}`)
    expect(patients[0]?.profile).toEqual({ last_name: "Erika Muster", email: mail, phone: "+49301234", language: "de" })
    const appointments = await read(world, `scheduling/appointments?patient_uid=${patients[0]?.uid}`)
    expect(appointments.map((one) => one.meeting_format).sort()).toEqual(["DIGITAL", "IN_PERSON"])
    expect((await run("--apply")).last).toMatch(/^0 changes/)
  })

  test("gives each type its hours where schedules differ", async () => {
    const world = await practice()
    const mail = `${random("erika")}@example.org`
    const other = {
      id: 6,
      name: "Abend",
      timeZone: "Europe/Berlin",
      availability: [{ days: ["Monday"], startTime: "18:00", endTime: "20:00" }],
      overrides: []
    }
    const content = calCom(mail, (body) => {
      Object.assign(body["event-types"].data[1] ?? {}, { scheduleId: 6 })
      Object.assign(body, { schedules: { data: [...JSON.parse(calCom(mail)).schedules.data, other] } })
    })
    expect((await importer(world, "calcom", content)("--apply")).status).toBe(0)
    const doctors = await read(world, "scheduling/doctors")
    const doctor = named(doctors, "Dr. Cal")
    const rules = await read(world, `scheduling/doctors/${doctor.uid}/availability-rules`)
    const scoped = rules.map((one) => [one.start_time, one.appointment_type_uid?.slice(-2)])
    expect(scoped).toEqual([
      [480, "11"],
      [1080, "12"],
      [480, "11"]
    ])
  })

  test("refuses a file without the bodies, with status 1", async () => {
    const { status, said } = await importer(await practice(), "calcom", '{"me": {}}')()
    expect([status, said]).toEqual([1, expect.stringContaining("sends: me.data is missing. Nothing was changed")])
  })
})

describe("csv", () => {
  const number = () => random("K").slice(0, 12)

  test("brings patients in Windows-1252 with German columns, and absent columns clear nothing", async () => {
    const world = await practice()
    const [one, two] = [number(), number()]
    const text = `Kundennummer;Vorname;Nachname;E-Mail;Telefon;Geburtsdatum;Straße;PLZ;Ort;Blutgruppe\r\n${one};"Jörg ""J""";Müller;${one}@example.org;030 123456;24.12.1980;Weg 1;01067;Dresden;A\r\n${two};Eva;;kaputt;;31.02.1980;;;;\r\n;Ohne;Alles;;;;;;;\r\n`
    const bytes = Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
    const run = importer(world, "csv", bytes)
    const applied = await run("--apply")
    expect(applied.status).toBe(0)
    for (const said of [
      "column Blutgruppe: has no counterpart",
      "line 3: email cannot be used",
      "line 3: date_of_birth cannot be used",
      "line 4: has neither customer number nor mail address",
      "2 changes (2 new), 4 lines left out."
    ])
      expect(applied.out).toContain(said)
    const patient = async () => (await read(world, `patients?shop_customer_id=${one}`))[0]?.profile
    const whole = {
      ...{ first_name: 'Jörg "J"', last_name: "Müller", email: `${one}@example.org`, phone: "030 123456" },
      ...{ date_of_birth: "1980-12-24", street: "Weg 1", zip: "01067", city: "Dresden" }
    }
    expect(await patient()).toEqual(whole)
    expect((await run("--apply")).last).toMatch(/^0 changes/)
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`customer_number,city,street\n${one},Köln,\n`, "utf16le")
    ])
    expect((await importer(world, "csv", utf16)("--apply")).last).toMatch(/^1 changes \(0 new\)/)
    const { street: _, ...rest } = whole
    expect(await patient()).toEqual({ ...rest, city: "Köln" })
  })

  test("brings appointments with doctor and type by name", async () => {
    const world = await practice()
    const one = number()
    const doctor = `Dr. ${world.doctors[0]}`
    const rows = [
      `${one};${dateIn(9).split("-").reverse().join(".")};9:30;20 Min;${doctor};Consultation`,
      `${one};${dateIn(9)};09:40;;${doctor};`,
      `${one};${dateIn(9)};11:00;15;Dr. Niemand;Consultation`,
      `${one};12/24/2030;11:00;15;${doctor};Consultation`,
      `${one};2020-01-01;11:00;15;${doctor};Consultation`
    ]
    const run = importer(world, "csv", `Kundennummer;Datum;Uhrzeit;Dauer;Arzt;Terminart\n${rows.join("\n")}\n`)
    const applied = await run("--apply")
    for (const said of [
      "line 3: date, time or duration cannot be read",
      "line 4: doctor Dr. Niemand: not here",
      "line 5: date, time or duration cannot be read",
      "1 past appointments",
      "2 changes (2 new)"
    ])
      expect(applied.out).toContain(said)
    const [patient] = await read(world, `patients?shop_customer_id=${one}`)
    const appointments = await read(world, `scheduling/appointments?patient_uid=${patient?.uid}`)
    const start = Date.parse(`${dateIn(9)}T09:30:00Z`) / 1000
    expect(appointments).toMatchObject([
      { start_date: start, end_date: start + 1200, appointment_type_uid: world.type_uid }
    ])
    expect((await run("--apply")).last).toMatch(/^0 changes/)
  })

  test("refuses a file without a known column, and needs a shop where there are several", async () => {
    const world = await practice()
    const unknown = await importer(world, "csv", "a,b\n1,2\n")()
    expect([unknown.status, unknown.said]).toEqual([1, expect.stringContaining("names no column that is known")])
    const shop = random("shop")
    await world.provision({ shops: [{ uid: shop, shop_identifier: shop, organisation_uid: world.organisation_uid }] })
    const run = importer(world, "csv", "Kundennummer\n1\n")
    const needed = await run()
    expect([needed.status, needed.said]).toEqual([1, expect.stringContaining("--shop")])
    expect((await run("--shop", shop)).status).toBe(0)
  })
})

describe("ics", () => {
  test("brings the appointments of a doctor: single ones, and series with their exceptions", async () => {
    const world = await practice()
    const doctor = world.doctors[0] ?? ""
    const mail = `${random("ida")}@example.org`
    const at = (days: number, time: string) => `${dateIn(days).replaceAll("-", "")}T${time}00`
    const attendee = (address: string) => `ATTENDEE;CN="Ida Ics";ROLE=REQ-PARTICIPANT:mailto:\r\n ${address}`
    const event = (uid: string, start: string, end: string, ...lines: ReadonlyArray<string>) =>
      [
        "BEGIN:VEVENT",
        `UID:${uid}`,
        `DTSTART;TZID=Europe/Berlin:${start}`,
        `DTEND;TZID=Europe/Berlin:${end}`,
        ...lines,
        "END:VEVENT"
      ].join("\r\n")
    const wholeDay = (uid: string, date: string) =>
      [
        "BEGIN:VEVENT",
        `UID:${uid}`,
        `DTSTART;VALUE=DATE:${date.replaceAll("-", "")}`,
        attendee(mail),
        "END:VEVENT"
      ].join("\r\n")
    const content = [
      "BEGIN:VCALENDAR",
      event("one", at(5, "1000"), at(5, "1030"), attendee(mail), `ATTENDEE:mailto:${doctor}@example.org`),
      event(
        "series",
        at(6, "0900"),
        at(6, "0930"),
        "RRULE:FREQ=WEEKLY;COUNT=3",
        `EXDATE;TZID=Europe/Berlin:${at(13, "0900")}`,
        attendee(mail)
      ),
      event("alone", at(7, "1000"), at(7, "1030")),
      event("many", at(8, "1000"), at(8, "1030"), attendee(mail), attendee("other@example.org")),
      event("gone", at(9, "1000"), at(9, "1030"), attendee(mail), "STATUS:CANCELLED"),
      event("free", at(9, "1000"), at(9, "1030"), attendee(mail), "TRANSP:TRANSPARENT"),
      ...[9, 90].map((days) => wholeDay(`day${days}`, dateIn(days))),
      wholeDay("longAgo", "2020-01-01"),
      "END:VCALENDAR"
    ].join("\r\n")
    const run = importer(world, "ics", content)
    const applied = await run("--doctor", doctor, "--apply")
    for (const said of [
      "(alone): has no attendee but the doctor",
      "(many): has several attendees",
      "(gone): is cancelled",
      "(free): is shown as free",
      "(day9): lasts whole days",
      "(day90): lasts whole days",
      "1 past",
      "4 changes (4 new)"
    ])
      expect(applied.out).toContain(said)
    const [patient] = await read(world, `patients?email=${mail}`)
    expect(patient?.profile).toEqual({ last_name: "Ida Ics", email: mail })
    const appointments = await read(world, `scheduling/appointments?patient_uid=${patient?.uid}`)
    const starts = appointments.map((one) => one.start_date).sort()
    expect(starts).toEqual([berlin(dateIn(5), "10:00"), berlin(dateIn(6), "09:00"), berlin(dateIn(20), "09:00")])
    expect((await run("--doctor", doctor, "--apply")).last).toMatch(/^0 changes/)
  })

  test("refuses what is no calendar, and a doctor of another organisation", async () => {
    const world = await practice()
    const run = importer(world, "ics", "hello")
    expect((await run("--doctor", world.doctors[0] ?? "")).status).toBe(1)
    expect((await run("--doctor", "doc_nowhere")).said).toContain("has no doctor doc_nowhere")
  })
})

test("the commands of docs/coming-from.md work as written", async () => {
  const world = await practice()
  const mail = `${random("docs")}@example.org`
  const doctor = world.doctors[0] ?? ""
  const files: Readonly<Record<string, string>> = {
    "easyappointments.sql": dumpOf(tables(mail)),
    "calcom.json": calCom(mail),
    "patients.csv": `Kundennummer,Nachname\n${random("K")},Muster\n`,
    "appointments.csv": `E-Mail;Datum;Uhrzeit;Dauer;Arzt\n${mail};${dateIn(50)};10:00;20;Dr. ${doctor}\n`,
    "calendar.ics": "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder.path, name), content)
  const commands = readFileSync("docs/coming-from.md", "utf8").match(/^script\/cli import .*$/gm) ?? []
  expect(commands.length).toBe(9)
  for (const command of commands) {
    const [, ...words] = command.split(" ").map((word) => {
      if (word in files) return join(folder.path, word)
      return word === "org_praxis" ? world.organisation_uid : word === "doc_weber" ? doctor : word
    })
    const { status, last } = await commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: folder.path })(
      ...words
    )
    expect([command, status, last]).toEqual([
      command,
      0,
      expect.stringMatching(command.endsWith("--apply") ? /Applied/ : /add --apply/)
    ])
  }
})
