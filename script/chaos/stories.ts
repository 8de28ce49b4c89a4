/**
 * Actions of patients, partners, shops and pharmacies, each story with its own records, and their responses: the ledger
 * that the checker compares with the database.
 */
import { Schema } from "effect"
import { webhookHmac } from "../../src/capabilities/shared/services/intake/hmac.ts"
import type { ShopWorld } from "../../tests/checkout/support/shop.ts"
import { PATIENT, pdf } from "../../tests/checkout/support/shop.ts"
import { inDays } from "../../tests/support/world.ts"
import type { Answer, Caller, Random } from "./caller.ts"

/** Units sold at 19.90 and shipping at 4.90, in cents. */
const ORDER_TOTAL = 1_990 + 490

const decode = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = Schema.decodeUnknownSync(schema)
  return (answer: Answer | undefined) => (answer === undefined || answer.status >= 300 ? undefined : read(answer.body))
}
const Uid = decode(Schema.Struct({ uid: Schema.String }))
const Moved = decode(Schema.Struct({ appointment_uid: Schema.String }))
const Record = decode(Schema.Struct({ uid: Schema.String, status: Schema.String }))
const Session = decode(Schema.Struct({ booking_launch_code: Schema.String }))
const Held = decode(Schema.Struct({ hold_uid: Schema.String }))
const Orders = decode(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ uid: Schema.String, name: Schema.String, status: Schema.String }))
  })
)
const Checkout = decode(
  Schema.Struct({ prescriptions: Schema.Array(Schema.Struct({ prescription_uid: Schema.String })) })
)

export interface Ledger {
  /** By appointment: the status in its last response. */
  readonly appointments: Map<string, string>
  /** By payment: the pharmacy order that was completed. */
  readonly completed: Map<string, string>
  /** By name: orders for which the shop's webhook was acknowledged. */
  readonly orders: Set<string>
  /** By the shop's reference: the prescription. */
  readonly prescriptions: Map<string, string>
}

interface Setting {
  readonly caller: Caller
  readonly shop: ShopWorld
  readonly random: Random
  /** Registers a payment with the payment provider. */
  readonly pay: (payment: string, cents: number) => void
}

export const makeStories = ({ caller: { ask }, shop, random, pay }: Setting) => {
  const ledger: Ledger = { appointments: new Map(), completed: new Map(), orders: new Set(), prescriptions: new Map() }
  const byKey = { "x-api-key": shop.key }
  const management = "/v1/management/scheduling/appointments"
  let count = 0
  /** A doctor and a time that no other story uses, a month ahead. */
  const ownSlot = () => {
    count += 1
    const doctor_uid = shop.doctors[count % shop.doctors.length] ?? ""
    return { doctor_uid, start_date: inDays(30) + Math.floor(count / shop.doctors.length) * 1_200 }
  }
  const name = () => `story-${count}-${Math.floor(random() * 1e9)}`

  const statusOf = async (uid: string) => {
    const answer = await ask({ method: "GET", path: `${management}/${uid}`, headers: byKey }, [200])
    return Record(answer)?.status
  }

  const bookAtOnce = async () => {
    const customer = name()
    const made = await ask(
      {
        method: "POST",
        path: management,
        headers: { ...byKey, "idempotency-key": customer },
        body: {
          shop_uid: shop.shop_uid,
          shop_customer_id: customer,
          appointment_type_uid: shop.type_uid,
          patient_profile_fields: [{ field: "first_name", value: "Chaos", source: "shop" }],
          ...ownSlot()
        }
      },
      [201]
    )
    return Uid(made)?.uid
  }

  const bookByHold = async () => {
    const customer = name()
    const slot = ownSlot()
    const sessions = "/v1/scheduling/booking-sessions"
    const range = { appointment_type_uid: shop.type_uid, from: slot.start_date, to: slot.start_date + 1 }
    const session = Session(
      await ask(
        {
          method: "POST",
          path: sessions,
          headers: { "x-service-booking-token": await shop.token(customer) },
          body: { mode: "booking", ...range }
        },
        [200]
      )
    )
    if (session === undefined) return undefined
    const path = `${sessions}/${session.booking_launch_code}/holds`
    const body = { ...slot, appointment_type_uid: shop.type_uid }
    const held = Held(await ask({ method: "POST", path, headers: { "idempotency-key": customer }, body }, [200]))
    if (held === undefined) return undefined
    const confirmed = await ask({ method: "POST", path: `${path}/${held.hold_uid}/confirm`, body: {} }, [200])
    // a repeated confirmation may report that it is already confirmed
    if (confirmed?.status === 409) return (await statusOf(held.hold_uid)) === "confirmed" ? held.hold_uid : undefined
    return Uid(confirmed)?.uid
  }

  const cancel = async (uid: string) => {
    const path = `${management}/${uid}/cancel`
    const answer = await ask({ method: "POST", path, headers: byKey, body: { reason: "chaos" } }, [200])
    if (answer === undefined) return void ledger.appointments.delete(uid)
    ledger.appointments.set(uid, "cancelled")
  }

  const move = async (uid: string) => {
    const { doctor_uid, start_date } = ownSlot()
    const answer = await ask(
      {
        method: "POST",
        path: `/v1/scheduling/appointments/${uid}/rebook`,
        headers: { ...byKey, "idempotency-key": `move-${uid}` },
        body: { new_start_date: start_date, new_doctor_uid: doctor_uid }
      },
      [200]
    )
    const moved = Moved(answer)
    if (moved === undefined) return void ledger.appointments.delete(uid)
    ledger.appointments.set(uid, "cancelled")
    ledger.appointments.set(moved.appointment_uid, "confirmed")
  }

  const appointment = async () => {
    const uid = await (random() < 0.5 ? bookAtOnce() : bookByHold())
    if (uid === undefined) return
    ledger.appointments.set(uid, "confirmed")
    const then = random()
    if (then < 0.25) await cancel(uid)
    else if (then < 0.5) await move(uid)
  }

  const pharmacy = { "x-api-key": shop.pharmacy_key }
  const orders = "/v1/external_pharmacy_api/pharmacy_orders"
  const orderNamed = async (wanted: string) => {
    const list = Orders(await ask({ method: "GET", path: `${orders}/?limit=100`, headers: pharmacy }, [200]))
    return list?.data.find((order) => order.name === wanted)
  }

  /** A partner's prescription: one per reference, however often it is sent. */
  const checkout = async () => {
    count += 1
    const id = name()
    const answer = await ask(
      {
        method: "POST",
        path: `/v2/public-api/prescriptions/${shop.shop_identifier}`,
        headers: byKey,
        body: { ...shop.bodyOf({ id }), prescriptions: [{ id, pdf_base64: pdf(id) }], patient_data: PATIENT }
      },
      [200]
    )
    const [prescription] = Checkout(answer)?.prescriptions ?? []
    if (prescription === undefined) return undefined
    ledger.prescriptions.set(id, prescription.prescription_uid)
    return prescription.prescription_uid
  }

  /** A paid order of a prescription arrives at the pharmacy, which prepares and completes it; its payout is then routed. */
  const order = async () => {
    const prescription = await checkout()
    if (prescription === undefined) return
    const payment = `tr_${name().replace(/\W/g, "")}`
    const wanted = `#${payment}`
    pay(payment, ORDER_TOTAL)
    const body = JSON.stringify({
      financial_status: "paid",
      ...shop.order({
        name: wanted,
        line_items: [shop.line(shop.skus.drops, { _prescription_uid: prescription })],
        note_attributes: [{ name: "transaction_id", value: payment }]
      })
    })
    const headers = {
      "x-shopify-topic": "orders/paid",
      "x-shopify-webhook-id": name(),
      "x-shopify-hmac-sha256": webhookHmac(shop.webhook_secret, body)
    }
    const path = `/v1/storefront/${shop.shop_identifier}/webhooks`
    if ((await ask({ method: "POST", path, headers, body }, [200]))?.status !== 200) return
    ledger.orders.add(wanted)
    const found = await orderNamed(wanted)
    if (found === undefined) return
    for (const status of ["accepted", "in_preparation"])
      await ask({ method: "PATCH", path: `${orders}/${found.uid}/status`, headers: pharmacy, body: { status } }, [200])
    const complete = { method: "PATCH", path: `${orders}/${found.uid}/complete_order`, headers: pharmacy }
    const completed = await ask(complete, [200])
    if (completed?.status === 200 || completed?.repeated) ledger.completed.set(payment, found.uid)
  }

  /** Runs one story, chosen at random. */
  const sendWebhook = () => {
    const which = random()
    return which < 0.7 ? appointment() : which < 0.9 ? order() : checkout()
  }
  return { tell: sendWebhook, ledger }
}
