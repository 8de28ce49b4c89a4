/** Crowds of what practices and hospitals have beside booking: FHIR, calendars kept elsewhere, recalls, the waiting list, many doctors. */
import { arriving, type Crowd, DAY, nextDays, own, random, soon, taking } from "./acting.ts"
import { book, bookingToken, bookOnPage, Caller, type Partner } from "./client.ts"

const MANAGEMENT = "/v1/management"
const SCHEDULING = `${MANAGEMENT}/scheduling`

/** The software of a practice, with its API key. */
const officeOf = (url: string, tally: Caller["tally"], { key }: Partner) =>
  new Caller(url, tally, own(), { "x-api-key": key })

const patientOf = async (office: Caller, { shop_uid }: Partner) => {
  const email = `${random("eva")}@example.org`
  const profile = { first_name: "Eva", last_name: "Muster", email }
  const { body } = await office.ask("POST", `${MANAGEMENT}/patients`, {
    body: { shop_uid, shop_customer_id: random("customer"), profile }
  })
  return { patient_uid: String(body.uid), email }
}

/** A zone in which it is noon: nothing waits for the end of the night. */
const noonZone = () => {
  const ahead = 12 - new Date().getUTCHours()
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`
}

/** A FHIR id of a uid, as the documentation says. */
const fhirId = (uid: string) => uid.replaceAll("_", ".")

// biome-ignore lint/suspicious/noExplicitAny: resources are inspected, not typed
type Resource = any
const resourcesOf = (body: Resource): ReadonlyArray<Resource> =>
  (body.entry ?? []).map(({ resource }: { resource: Resource }) => resource)

const FHIR = "/fhir/r4"
const json = { "content-type": "application/fhir+json" }

const fhirClient: Crowd = {
  name: "a hospital's portal that polls free slots by FHIR, books, moves and cancels",
  size: { bench: 150, test: 4 },
  act: async ({ url, size, tally, practice }) => {
    const hospital = await practice(20)
    const office = officeOf(url, tally, hospital)
    await office.ask("PATCH", `${MANAGEMENT}/organisation`, { body: { fhir: { enabled: true } } })
    await office.ask("GET", `${FHIR}/metadata`)
    const schedules = resourcesOf((await office.ask("GET", `${FHIR}/Schedule?_count=200`)).body)
    const free = async () => {
      const schedule = schedules[Math.floor(Math.random() * schedules.length)]
      const from = new Date(1_000 * (soon() + Math.floor(Math.random() * 10 * DAY))).toISOString()
      const search = `${FHIR}/Slot?schedule=Schedule/${schedule.id}&status=free&start=ge${from}&_count=20`
      return resourcesOf((await office.ask("GET", search)).body)
    }
    const one = async (patient_uid: string, cancelled?: string) => {
      for (let tries = 0; tries < 8; tries++) {
        const found = await free()
        const slot = found[Math.floor(Math.random() * found.length)]
        if (slot === undefined) return tally.refuse("a schedule without a free slot")
        const proposed = {
          resourceType: "Appointment",
          status: "proposed",
          start: slot.start,
          end: slot.end,
          slot: [{ reference: `Slot/${slot.id}` }],
          participant: [{ actor: { reference: `Patient/${fhirId(patient_uid)}` }, status: "accepted" }]
        }
        const parameter = [
          { name: "appt-resource", resource: proposed },
          { name: "cancelled-appt-id", valueUri: `Appointment/${cancelled}` }
        ]
        const { status, body } = await office.ask("POST", `${FHIR}/Appointment/$book`, {
          body: cancelled === undefined ? proposed : { resourceType: "Parameters", parameter },
          headers: json,
          named: [409]
        })
        if (status === 201) return String(body.id)
      }
      return tally.refuse("no slot in eight searches")
    }
    let isDone = false
    const polling = (async () => {
      while (!isDone) {
        await free()
        await office.ask("GET", `${FHIR}/Appointment?_lastUpdated=ge${new Date().toISOString().slice(0, 10)}&_count=50`)
        await Bun.sleep(50)
      }
    })()
    await taking(size, 8, async (index) => {
      const { patient_uid } = await patientOf(office, hospital)
      const booked = await one(patient_uid)
      if (typeof booked !== "string") return
      const moved = index % 4 === 1 ? await one(patient_uid, booked) : booked
      if (typeof moved !== "string" || index % 4 !== 2) return
      const { headers } = await office.ask("GET", `${FHIR}/Appointment/${moved}`)
      await office.ask("PATCH", `${FHIR}/Appointment/${moved}`, {
        body: [
          { op: "replace", path: "/status", value: "cancelled" },
          { op: "add", path: "/cancelationReason", value: { coding: [{ code: "pat" }] } }
        ],
        headers: { "content-type": "application/json-patch+json", "if-match": headers.get("etag") ?? "" }
      })
    })
    isDone = true
    await polling
  }
}

const stamp = (seconds: number) => new Date(1_000 * seconds).toISOString().replace(/[-:]|\.\d+/g, "")
/** A doctor's calendar of a year, with so many times each day. */
const calendarText = (times: number) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...Array.from({ length: 365 * times }, (_, index) => {
      const start = soon() + Math.floor(index / times) * DAY + (index % times) * 3_600
      const event = [`UID:${index}@elsewhere`, `DTSTART:${stamp(start)}`, `DTEND:${stamp(start + 1_800)}`]
      return ["BEGIN:VEVENT", ...event, "SUMMARY:Visite", "END:VEVENT"].join("\r\n")
    }),
    "END:VCALENDAR",
    ""
  ].join("\r\n")

const busyDoctors: Crowd = {
  name: "doctors whose calendars are kept elsewhere, on one server",
  size: { bench: 60, test: 3 },
  act: async ({ url, size, tally, practice, calendar }) => {
    const hospital = await practice(size)
    const office = officeOf(url, tally, hospital)
    const address = calendar(calendarText(3))
    await taking(size, 4, async (index) => {
      const sources = `${SCHEDULING}/doctors/${hospital.doctors[index]}/busy-sources`
      const created = await Promise.all(
        ["Clinic", "Private"].map((name) =>
          office.ask("POST", sources, { body: { kind: "ics", name, url: `${address}?${index}${name}` } })
        )
      )
      for (const { body } of created) {
        let source = body
        for (let polls = 0; source.status === "waiting" && polls < 600; polls++) {
          await Bun.sleep(200)
          source = (await office.ask("GET", `${sources}/${source.uid}`)).body
        }
        if (source.status !== "current") tally.refuse(`a calendar is ${source.status}: ${source.last_error}`)
        await office.ask("POST", `${sources}/${source.uid}/refresh`)
      }
      const customer = random("customer")
      await book(office, hospital, await bookingToken(hospital, customer), nextDays(7))
    })
  }
}

const recalls: Crowd = {
  name: "a practice that recalls its patients, who book by the mail's link",
  size: { bench: 150, test: 3 },
  act: async ({ url, size, tally, practice, mailedTo, minute }) => {
    const clinic = await practice(10)
    const office = officeOf(url, tally, clinic)
    const due_date = new Date(1_000 * (soon() + 10 * DAY)).toISOString().slice(0, 10)
    const patients: Array<Awaited<ReturnType<typeof patientOf>>> = []
    await taking(size, 8, async () => {
      const patient = await patientOf(office, clinic)
      const { patient_uid } = patient
      await office.ask("POST", `${SCHEDULING}/recalls`, {
        body: { patient_uid, appointment_type_uid: clinic.type_uid, due_date, lead_days: 14, message_text: "Kontrolle" }
      })
      patients.push(patient)
    })
    await minute()
    // a waiting room, a carrier and homes
    const address = own()
    await taking(patients.length, 6, async (index) => {
      const phone = new Caller(url, tally, index % 2 === 0 ? address : own())
      const page = await mailedTo(patients[index]?.email ?? "", /\/meet\/recall\/rcl_[\w-]+/)
      await phone.ask("GET", page)
      const action = index % 5 === 4 ? "stop" : "book"
      const { headers } = await phone.ask("POST", page, { form: { action } })
      if (action === "book") await bookOnPage(phone, headers.get("location") ?? "")
    })
    const { body } = await office.ask("GET", `${SCHEDULING}/recalls?status=sent&limit=200`)
    if (body.data?.length !== 0) tally.refuse("a recall that is still open after the booking")
  }
}

const waitingList: Crowd = {
  name: "a waiting list: entries by launch code, offers accepted, declined and passed on",
  size: { bench: 80, test: 4 },
  act: async ({ url, size, tally, practice, mailedTo }) => {
    const clinic = await practice(1, { timezone: noonZone() })
    const office = officeOf(url, tally, clinic)
    const backEnd = new Caller(url, tally, own())
    const [doctor_uid = ""] = clinic.doctors
    const start = Math.ceil((soon() + 3 * DAY) / 3_600) * 3_600
    const times = Array.from({ length: size }, (_, index) => start + 600 * index)
    const [from = 0, to = 0] = [times[0], (times.at(-1) ?? 0) + 1]
    const range = { appointment_type_uid: clinic.type_uid, from, to }
    const full: Array<string> = []
    for (const start_date of times) {
      const { patient_uid } = await patientOf(office, clinic)
      const { body } = await office.ask("POST", `${SCHEDULING}/appointments`, {
        body: {
          shop_uid: clinic.shop_uid,
          patient_uid,
          doctor_uid,
          appointment_type_uid: clinic.type_uid,
          start_date
        }
      })
      full.push(body.uid)
    }
    const waiting: Array<{ readonly code: string; readonly email: string }> = []
    await taking(size, 6, async (index) => {
      const email = `${random("wait")}@example.org`
      const token = await bookingToken(clinic, random(`waiting-${index}`), { fields: { email } })
      const { body } = await backEnd.ask("POST", "/v1/scheduling/booking-sessions", {
        body: { mode: "booking", ...range },
        headers: { "x-service-booking-token": token }
      })
      const code = String(body.booking_launch_code)
      const entry = `/v1/scheduling/booking-sessions/${code}/waitlist-entry`
      await backEnd.ask("POST", entry, { body: { from, to } })
      await backEnd.ask("GET", entry)
      waiting.push({ code, email })
    })
    await taking(full.length, 4, (index) =>
      office.ask("POST", `${SCHEDULING}/appointments/${full[index]}/cancel`, { body: { reason: "Ill" } })
    )
    await taking(waiting.length, 6, async (index) => {
      const { code, email } = waiting[index] ?? { code: "", email: "" }
      const phone = new Caller(url, tally, own())
      const offer = `/v1/scheduling/waitlist-offers/${await mailedTo(email, /wlo_[\w-]+/)}`
      await phone.ask("GET", offer)
      if (index % 3 === 2) await phone.ask("POST", `${offer}/decline`)
      else {
        await phone.ask("POST", `${offer}/accept`)
        // a double tap
        await phone.ask("POST", `${offer}/accept`)
      }
      if (index % 6 === 5) await phone.ask("DELETE", `/v1/scheduling/booking-sessions/${code}/waitlist-entry`)
    })
  }
}

const hospital: Crowd = {
  name: "a hospital of 200 doctors, whose portal searches all of them",
  size: { bench: 150, test: 2 },
  act: async ({ url, size, tally, practice }) => {
    const partner = await practice(200, { hours: [480, 960] })
    const portal = new Caller(url, tally, own())
    const office = officeOf(url, tally, partner)
    const search = (days: number, more: object = {}) =>
      portal.ask("POST", "/v1/scheduling/slots/search", {
        body: { shop_uid: partner.shop_uid, appointment_type_uid: partner.type_uid, ...nextDays(days), ...more }
      })
    let isDone = false
    const desk = (async () => {
      while (!isDone) {
        await office.ask("GET", `${SCHEDULING}/appointments?limit=200`)
        await office.ask("GET", `${SCHEDULING}/doctors`)
        await Bun.sleep(250)
      }
    })()
    await arriving(size, 400, async (index) => {
      // a calendar's overview, a month of everybody now and then, the earliest times
      if (index % 50 === 1) await search(31)
      if (index % 5 === 0) await search(5)
      await search(31, { limit: 20 })
      await book(portal, partner, await bookingToken(partner, `customer-${index}`), {
        from: soon(),
        to: soon() + 3 * DAY
      })
    })
    isDone = true
    await desk
  }
}

const closedPractice: Crowd = {
  name: "a policlinic that squeezes patients in, closes for a month, asks all for another time, twice, and then cancels",
  size: { bench: 1_100, test: 4 },
  act: async ({ url, size, tally, practice }) => {
    const clinic = await practice(20)
    const office = officeOf(url, tally, clinic)
    const [from, to] = [soon() + DAY, soon() + 30 * DAY]
    const first = Math.ceil(from / 3_600) * 3_600
    await taking(size, 8, async (index) => {
      const [doctor_uid, start_date] = [clinic.doctors[index % 20], first + 600 * Math.floor(index / 20)]
      const time = { appointment_type_uid: clinic.type_uid, doctor_uid, start_date }
      for (const more of [{}, { squeeze_in: true }]) {
        const { patient_uid } = await patientOf(office, clinic)
        const body = { shop_uid: clinic.shop_uid, patient_uid, ...time, ...more }
        await office.ask("POST", `${SCHEDULING}/appointments`, { body })
      }
    })
    const { body: calendar } = await office.ask("GET", `${SCHEDULING}/calendar?from=${from}&to=${to}`)
    if (calendar.squeezed_in?.length !== size) tally.refuse("a calendar without all who were squeezed in")
    const settled = async (path: string, body: object, outcome: "offered" | "cancelled") => {
      const { body: absence } = await office.ask("POST", `${SCHEDULING}/absences${path}`, { body })
      let counts = absence.appointments
      for (let polls = 0; counts?.waiting > 0 && polls < 1_200; polls++) {
        await Bun.sleep(500)
        counts = (await office.ask("GET", `${SCHEDULING}/absences/${absence.uid}`)).body.appointments
      }
      if (counts?.[outcome] !== 2 * size) tally.refuse(`an absence that settled ${JSON.stringify(counts)}`)
      return String(absence.uid)
    }
    const closed = { from, to, kind: "vacation" }
    const asked = await settled("", { ...closed, appointments: "offer" }, "offered")
    await settled(`/${asked}/ask-again`, { expected: 2 * size }, "offered") // nobody answers
    await settled("", { ...closed, appointments: "cancel", message: "The practice is closed" }, "cancelled")
  }
}

const askingInWriting: Crowd = {
  name: "chronically ill patients who ask a practice in writing, eight times before it answers",
  size: { bench: 60, test: 3 },
  act: async ({ url, size, tally, practice }) => {
    const clinic = await practice(5)
    const office = officeOf(url, tally, clinic)
    const items = [{ link_id: "what", type: "text", text: "Worum geht es?", required: true }]
    const form = await office.ask("POST", `${MANAGEMENT}/forms`, { body: { title: "Anliegen", items } })
    const asked = { kind: "prescription", form_uid: form.body.uid, answer_within_minutes: 1_440 }
    const type = await office.ask("POST", `${MANAGEMENT}/request-types`, { body: { name: "Rezept", ...asked } })
    await taking(size, 4, async () => {
      const phone = new Caller(url, tally, own())
      const token = await bookingToken(clinic, random("customer"))
      const session = await phone.ask("POST", "/v1/scheduling/booking-sessions", {
        body: { mode: "request" },
        headers: { "x-service-booking-token": token }
      })
      const requests = `/v1/scheduling/booking-sessions/${session.body.booking_launch_code}/requests`
      for (let written = 0; written < 8; written++)
        await phone.ask("POST", requests, { body: { request_type_uid: type.body.uid, answers: { what: "Ramipril" } } })
    })
  }
}

export const practiceCrowds: ReadonlyArray<Crowd> = [
  fhirClient,
  busyDoctors,
  recalls,
  waitingList,
  hospital,
  closedPractice,
  askingInWriting
]
