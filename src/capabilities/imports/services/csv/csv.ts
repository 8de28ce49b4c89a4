/** Patients or future appointments from a table. Columns are found by name; with a column of dates it is of appointments. */
import { Effect, Record, Struct } from "effect"
import {
  type Goal,
  hashed,
  instantAt,
  isoOf,
  isSame,
  planFor,
  unreadable,
  wallOf
} from "../../../shared/services/importing/importPlan.ts"
import { tableOf } from "./table.ts"

/** The profile's columns: their names in lower case, of letters and digits alone. */
const PROFILE = {
  first_name: "vorname firstname givenname",
  last_name: "nachname lastname familyname surname",
  email: "email emailadresse emailaddress mail",
  phone: "telefon telefonnummer phone phonenumber telephone mobil mobile",
  date_of_birth: "geburtsdatum geburtstag dateofbirth birthdate birthday",
  street: "strasse street address adresse",
  zip: "plz postleitzahl zip zipcode postalcode postcode",
  city: "ort stadt city town"
}
const COLUMNS = {
  ...PROFILE,
  customer_number: "kundennummer kundennr customernumber customerno customerid",
  date: "datum date",
  time: "uhrzeit zeit time",
  duration: "dauer duration durationminutes minuten minutes",
  doctor: "arzt arztin behandler doctor",
  type: "terminart appointmenttype type art"
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")
const columnOf = (name: string) =>
  Struct.keys(COLUMNS).find((column) => COLUMNS[column].split(" ").includes(plain(name)))

export const planOfCsv = Effect.fnUntraced(function* (bytes: Uint8Array, goal: Goal) {
  const plan = planFor("csv", goal)
  const [{ cells: head } = { cells: [] }, ...rows] = tableOf(bytes)
  const named = head.map(columnOf)
  if (named.every((column) => column === undefined))
    return yield* unreadable("The first line names no column that is known, such as Kundennummer or E-Mail")
  const twice = named.find((column, at) => column !== undefined && named.indexOf(column) !== at)
  if (twice !== undefined) return yield* unreadable(`Two columns are ${twice}`)
  head.forEach((name, at) => {
    if (named[at] === undefined && name !== "") plan.leave(`column ${name}`, "has no counterpart")
  })
  const isOfAppointments = named.includes("date")
  const given = Struct.keys(PROFILE).filter((field) => named.includes(field))
  const lines = new Map<string, number>()
  const { doctors, types } = goal.known

  const addRow = (label: string, line: number, cells: ReadonlyArray<string>) => {
    const cell = (column: keyof typeof COLUMNS) => cells[named.indexOf(column)] ?? ""
    const number = cell("customer_number")
    const key = number === "" ? cell("email").toLowerCase() : number
    const earlier = lines.get(key)
    if (key === "") return plan.leave(label, "has neither customer number nor mail address")
    if (earlier !== undefined && !isOfAppointments) return plan.leave(label, `is the same person as line ${earlier}`)
    lines.set(key, line)
    const fields = Object.fromEntries(
      given.map((field) => [field, field === "date_of_birth" ? isoOf(cell(field)) : cell(field)])
    )
    // an empty cell clears, a column that is not there does not
    const cleared = Record.map(
      Record.filter(fields, (text) => text === ""),
      () => null
    )
    const patient_uid = plan.patient(label, {
      key: hashed(number === "" ? `mail ${key}` : `number ${key}`),
      ...(number !== "" && { customer_id: number }),
      profile: { ...(isOfAppointments ? {} : cleared), ...plan.profileOf(label, fields) },
      isNewer: !isOfAppointments
    })
    if (!isOfAppointments || patient_uid === undefined) return undefined

    const one = <A extends { readonly name: string | null }>(what: string, all: ReadonlyArray<A>, name: string) => {
      const [found, more] = all.filter((each) => isSame(each.name, name))
      if (found !== undefined && more === undefined) return found
      return plan.leave(label, `${what} ${name}: ${found === undefined ? "not here" : "here more than once"}`)
    }
    const doctor = cell("doctor") === "" && doctors.length === 1 ? doctors[0] : one("doctor", doctors, cell("doctor"))
    const type = cell("type") === "" ? null : one("appointment type", types, cell("type"))
    const wall = wallOf(`${cell("date")} ${cell("time")}`)
    const [, said] = /^(\d{1,4})(?: ?(?:min\.?|minuten|minutes))?$/i.exec(cell("duration")) ?? []
    const minutes = cell("duration") === "" ? type?.duration_minutes : Number(said)
    if (doctor === undefined || type === undefined) return undefined
    if (Number.isNaN(wall) || !minutes) return plan.leave(label, "date, time or duration cannot be read")
    const start_date = instantAt(doctor.timezone, wall)
    return plan.appointment(label, {
      key: hashed(`${doctor.uid} ${patient_uid} ${start_date}`),
      ...{ doctor_uid: doctor.uid, patient_uid, appointment_type_uid: type?.uid ?? null },
      ...{ start_date, end_date: start_date + minutes * 60 },
      meeting_format: type === null || type.formats.includes("IN_PERSON") ? "IN_PERSON" : "DIGITAL"
    })
  }
  for (const { line, cells } of rows) addRow(`line ${line}`, line, cells)
  return plan
})
