/** What is printed on a private prescription (AMVV §2): facts only, no wording and no layout. */
export interface PrescriptionSheet {
  readonly prescription_uid: string
  /** Unix seconds; printed as a date in `timezone`. */
  readonly issued_at: number
  readonly timezone: string
  readonly organisation: string
  /** Null when nobody is known yet: the sheet then leaves the place open for the stamp. */
  readonly prescriber: Prescriber | null
  readonly patient: SheetPatient
  readonly items: ReadonlyArray<SheetItem>
}

export interface Prescriber {
  readonly display_name: string
  /** E.g. "Fachärztin für Allgemeinmedizin". */
  readonly profession: string | null
  /** Address of the practice, lines separated by line feeds or commas. */
  readonly address: string | null
  readonly phone: string | null
  readonly email: string | null
}

export interface SheetPatient {
  readonly first_name: string | null
  readonly last_name: string | null
  /** Unix seconds of the day of birth, null when unknown. */
  readonly date_of_birth: number | null
  readonly gender: string | null
}

export interface SheetItem {
  readonly product: string
  /** Strength and form, e.g. "400 mg Filmtabletten". */
  readonly display_name: string
  readonly pzn: string | null
  readonly quantity: number
  /** Content of one pack in `unit`s. */
  readonly standard_selling_unit: number
  readonly unit: string
  readonly dosage: string | null
}
