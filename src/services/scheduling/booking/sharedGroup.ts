/** Identifies the seats of a group: those of one type with one doctor at one start. */
export const sharedGroupOf = ({
  appointment_type_uid,
  doctor_uid,
  start_date
}: {
  readonly appointment_type_uid: string | null
  readonly doctor_uid: string
  readonly start_date: number
}) => JSON.stringify([appointment_type_uid, doctor_uid, start_date])
