/** Bookings, confirmations and reminders during their patient's erasure. Rule 12.2.15. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { PATIENT } from "../../checkout/support/shop.ts"
import { oneBehindTheOther as behind, testInOrder } from "../../support/behind.ts"
import { sandboxServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import { shopWithPatient } from "./scene.ts"

const server = sandboxServer({ ROLE: "http" })

let days = 0
/** Each has days of its own, since the clock goes forward alone. */
const scene = async () => {
  days += 3
  const day = days
  const world = await makeWorld(server.current)
  const call = (path: string, body: object) => world.api("POST", `/v1/${path}`, body)
  const { shop_uid, type_uid } = world
  const wanted = { shop_uid, appointment_type_uid: type_uid, doctor_uid: world.doctor }
  const profile = [{ field: "email", value: "anna@example.org", source: "shop" }]
  const customer = { shop_customer_id: random("cus"), patient_profile_fields: profile }
  const booked = await call("management/scheduling/appointments", {
    ...wanted,
    ...customer,
    start_date: inDays(day, 9)
  })
  const { uid, patient_uid } = booked.body
  const erase = () => call(`management/patients/${patient_uid}/erase`, { reason: "asked" })
  const stored = (columns: string, table: string, where: string) =>
    server.current.query(`SELECT ${columns} FROM ${table} WHERE ${where}`)
  return { ...world, day, call, wanted, customer, uid, patient_uid, erase, stored }
}

const oneBehindTheOther = <A, B>(row: string, first: () => Promise<A>, second: () => Promise<B>) =>
  behind(server.current.databaseUrl, `SELECT FROM ${row} FOR UPDATE`, first, second)

// Shows: a booking, a confirmation, a reminder or an order while its patient is erased
testInOrder("an appointment that is booked during its patient's erasure is refused; Rule 12.2.15", async () => {
  const { call, day, wanted, uid, patient_uid, erase, stored } = await scene()
  const body = { ...wanted, patient_uid, start_date: inDays(day + 2, 9) }
  const [erased, booked] = await oneBehindTheOther(`appointments WHERE uid = '${uid}'`, erase, () =>
    call("management/scheduling/appointments", body)
  )
  expect(erased.status).toBe(200)
  expect(booked).toMatchObject({ status: 400, body: { code: "patient_restricted" } })
  expect(await stored("status", "appointments", `patient_uid = '${patient_uid}'`)).toEqual([{ status: "cancelled" }])
})

testInOrder(
  "a hold that is confirmed during its patient's erasure is cancelled, and its reason is not stored; Rule 12.2.15",
  async () => {
    const { call, day, wanted, customer, uid, patient_uid, erase, stored } = await scene()
    const held = await call("scheduling/holds", { ...wanted, ...customer, start_date: inDays(day + 2, 9) })
    const [erased, confirmed] = await oneBehindTheOther(`appointments WHERE uid = '${uid}'`, erase, () =>
      call(`scheduling/holds/${held.body.hold_uid}/confirm`, { visit_reason: "Cough" })
    )
    expect(erased.status).toBe(200)
    expect(confirmed).toMatchObject({ status: 409, body: { code: "not_confirmable" } })
    const cancelled = { status: "cancelled", visit_reason_encrypted: null }
    expect(await stored("status, visit_reason_encrypted", "appointments", `patient_uid = '${patient_uid}'`)).toEqual([
      cancelled,
      cancelled
    ])
  }
)

// Shows: a booking, a confirmation, a reminder or an order while its patient is erased
testInOrder(
  "a reminder that is published during its patient's erasure leaves no event, link or delivery; Rule 12.2.15",
  async () => {
    const { call, day, type_uid, uid, organisation_uid, erase, stored } = await scene()
    const reminder = { recipient_role: "patient", minutes_before: 120 }
    expect((await call(`management/scheduling/appointment-types/${type_uid}/reminders`, reminder)).status).toBe(201)
    const subscription = { notification_type: "APPOINTMENT_REMINDER_DUE", url: "http://127.0.0.1:1/" }
    expect((await call("management/notification-subscriptions", subscription)).status).toBe(201)
    // The reminder's event with the patient's address is inserted, and stops before its delivery
    const [advanced, erased] = await oneBehindTheOther(
      `webhook_subscriptions WHERE owner_uid = '${organisation_uid}'`,
      () => call("sandbox/clock", { now: inDays(day, 8) }),
      erase
    )
    expect([advanced.status, erased.status]).toEqual([200, 200])
    const about = `subject = '${uid}' AND type = 'scheduling.appointment_reminder_due'`
    expect(await stored("data_encrypted", "events", about)).toEqual([{ data_encrypted: null }])
    expect(await stored("uid", "action_links", `appointment_uid = '${uid}'`)).toEqual([])
    expect(await stored("uid", "webhook_deliveries", `subject = '${uid}'`)).toEqual([])
  }
)

/** A shop with a patient, a signed prescription in this name, and a paid order that carries it. */
const prescribed = async (last_name: string) => {
  const profile = { first_name: PATIENT.first_name, last_name: PATIENT.last_name, date_of_birth: "1990-05-01" }
  const shop = await shopWithPatient(server.current, profile)
  const { body } = await shop.prescribe({ patient_data: { ...PATIENT, last_name } })
  const prescription_uid: string = body.prescriptions[0].prescription_uid
  const order = shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: prescription_uid })] })
  const erase = (prescription_uids: ReadonlyArray<string> = []) => shop.erase({ prescription_uids })
  return { ...shop, prescription_uid, pay: () => shop.sendWebhook("orders/paid", order), erase }
}
const inProgress = expect.objectContaining({ what: "orders_in_progress", count: 1 })

// Shows: a booking, a confirmation, a reminder or an order while its patient is erased
testInOrder(
  "the prescription of an order that is made during its patient's erasure is kept until the order has ended; Rule 12.2.8",
  async () => {
    const shop = await prescribed(PATIENT.last_name)
    const [made, erased] = await oneBehindTheOther(
      `pharmacies WHERE pharmacy_uid = '${shop.pharmacy_uid}'`,
      shop.pay,
      () => shop.erase()
    )
    expect([made.status, erased.status]).toEqual([200, 200])
    expect((await shop.prescription(shop.prescription_uid)).status).toBe("dispatched")
    expect(erased.body.kept).toContainEqual(inProgress)
  }
)

test("the named prescription in another name is kept until the order that carries it has ended, and then erased with it; Rule 12.2.8", async () => {
  const shop = await prescribed("Other")
  expect((await shop.pay()).status).toBe(200)
  const erased = await shop.erase([shop.prescription_uid])
  expect(erased.status).toBe(200)
  expect((await shop.prescription(shop.prescription_uid)).status).toBe("dispatched")
  expect(erased.body.kept).toContainEqual(inProgress)
  const [order] = await shop.pharmacyOrders()
  await shop.proceed(order.uid, "rejected")
  await server.current.run(Effect.flatMap(Erasures, ({ finish }) => finish()))
  expect((await shop.prescription(shop.prescription_uid)).status).toBe("cancelled")
  expect((await shop.pharmacyOrders())[0].shipping_address).toBeNull()
})
