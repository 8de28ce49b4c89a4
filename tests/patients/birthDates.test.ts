/** Dates of birth lie between 1800 and today in the organisation's zone. Rule 1.6.7. */
import { expect, test } from "bun:test"
import { faultsOf } from "../capabilities/provisioning/faults.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { testServer } from "../support/server.ts"
import { dayOf, inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const YEAR = 31_557_600
const future = () => dayOf(Math.floor(Date.now() / 1000) + 10 * YEAR)
const unborn = ["0001-01-01", "1799-12-31"]
const today = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date())

test("management refuses a date that is not in it, on creation and change", async () => {
  const world = await makeWorld(server.current)
  const create = (date_of_birth: unknown) =>
    world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile: { date_of_birth } })
  const { uid } = (await create("1800-01-01")).body
  for (const date of [...unborn, future()])
    for (const answer of [
      await create(date),
      await world.api("PATCH", `/v1/management/patients/${uid}`, { profile: { date_of_birth: date } })
    ])
      expect([date, answer]).toMatchObject([
        date,
        { status: 400, body: { error: [expect.stringMatching(/^profile\.date_of_birth: /)] } }
      ])
})

test("today is that of the organisation's zone", async () => {
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const world = await makeWorld(server.current, { organisation: { timezone } })
    const statusOf = async (date_of_birth: string) =>
      (await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile: { date_of_birth } }))
        .status
    const last = today(timezone)
    expect([timezone, await statusOf(last)]).toEqual([timezone, 201])
    const after = dayOf(Date.parse(`${last}T12:00Z`) / 1000 + 86_400 * 2)
    expect([timezone, await statusOf(after)]).toEqual([timezone, 400])
  }
})

test("a token's and a key's is left out and named", async () => {
  const world = await makeWorld(server.current)
  for (const [at, value] of [...unborn, future()].entries()) {
    const patient_profile_fields = [{ field: "date_of_birth", value, source: "shop" }]
    const held = await world.holdByKey({ start_date: inDays(1 + at, 9), patient_profile_fields })
    expect(held).toMatchObject({ status: 200, body: { ignored_profile_fields: ["date_of_birth"] } })
    const session = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(9) }
    const token = await world.token(`customer-${at}`, { patient_profile_fields })
    const opened = await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body: session })
    const own = await world.hold(opened.body.booking_launch_code, inDays(1 + at, 10))
    expect(own.body.ignored_profile_fields).toEqual(["date_of_birth"])
  }
})

test("a checkout is 400 naming the field", async () => {
  const shop = await makeShop(server.current)
  const patient = { first_name: "Ada", last_name: "Example", gender: "female" }
  const ask = (date_of_birth: number) => shop.prescribe({ patient_data: { ...patient, date_of_birth } })
  const now = Math.floor(Date.now() / 1000)
  for (const date of [now + 10 * YEAR, now + 3 * 86_400, -5_364_662_401])
    expect([date, await ask(date)]).toMatchObject([
      date,
      { status: 400, body: { error: [expect.stringMatching(/^patient_data\.date_of_birth: /)] } }
    ])
  expect((await ask(now - 2 * 86_400)).status).toBe(200)
})

test("a provisioning file is refused, naming the field; an order's attribute is unknown", async () => {
  const shop = await makeShop(server.current)
  const { organisation_uid, shop_uid } = shop
  const [patient, prescription] = [
    (date_of_birth: string) => ({ uid: "pat_unborn", organisation_uid, shop_uid, profile: { date_of_birth } }),
    (date_of_birth: string) => ({
      uid: "pre_unborn",
      organisation_uid,
      shop_uid,
      status: "WAITING_FOR_DOCTOR",
      patient: { first_name: "Ada", last_name: "Example", date_of_birth, gender: "female" },
      items: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }]
    })
  ]
  expect(await faultsOf(server.current, { patients: [patient(future())] })).toEqual([
    expect.stringMatching(/^patients\[0\]\.profile\.date_of_birth: /)
  ])
  expect(await faultsOf(server.current, { prescriptions: [prescription(future())] })).toEqual([
    expect.stringMatching(/^prescriptions\[0\]\.patient\.date_of_birth: /)
  ])
  const seen = new Set<string>()
  for (const [date, born] of [
    [future(), null],
    ["1990-05-01", 641_520_000]
  ] as const) {
    const order = shop.order({
      line_items: [shop.line(shop.skus.drops)],
      note_attributes: [{ name: "date_of_birth", value: date }]
    })
    await shop.sendWebhook("orders/paid", order)
    const orders = await shop.pharmacyOrders()
    const prescription_uid = orders.find(
      (one: { prescription_uid: string }) => !seen.has(one.prescription_uid)
    )?.prescription_uid
    seen.add(String(prescription_uid))
    const [kept] = await shop.sql`SELECT date_of_birth FROM prescriptions WHERE uid = ${prescription_uid}`
    expect(kept?.date_of_birth ?? null).toBe(born)
  }
})
