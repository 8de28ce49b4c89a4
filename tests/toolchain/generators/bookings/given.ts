/** Arguments of a booking: the service's address, the patient and the appointment. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

const given = (name: string) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const baseUrl = given("BASE_URL")
export const shop_uid = given("SHOP_UID")
export const appointment_type_uid = given("APPOINTMENT_TYPE_UID")
export const booking_token = given("BOOKING_TOKEN")
export const range = { from: Number(given("FROM")), to: Number(given("TO")) }

/** A value that a response has unless it is an error. */
export const present = <A>(value: A | undefined, problem?: unknown): A => {
  if (value === undefined) throw new Error(JSON.stringify(problem ?? "nothing"))
  return value
}
