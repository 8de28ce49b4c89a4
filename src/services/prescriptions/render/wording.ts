/** The German texts of the sheet, except the labels of its boxes. */
import { byWord } from "../../../schemas/byWord.ts"
import type { PrescriptionPatient } from "../../../schemas/prescriptions/Prescription.ts"
import type { Prescriber, PrescriptionSheet, SheetItem } from "../../../schemas/prescriptions/PrescriptionSheet.ts"
import { DAY } from "../../../schemas/seconds.ts"

/** One line of the table of medicines. */
export interface Row {
  readonly number: string
  readonly product: string
  readonly details: string
  readonly quantity: string
  readonly dosage: string
}

export interface Wording {
  readonly uid: string
  readonly organisation: string
  readonly date: string
  readonly patientName: string
  readonly patientDetails: string
  readonly prescriberName: string
  readonly prescriberDetails: string
  readonly rows: ReadonlyArray<Row>
}

const unknown = "nicht hinterlegt"
const genders = byWord<string>({ male: "männlich", female: "weiblich", divers: "divers" })

/**
 * The calendar day of a birth date's timestamp. Partners send UTC midnight or local midnight of the day; the nearest UTC midnight is the
 * right day for both, in every zone up to twelve hours from UTC.
 */
export const birthDay = (seconds: number) => germanDate(Math.round(seconds / DAY) * DAY, "UTC")

const germanDate = (seconds: number, timeZone: string) =>
  new Intl.DateTimeFormat("de-DE", { day: "2-digit", month: "2-digit", year: "numeric", timeZone }).format(
    new Date(seconds * 1000)
  )

const decimal = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 3, useGrouping: false })

/** "2 × 20 Stück": packs times content. */
const amount = ({ quantity, standard_selling_unit, unit }: SheetItem) =>
  `${quantity} × ${decimal.format(standard_selling_unit)} ${unit}`

const patientName = ({ first_name, last_name }: PrescriptionPatient) =>
  [first_name, last_name].filter((name) => name !== null).join(" ") || `Name ${unknown}`

const patientDetails = ({ date_of_birth, gender }: PrescriptionPatient) =>
  [
    `geboren am ${date_of_birth === null ? unknown : birthDay(date_of_birth)}`,
    ...(gender === null ? [] : [genders[gender] ?? gender])
  ].join(" · ")

const prescriberDetails = (prescriber: Prescriber) =>
  [
    `Berufsbezeichnung: ${prescriber.profession ?? unknown}`,
    `Anschrift: ${(prescriber.address ?? unknown).replace(/\s*\n\s*/g, ", ")}`,
    `Telefon: ${prescriber.phone ?? unknown}`,
    ...(prescriber.email === null ? [] : [`E-Mail: ${prescriber.email}`])
  ].join("\n")

const row = (item: SheetItem, index: number): Row => ({
  number: String(index + 1),
  product: item.product,
  details: [item.display_name, ...(item.pzn === null ? [] : [`PZN ${item.pzn}`])].join(" · "),
  quantity: amount(item),
  dosage: item.dosage ?? "keine Angabe"
})

export const wording = (sheet: PrescriptionSheet): Wording => ({
  uid: sheet.prescription_uid,
  organisation: sheet.organisation,
  date: germanDate(sheet.issued_at, sheet.timezone),
  patientName: patientName(sheet.patient),
  patientDetails: patientDetails(sheet.patient),
  prescriberName: sheet.prescriber?.display_name ?? "(Stempel)",
  prescriberDetails: sheet.prescriber === null ? "" : prescriberDetails(sheet.prescriber),
  rows: sheet.items.map(row)
})
