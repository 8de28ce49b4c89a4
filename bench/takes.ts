/**
 * `bun --no-install bench/takes.ts`: what a booking costs that takes two resources, and a search of 50 doctors with rooms, each against the
 * same without, in turn in one run. Processor time of the service and of PostgreSQL; the ratios are what counts.
 */
import { random } from "../tests/support/world.ts"
import { median } from "./harness/measure.ts"
import { setStage } from "./harness/stage.ts"
import { costOf, requested } from "./table.ts"

const [ROUNDS, BOOKINGS, SEARCHES, LANES] = [6, 40, 20, 4]
const stage = await setStage()
const { world, service } = stage
const { organisation_uid, shop_uid, key } = world

const rooms = Array.from({ length: 60 }, () => random("res"))
const plain = random("aty")
const withRooms = random("aty")
const searched = random("aty")
const searchedWithRooms = random("aty")
const doctors = Array.from({ length: 50 }, () => random("doc"))
const type = (uid: string, requirements: ReadonlyArray<object>) => ({
  uid,
  organisation_uid,
  name: uid,
  meeting_type: "CONSULTATION",
  duration_minutes: 20,
  hold_ttl_seconds: 600,
  room_strategy: "per_appointment",
  rebooking_mode: "same_doctor_only",
  requirements
})
const one = { resource_uids: rooms.slice(0, 10) }
const other = { resource_uids: rooms.slice(10, 20) }
await world.provision({
  resources: rooms.map((uid) => ({ uid, organisation_uid, kind: "room", name: uid })),
  doctors: doctors.map((uid) => ({ uid, organisation_uid, display_name: uid })),
  appointment_types: [
    type(plain, []),
    type(withRooms, [one, other]),
    { ...type(searched, []), doctor_assignment_mode: "selected_doctors_only" },
    { ...type(searchedWithRooms, [{ resource_uids: rooms }]), doctor_assignment_mode: "selected_doctors_only" }
  ],
  doctor_appointment_type_settings: doctors.flatMap((doctor_uid) =>
    [searched, searchedWithRooms].map((appointment_type_uid) => ({ doctor_uid, appointment_type_uid }))
  ),
  availability_rules: doctors.flatMap((doctor_uid) =>
    [0, 1, 2, 3, 4].map((weekday) => ({
      uid: random("rul"),
      doctor_uid,
      weekday,
      start_time: 480,
      end_time: 1020
    }))
  )
})

let customers = 0
const book = (appointment_type_uid: string) => () =>
  requested(
    `${service.url}/v1/management/scheduling/appointments`,
    { shop_uid, shop_customer_id: `bench-${customers++}`, appointment_type_uid, ...stage.nextSlot() },
    { "x-api-key": key }
  )
const { start_date: from } = stage.nextSlot()
const search = (appointment_type_uid: string) => () =>
  requested(`${service.url}/v1/scheduling/slots/search`, {
    shop_uid,
    appointment_type_uid,
    from,
    to: from + 86_400,
    timezone: "UTC"
  })

const pairs = [
  { name: "booking in one request, by key", plain: book(plain), other: book(withRooms), count: BOOKINGS },
  { name: "search of 50 doctors, one day", plain: search(searched), other: search(searchedWithRooms), count: SEARCHES }
]
for (const { name, plain, other, count } of pairs) {
  const measured = async (work: () => Promise<unknown>) => {
    const { service: own, database } = await costOf(stage, service.pid, count, LANES, work)
    return own + database
  }
  await measured(plain)
  await measured(other)
  const costs: Array<readonly [number, number]> = []
  for (let round = 0; round < ROUNDS; round++) costs.push([await measured(plain), await measured(other)])
  const [without, withRooms_] = [median(costs.map(([a]) => a)), median(costs.map(([, b]) => b))]
  const ratio = median(costs.map(([a, b]) => b / a))
  console.log(`${name}: ${without.toFixed(2)} ms, with rooms ${withRooms_.toFixed(2)} ms: × ${ratio.toFixed(2)}`)
}
await stage.stop([])
process.exit(0)
