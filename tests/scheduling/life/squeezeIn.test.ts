/** Squeezing in: a booking by explicit choice where nothing is offered, over one taken time at most. Rule 4.10.3. */
import { expect, test } from "bun:test"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

const scene = async () => {
  const world = await makeWorld(server.current)
  const doctor_uid = world.doctor
  const book = (customer: string, start_date: number, more: object = {}) =>
    world.bookByKey({ shop_customer_id: customer, doctor_uid, start_date, ...more })
  const isFree = async (start: number) =>
    (await world.search({ from: start, to: start + 1, doctor_uid })).body.slots.length > 0
  const cancel = (uid: string) =>
    world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
  return { world, book, isFree, cancel }
}

test("shares the time of one appointment, is marked, and keeps its time when the other is cancelled; Rule 4.10.3", async () => {
  const { world, book, isFree, cancel } = await scene()
  const start = inDays(3, 9)
  const first = (await book("a", start)).body.uid
  expect((await book("b", start)).status).toBe(409)
  const squeezed = await book("b", start, { squeeze_in: true })
  expect(squeezed.status).toBe(201)
  const calendar = await world.api("GET", `/v1/management/scheduling/calendar?from=${inDays(3)}&to=${inDays(4)}`)
  expect(calendar.body.squeezed_in).toEqual([squeezed.body.uid])
  // nothing else comes in beside them without the same choice
  expect((await book("c", start)).status).toBe(409)
  expect((await cancel(first)).status).toBe(200)
  expect(await isFree(start)).toBe(false)
  expect((await cancel(squeezed.body.uid)).status).toBe(200)
  expect(await isFree(start)).toBe(true)
})

test("does not lie over two appointments, and lies between them and outside of hours; Rule 4.10.3", async () => {
  const { world, book } = await scene()
  const [start, next] = [inDays(4, 9), inDays(4, 9, 20)]
  for (const [customer, at] of [
    ["a", start],
    ["b", next]
  ] as const)
    expect((await book(customer, at)).status).toBe(201)
  expect((await book("c", inDays(4, 9, 10), { squeeze_in: true })).body.code).toBe("slot_taken")
  const doctor = `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`
  await world.api("POST", doctor, { date: inDays(5), day_off: true })
  expect((await book("d", inDays(5, 9, 7))).status).toBe(400)
  expect((await book("d", inDays(5, 9, 7), { squeeze_in: true })).status).toBe(201)
  expect((await book("e", inDays(5, 10), { squeeze_in: true, doctor_uid: null })).status).toBe(400)
  expect((await book("f", inDays(-1, 10), { squeeze_in: true })).status).toBe(400)
})

test("the appointment under it can be moved, and so can it; Rule 4.10.3", async () => {
  const { world, book } = await scene()
  const start = inDays(6, 9)
  const uids = [(await book("a", start)).body.uid, (await book("b", start, { squeeze_in: true })).body.uid]
  for (const [index, uid] of uids.entries()) {
    const path = `/v1/scheduling/appointments/${uid}/rebook`
    const body = { new_start_date: inDays(6, 11 + index), new_doctor_uid: world.doctor }
    expect((await world.api("POST", path, body)).status).toBe(200)
  }
})
