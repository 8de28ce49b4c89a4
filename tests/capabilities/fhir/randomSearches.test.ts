/**
 * Random searches for free slots are answered alike by FHIR and by the interface (Rule 20.6.1), whatever doctors, types and buffers: 10,000 in
 * the long run, many on each of a few worlds.
 */
import { expect, test } from "bun:test"
import { sized } from "../../support/scale.ts"
import { testServer } from "../../support/server.ts"
import { CONSULTATION, inDays, random } from "../../support/world.ts"
import { type Body, fhirWorld, idOf } from "./support.ts"

const server = testServer()
const [WORLDS, SEARCHES, AT_A_TIME] = [sized(1, 10), sized(60, 1_000), 4]
const instant = (seconds: number) => encodeURIComponent(new Date(seconds * 1000).toISOString())
const pick = (most: number) => Math.floor(Math.random() * most)
const oneOf = <A>(all: ReadonlyArray<A>): A => all[pick(all.length)] as A // not empty

/** A practice of one to four doctors and two types, with some appointments and one doctor who does not offer the second. */
const practice = async () => {
  const doctors = 1 + pick(4)
  const made = await fhirWorld(server.current, {
    doctors,
    ...(pick(2) === 0 && { hours: [480 + 15 * pick(4), 960 + 15 * pick(8)] }),
    type: {
      duration_minutes: oneOf([10, 20, 45]),
      buffer_before_minutes: oneOf([0, 5]),
      buffer_after_minutes: oneOf([0, 5, 15]),
      slot_step_minutes: oneOf([5, 15, 20]),
      booking_min_notice_minutes: oneOf([0, 90])
    }
  })
  const second = random("aty")
  const { organisation_uid } = made
  await made.provision({
    appointment_types: [{ uid: second, organisation_uid, name: "Second", ...CONSULTATION, duration_minutes: 30 }],
    doctor_appointment_type_settings: [{ doctor_uid: oneOf(made.doctors), appointment_type_uid: second, active: false }]
  })
  for (let at = 0; at < 12; at++) {
    const free = await made.search({ from: inDays(pick(4)), to: inDays(5), limit: 50 })
    if (free.body.slots.length > 0) {
      const { start_date, doctor_uid } = oneOf<Body>(free.body.slots)
      await made.bookByKey({ shop_customer_id: random("customer"), doctor_uid, start_date })
    }
  }
  return { ...made, types: [made.type_uid, second] }
}

const compare = async (made: Awaited<ReturnType<typeof practice>> & { readonly offered: ReadonlyArray<Body> }) => {
  const from = inDays(0) + pick(5 * 86_400)
  const to = from + 1 + pick(oneOf([3_600, 6 * 3_600, 3 * 86_400]))
  const appointment_type_uid = oneOf(made.types)
  const doctor_uid = pick(2) === 0 ? oneOf(made.doctors) : undefined
  const body = {
    shop_uid: made.shop_uid,
    appointment_type_uid,
    from,
    to,
    ...(doctor_uid !== undefined && { doctor_uid })
  }
  const schedules = made.offered
    .filter((one: Body) => one.type === idOf(appointment_type_uid))
    .filter((one: Body) => doctor_uid === undefined || one.doctor === idOf(doctor_uid))
    .map(({ id }: Body) => id)
  if (schedules.length === 0) return
  const busyToo = pick(3) === 0
  const status = busyToo ? "" : "&status=free"
  const query = `schedule=${schedules.join(",")}&start=ge${instant(from)}&start=lt${instant(to)}&_count=1000${status}`
  // A time ends to be offered when it begins: both ask in the same moment, or again
  for (let tries = 3; ; tries--) {
    const [theirs, mine] = await Promise.all([
      server.current.api("POST", "/v1/scheduling/slots/search", { body }),
      made.send(`/Slot?${query}`)
    ])
    const found = (mine.body.entry ?? [])
      .map(({ resource }: Body) => resource)
      .filter((slot: Body) => slot.status === "free")
      .map((slot: Body) => [Date.parse(slot.start) / 1000, Date.parse(slot.end) / 1000, slot.schedule.reference])
    const expected = theirs.body.slots.map((slot: Body) => [
      slot.start_date,
      slot.end_date,
      `Schedule/${made.offered.find((one: Body) => one.doctor === idOf(slot.doctor_uid) && one.type === idOf(appointment_type_uid))?.id}`
    ])
    if (mine.body.link?.length > 1) {
      expect(found).toEqual(expected.slice(0, found.length))
      return
    }
    if (tries > 0 && !Bun.deepEquals(found, expected)) continue
    expect([query, found]).toEqual([query, expected])
    return
  }
}

test(`${WORLDS * SEARCHES} random searches find what the interface finds`, async () => {
  for (let world = 0; world < WORLDS; world++) {
    const practised = await practice()
    const offered = (await practised.schedules()).map((one: Body) => ({
      id: one.id,
      doctor: one.actor[0].reference.split("/")[1],
      type: idOf(one.serviceType[0].coding[0].code)
    }))
    const made = { ...practised, offered }
    for (let done = 0; done < SEARCHES; done += AT_A_TIME)
      await Promise.all(Array.from({ length: AT_A_TIME }, () => compare(made)))
  }
}, 3_600_000)
