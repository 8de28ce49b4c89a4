/** Worlds whose type takes more than its doctor, and bookings by API key in them. */
import type { TestServer } from "../../support/server.ts"
import { inDays, makeWorld, random, type WorldOptions } from "../../support/world.ts"

export interface Scene extends WorldOptions {
  /** Number of rooms, of which the type takes one unless `type_with` says otherwise. */
  readonly rooms?: number
  /** Fields of the type, from the uids of rooms and doctors. */
  readonly type_with?: (uids: {
    readonly rooms: ReadonlyArray<string>
    readonly doctors: ReadonlyArray<string>
  }) => Readonly<Record<string, unknown>>
}

const takesRoom: Scene["type_with"] = ({ rooms }) => ({ requirements: [{ resource_uids: rooms }] })

/** A world with rooms; its type gets its fields once the rooms are there. */
export const makeScene = async (server: TestServer, { rooms: count = 0, ...more }: Scene) => {
  const { type_with = count > 0 ? takesRoom : undefined, ...options } = more
  const world = await makeWorld(server, options)
  const { organisation_uid } = world
  // in order of their uids
  const rooms = Array.from({ length: count }, () => random("res")).toSorted()
  await world.provision({
    resources: rooms.map((uid) => ({ uid, organisation_uid, kind: "room", name: `Room ${rooms.indexOf(uid) + 1}` }))
  })
  const doctors = world.doctors.toSorted()
  const change = (body: Readonly<Record<string, unknown>>, type_uid = world.type_uid) =>
    server.api("PATCH", `/v1/management/scheduling/appointment-types/${type_uid}`, { key: world.key, body })
  if (type_with !== undefined) {
    const { status, body } = await change(type_with({ rooms, doctors }))
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  let customers = 0
  /** Books by API key; the answer has the record. */
  const book = (doctor_uid: string, start_date: number, more: Readonly<Record<string, unknown>> = {}) =>
    world.bookByKey({ shop_customer_id: `customer-${customers++}`, doctor_uid, start_date, ...more })
  const cancel = (uid: string) =>
    world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "x" })
  const rebook = (uid: string, body: Readonly<Record<string, unknown>>) =>
    world.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, body)
  /** Starts that are offered in the range, each with its doctor. */
  const offered = async (from: number, to: number, more: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await world.search({ from, to, ...more })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.slots as ReadonlyArray<{
      readonly doctor_uid: string
      readonly start_date: number
      readonly seats_left?: number
    }>
  }
  /** Doctors who are offered at the start. */
  const offeredAt = async (start: number) => (await offered(start, start + 1)).map(({ doctor_uid }) => doctor_uid)
  /** The uids of the resources of a record. */
  const roomsOf = ({ body }: { readonly body: { readonly resources: ReadonlyArray<{ readonly uid: string }> } }) =>
    body.resources.map(({ uid }) => uid)
  /** Inserts a copy of an appointment with other fields, past the service. */
  const copied = (uid: string, changes: object) =>
    server.query(
      `INSERT INTO appointments SELECT (jsonb_populate_record(a, $2::jsonb || jsonb_build_object('uid', gen_random_uuid(), 'slot_group', gen_random_uuid()))).*
        FROM appointments a WHERE a.uid = $1 RETURNING uid`,
      [uid, JSON.stringify(changes)]
    )
  return { ...world, rooms, doctors, change, book, cancel, rebook, offered, offeredAt, roomsOf, copied }
}

/** Nine o'clock on a day ahead. */
export const nine = (minutes = 0, days = 3) => inDays(days, 9, minutes)
