/** A prescription with every field. */
import { PrescriptionUid } from "../../../src/schemas/ids.ts"
import type { PrescriptionSheet } from "../../../src/schemas/prescriptions/PrescriptionSheet.ts"

export const item = {
  product: "Ibuprofen",
  display_name: "400 mg Filmtabletten",
  pzn: "01234567",
  quantity: 2,
  standard_selling_unit: 20,
  unit: "Stück",
  dosage: "1-0-1 nach dem Essen"
}

export const sheet = {
  prescription_uid: PrescriptionUid.make("prx_01jd9v6m4x7k2q8w5c3e0"),
  issued_at: 1_795_215_600, // 20 November 2026, 23:00 UTC: the 21st in Berlin
  timezone: "Europe/Berlin",
  organisation: "Praxisverbund Nord",
  prescriber: {
    display_name: "Dr. med. Änne Größ",
    profession: "Fachärztin für Allgemeinmedizin",
    address: "Lindenstraße 5\n10115 Berlin",
    phone: "+49 30 1234567",
    email: "praxis@example.org"
  },
  patient: { first_name: "Zoë", last_name: "Żółć", date_of_birth: 641_520_000, gender: "female" },
  items: [
    item,
    {
      product: "Salbutamol",
      display_name: "100 µg Dosieraerosol",
      pzn: null,
      quantity: 1,
      standard_selling_unit: 10.5,
      unit: "ml",
      dosage: null
    }
  ]
} satisfies PrescriptionSheet
