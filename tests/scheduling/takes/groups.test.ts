/** Types with several seats (section 18.5). */
import { expect, test } from "bun:test"
import { present } from "../../support/body.ts"
import { sandboxServer } from "../../support/server.ts"
import { makeScene, nine } from "./scene.ts"

const server = sandboxServer()
const taken = { status: 409, body: { code: "slot_taken" } }

test("patients share a start until its seats are taken; the last that goes gives doctor and room back; Rules 18.5.1 to 18.5.3", async () => {
  const one = await makeScene(server.current, {
    rooms: 1,
    doctors: 2,
    type_with: ({ rooms }) => ({ seats: 3, requirements: [{ resource_uids: rooms }] })
  })
  const [first = "", second = ""] = one.doctors
  const left = async () =>
    (await one.offered(nine(), nine() + 1)).map(({ doctor_uid, seats_left }) => [doctor_uid, seats_left])
  expect(await left()).toEqual([
    [first, 3],
    [second, 3]
  ])
  const booked = []
  for (const seats of [2, 1]) {
    booked.push(await one.book(first, nine()))
    expect(await left()).toEqual([[first, seats]])
  }
  booked.push(await one.book(first, nine()))
  expect(booked.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(booked.map(one.roomsOf)).toEqual(booked.map(() => [...one.rooms]))
  expect(await left()).toEqual([])
  expect(await one.book(first, nine())).toMatchObject(taken)
  for (const { body } of booked.slice(0, 2)) expect((await one.cancel(body.uid)).status).toBe(200)
  expect(await left()).toEqual([[first, 2]])
  await one.cancel(present(booked[2]).body.uid)
  expect(await left()).toEqual([
    [first, 3],
    [second, 3]
  ])
})

test("a second seat of the same patient is refused; a new hold of the same session is not; Rule 18.5.4", async () => {
  const one = await makeScene(server.current, { doctors: 1, type: { seats: 5 } })
  const code = await one.session("anna")
  expect((await one.hold(code, nine())).status).toBe(200)
  expect((await one.hold(code, nine())).status).toBe(200)
  const other = await one.session("anna")
  expect(await one.hold(other, nine())).toMatchObject(taken)
  expect((await one.hold(await one.session("berta"), nine())).status).toBe(200)
})

test("a group keeps other appointments away, and a lapsed seat is given to others", async () => {
  const one = await makeScene(server.current, { doctors: 1, type: { seats: 2, slot_step_minutes: 5 } })
  const [anna, berta] = [await one.session("anna"), await one.session("berta")]
  const [held, other] = [await one.hold(anna, nine()), await one.hold(berta, nine())]
  // overlapping starts are no seats of this group
  const starts = async () => (await one.offered(nine(-20), nine(25))).map(({ start_date }) => start_date)
  expect(await starts()).toEqual([nine(-20), nine(20)])
  expect(await one.hold(await one.session("carla"), nine(5))).toMatchObject(taken)
  await server.current.advance(601)
  expect(await starts()).toHaveLength(9)
  expect((await one.book(one.doctor, nine())).status).toBe(201)
  // one of two lapsed seats can still be confirmed
  const late = [await one.confirm(anna, held.body.hold_uid), await one.confirm(berta, other.body.hold_uid)]
  expect(late.map(({ status }) => status)).toEqual([200, 409])
})

test("PostgreSQL refuses a seat that is taken, one beyond the type's and a patient's second, whatever the code does", async () => {
  const one = await makeScene(server.current, { doctors: 1, type: { seats: 2 } })
  const { uid } = (await one.book(one.doctor, nine())).body
  const other = (await one.book(one.doctor, nine(20))).body
  const copied = (changes: object) => one.copied(uid, changes)
  const refused = /Failed to execute/
  await expect(copied({ seat: 1, patient_uid: other.patient_uid })).rejects.toThrow(refused)
  await expect(copied({ seat: 3, patient_uid: other.patient_uid })).rejects.toThrow(refused)
  await expect(copied({ seat: 2 })).rejects.toThrow(refused)
  await copied({ seat: 2, patient_uid: other.patient_uid })
})
