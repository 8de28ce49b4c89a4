/** Patients or future appointments from a table. Columns are found by name; with a column of dates it is of appointments. */
import { Effect, Struct } from "effect"
import { type Goal, hashed, ImportUnreadable, instantAt, midnightOfDate, minuteOf, planFor } from "../plan.ts"
import { tableOf } from "./table.ts"

/** Names of columns in lower case, of letters and digits alone. */
const COLUMNS = {
  customer_number: "kundennummer kundennr customernumber customerno customerid",
  first_name: "vorname firstname givenname",
  last_name: "nachname lastname familyname surname",
  email: "email emailadresse emailaddress mail",
  phone: "telefon telefonnummer phone phonenumber telephone mobil mobile",
  date_of_birth: "geburtsdatum geburtstag dateofbirth birthdate birthday",
  street: "strasse street address adresse",
  zip: "plz postleitzahl zip zipcode postalcode postcode",
  city: "ort stadt city town",
  date: "datum date",
  time: "uhrzeit zeit time",
  duration: "dauer duration durationminutes minuten minutes",
  doctor: "arzt arztin behandler doctor",
  type: "terminart appointmenttype type art"
} as const
type Column = keyof typeof COLUMNS
const columns = Struct.keys(COLUMNS)
const PROFILE = ["first_name", "last_name", "email", "phone", "date_of_birth", "street", "zip", "city"] as const

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")
const columnOf = (name: string) => columns.find((column) => COLUMNS[column].split(" ").includes(plain(name)))

export const planOfCsv = Effect.fnUntraced(function* (bytes: Uint8Array, goal: Goal) {
  const plan = planFor("csv", goal)
  const [{ cells: head } = { cells: [] }, ...rows] = tableOf(bytes)
  const named = head.map(columnOf)
  if (named.every((column) => column === undefined))
    return yield* new ImportUnreadable({
      why: "The first line names no column that is known, such as Kundennummer or E-Mail"
    })
  const twice = named.find((column, at) => column !== undefined && named.indexOf(column) !== at)
  if (twice !== undefined) return yield* new ImportUnreadable({ why: `Two columns are ${twice}` })
  head.forEach((name, at) => {
    if (named[at] === undefined && name !== "") plan.leave(`column ${name}`, "has no counterpart")
  })
  const isOfAppointments = named.includes("date")
  const lines = new Map<string, number>()

  for (const { line, cells } of rows) {
    const label = `line ${line}`
    const cell = (column: Column) => cells[named.indexOf(column)] ?? ""
    const number = cell("customer_number")
    const key = number === "" ? cell("email").toLowerCase() : number
    const earlier = lines.get(key)
    if (key === "") {
      plan.leave(label, "has neither customer number nor mail address")
      continue
    }
    if (earlier !== undefined && !isOfAppointments) {
      plan.leave(label, `is the same person as line ${earlier}`)
      continue
    }
    lines.set(key, line)
    const birth = midnightOfDate(cell("date_of_birth"))
    const iso = birth === undefined ? cell("date_of_birth") : new Date(birth * 1000).toISOString().slice(0, 10)
    const given = Object.fromEntries(
      PROFILE.flatMap((field) =>
        named.includes(field) ? [[field, field === "date_of_birth" ? iso : cell(field)] as const] : []
      )
    )
    // an empty cell clears, a column that is not there does not
    const cleared = Object.fromEntries(
      Object.entries(given).flatMap(([field, text]) => (text === "" ? [[field, null]] : []))
    )
    const patient_uid = plan.patient(label, {
      key: hashed(number === "" ? `mail ${key}` : `number ${key}`),
      ...(number !== "" && { customer_id: number }),
      profile: { ...(isOfAppointments ? {} : cleared), ...plan.profileOf(label, given) },
      isNewer: !isOfAppointments
    })
    if (!isOfAppointments || patient_uid === undefined) continue

    const one = <A extends { readonly name: string | null }>(what: string, all: ReadonlyArray<A>, name: string) => {
      const found = all.filter((each) => each.name?.toLowerCase() === name.toLowerCase())
      if (found.length !== 1)
        plan.leave(label, `${what} ${name}: ${found.length === 0 ? "not here" : "here more than once"}`)
      return found.length === 1 ? found[0] : undefined
    }
    const { doctors, types } = goal.known
    const doctor = cell("doctor") === "" && doctors.length === 1 ? doctors[0] : one("doctor", doctors, cell("doctor"))
    const type = cell("type") === "" ? null : one("appointment type", types, cell("type"))
    const [date, minute] = [midnightOfDate(cell("date")), minuteOf(cell("time"))]
    const [, said] = /^(\d{1,4})(?: ?(?:min\.?|minuten|minutes))?$/i.exec(cell("duration")) ?? []
    const minutes = said === undefined && cell("duration") === "" ? type?.duration_minutes : Number(said)
    if (doctor === undefined || type === undefined) continue
    if (date === undefined || minute === undefined || !minutes) {
      plan.leave(label, "date, time or duration cannot be read")
      continue
    }
    const start_date = instantAt(doctor.timezone, date, minute)
    plan.appointment(label, {
      key: hashed(`${doctor.uid} ${patient_uid} ${start_date}`),
      doctor_uid: doctor.uid,
      patient_uid,
      appointment_type_uid: type?.uid ?? null,
      start_date,
      end_date: start_date + minutes * 60,
      meeting_format: type === null || type.formats.includes("IN_PERSON") ? "IN_PERSON" : "DIGITAL"
    })
  }
  return plan
})
