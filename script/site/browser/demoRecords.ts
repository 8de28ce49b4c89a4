/** Records of the demo data for the forms: the first of a list, or one that is created on demand. */
/** The public keys of the demo data. */
export interface Demo {
  readonly managementKey: string
  readonly pharmacyKey: string
  readonly bookingKeyId: string
  readonly bookingSecret: string
  readonly shopIdentifier: string
  readonly customer: string
}

type Json = Readonly<Record<string, unknown>>

const request = async (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Json
): Promise<unknown> => {
  const answer = await fetch(path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return answer.ok ? answer.json() : undefined
}

const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce(
    (inner: unknown, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value
  )

const textAt = (value: unknown, ...path: ReadonlyArray<string | number>) => {
  const found = at(value, ...path)
  return typeof found === "string" ? found : undefined
}

const SHOP = "shop_demo"
const TYPE = "aty_demo_consultation"
const DAYS = 14 * 86_400
const SCHEDULING = "/v1/management/scheduling"

const range = () => {
  const from = Math.floor(Date.now() / 1000)
  return { from, to: from + DAYS }
}

const freeSlot = async () => {
  const body = { shop_uid: SHOP, appointment_type_uid: TYPE, ...range(), limit: 1 }
  const found = at(await request("POST", "/v1/scheduling/slots/search", {}, body), "slots", 0)
  return { doctor_uid: at(found, "doctor_uid"), start_date: at(found, "start_date"), appointment_type_uid: TYPE }
}

/** A record for a path parameter; undefined if there is none. */
export const recordFor = async (
  name: string,
  path: string,
  demo: Demo,
  mint: () => Promise<string>
): Promise<string | undefined> => {
  const key = { "x-api-key": demo.managementKey }
  const firstOf = async (address: string, headers = key) =>
    textAt(await request("GET", address, headers), "data", 0, "uid")
  const appointment = async () => {
    const body = { shop_uid: SHOP, shop_customer_id: demo.customer, ...(await freeSlot()) }
    return textAt(await request("POST", `${SCHEDULING}/appointments`, key, body), "uid")
  }
  const session = async () => {
    const body = { mode: "booking", appointment_type_uid: TYPE, ...range() }
    const headers = { "x-service-booking-token": await mint() }
    return textAt(await request("POST", "/v1/scheduling/booking-sessions", headers, body), "booking_launch_code")
  }
  const makers: Readonly<Record<string, () => Promise<string | undefined>>> = {
    appointment_uid: appointment,
    meeting_uid: appointment,
    patient_uid: () => firstOf("/v1/management/patients"),
    booking_launch_code: session,
    hold_uid: async () => {
      const body = { shop_uid: SHOP, shop_customer_id: demo.customer, ...(await freeSlot()) }
      return textAt(await request("POST", "/v1/scheduling/holds", key, body), "hold_uid")
    },
    code: async () =>
      textAt(
        await request("POST", `${SCHEDULING}/appointments/${await appointment()}/action-links`, key, {
          action: "cancel"
        }),
        "code"
      ),
    reminder_uid: () => firstOf(`${SCHEDULING}/appointment-types/${TYPE}/reminders`),
    rule_uid: () => firstOf(`${SCHEDULING}/doctors/doc_demo_1/availability-rules`),
    override_uid: () => firstOf(`${SCHEDULING}/doctors/doc_demo_1/availability-date-overrides`),
    subscription_uid: () =>
      path.startsWith("/v1/external_pharmacy_api")
        ? firstOf("/v1/external_pharmacy_api/webhooks/", { "x-api-key": demo.pharmacyKey })
        : firstOf("/v1/management/notification-subscriptions")
  }
  return makers[name]?.()
}
