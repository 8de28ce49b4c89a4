/** Compares the responses with the database, the received webhooks and the payment provider's routes. */
import { Client } from "pg"
import { eventsOf } from "./events.ts"
import type { Ledger } from "./stories.ts"
import { type ChaosWorld, ORGANISATION_EVENTS, PHARMACY_EVENTS } from "./world.ts"

export interface Findings {
  /** Acknowledged but missing. */
  readonly lost: ReadonlyArray<string>
  /** Present more than once. */
  readonly twice: ReadonlyArray<string>
  readonly counts: Readonly<Record<string, number>>
}

const repeated = (values: ReadonlyArray<string>) => values.filter((value, index) => values.indexOf(value) !== index)

export const check = async ({ cluster, mollie, receiver, shop }: ChaosWorld, ledger: Ledger): Promise<Findings> => {
  const client = new Client({ connectionString: cluster.url(cluster.port) })
  await client.connect()
  const rows = async <Row>(text: string, values: ReadonlyArray<unknown>) =>
    (await client.query<Row & Record<string, unknown>>(text, [...values])).rows
  const lost: Array<string> = []
  const twice: Array<string> = []

  const appointments = await rows<{ uid: string; status: string; slot: string }>(
    `SELECT uid, status, doctor_uid || ' ' || extract(epoch FROM start_date)::bigint AS slot FROM appointments
     WHERE organisation_uid = $1`,
    [shop.organisation_uid]
  )
  const found = new Map(appointments.map(({ uid, status }) => [uid, status]))
  for (const [uid, status] of ledger.appointments)
    if (found.get(uid) !== status) lost.push(`appointment ${uid}: acknowledged as ${status}, is ${found.get(uid)}`)
  const taken = appointments.filter(({ status }) => status === "confirmed").map(({ slot }) => slot)
  for (const slot of repeated(taken)) twice.push(`slot ${slot} is confirmed twice`)

  const events = await eventsOf(cluster.url(cluster.port), [shop.organisation_uid, shop.pharmacy_uid])
  const receivedEvents = (uid: string) =>
    events.filter(({ subject, type, data }) => subject === uid && (type === "rebooked" || data.change === "confirmed"))
      .length
  for (const [uid] of ledger.appointments) {
    if (receivedEvents(uid) === 0) lost.push(`appointment ${uid} has no event of its confirmation`)
    if (receivedEvents(uid) > 1) twice.push(`appointment ${uid} has ${receivedEvents(uid)} events of its confirmation`)
  }

  const deliveries = await rows<{ event_id: string; subscription_uid: string; status: string }>(
    "SELECT event_id, subscription_uid, status FROM webhook_deliveries WHERE owner_uid = ANY ($1)",
    [[shop.organisation_uid, shop.pharmacy_uid]]
  )
  const received = new Set(receiver.all.map(({ id }) => id))
  for (const { event_id, status } of deliveries)
    if (!received.has(event_id)) lost.push(`webhook of event ${event_id} (${status}) never arrived`)
  for (const pair of repeated(deliveries.map(({ event_id, subscription_uid }) => `${event_id} to ${subscription_uid}`)))
    twice.push(`delivery of ${pair}`)
  const subscribed: ReadonlySet<string> = new Set([
    ...ORGANISATION_EVENTS.map((name) => name.toLowerCase()),
    ...PHARMACY_EVENTS
  ])
  const delivered = new Set(deliveries.map(({ event_id }) => event_id))
  for (const { id, type } of events)
    if (subscribed.has(type) && !delivered.has(id)) lost.push(`event ${id} (${type}) has no delivery`)

  const orders = await rows<{ uid: string; name: string; status: string }>(
    "SELECT uid, name, status FROM pharmacy_orders WHERE pharmacy_uid = $1",
    [shop.pharmacy_uid]
  )
  const names = orders.map(({ name }) => name)
  for (const name of ledger.orders) if (!names.includes(name)) lost.push(`order ${name} reached no pharmacy`)
  for (const name of repeated(names)) twice.push(`order ${name}`)

  const payouts = await rows<{ order: string; component: string; routing: string; reason: string | null }>(
    `SELECT pharmacy_order_uid AS order, component_type AS component, routing, parked_reason AS reason FROM payouts WHERE pharmacy_uid = $1`,
    [shop.pharmacy_uid]
  )
  let routes = 0
  for (const [payment, uid] of ledger.completed) {
    const own = payouts.filter(({ order }) => order === uid)
    const routed = mollie.routes(payment)
    routes += routed.length
    if (orders.find((order) => order.uid === uid)?.status !== "completed") lost.push(`order ${uid} is not completed`)
    for (const { component, routing, reason } of own)
      if (routing !== "routed") lost.push(`payout ${component} of ${uid} is ${routing}: ${reason}`)
    if (routed.length < own.length || own.length === 0)
      lost.push(`order ${uid}: ${own.length} payouts, ${routed.length} routes`)
    if (routed.length > own.length) twice.push(`order ${uid}: ${own.length} payouts, ${routed.length} routes`)
  }

  const accepted = await rows<{ id: string; uid: string; exists: boolean }>(
    `SELECT a.id, a.prescription_uid AS uid, p.uid IS NOT NULL AS exists FROM accepted_prescriptions a
     LEFT JOIN prescriptions p ON p.organisation_uid = a.organisation_uid AND p.uid = a.prescription_uid
     WHERE a.organisation_uid = $1 AND a.accepted_at IS NOT NULL`,
    [shop.organisation_uid]
  )
  for (const [id, uid] of ledger.prescriptions)
    if (!accepted.some((row) => row.id === id && row.uid === uid && row.exists)) lost.push(`prescription ${id}`)
  await client.end()
  return {
    lost,
    twice,
    counts: {
      appointments: ledger.appointments.size,
      events: events.length,
      webhooks: receiver.all.length,
      orders: ledger.orders.size,
      completed: ledger.completed.size,
      routes,
      prescriptions: ledger.prescriptions.size
    }
  }
}

/** Pending work: deliveries, and payouts that are not routed. */
export const outstanding = async ({ cluster, shop }: ChaosWorld): Promise<number> => {
  const client = new Client({ connectionString: cluster.url(cluster.port) })
  try {
    await client.connect()
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
            + (SELECT count(*) FROM payouts WHERE pharmacy_uid = $1 AND routing = 'pending') AS left`,
      [shop.pharmacy_uid]
    )
    return Number(rows[0].left)
  } finally {
    await client.end().catch(() => undefined)
  }
}
