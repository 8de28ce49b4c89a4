// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto"
import { exampleEvents } from "../generated/events.ts"
import type { Sprechstunde } from "../index.ts"
import { clientFrom, UsageError, type Values } from "./arguments.ts"
import { forward, newSecret, targetFrom } from "./forward.ts"

const DAYS_AHEAD = 14
const DAY = 86_400

const shopFrom = async (client: Sprechstunde, { shop }: Values) => {
  if (shop !== undefined) return shop
  const [first] = await client.listShops().then(({ data }) => data)
  if (first === undefined) throw new UsageError("The organisation has no shop: give --shop")
  return first.uid
}

const typeFrom = async (client: Sprechstunde, values: Values) => {
  const given = values["appointment-type"]
  if (given !== undefined) return given
  const { data } = await client.listAppointmentTypes()
  const bookable = data.find(({ active }) => active)
  if (bookable === undefined) throw new UsageError("The organisation has no active type: give --appointment-type")
  return bookable.uid
}

const freeSlots = async (client: Sprechstunde, shop_uid: string, appointment_type_uid: string) => {
  const from = Math.floor(Date.now() / 1000)
  const to = from + DAYS_AHEAD * DAY
  const { slots } = await client.searchSlots({ body: { shop_uid, appointment_type_uid, from, to, limit: 100 } })
  return slots
}

const book = async (client: Sprechstunde, values: Values) => {
  const shop_uid = await shopFrom(client, values)
  const appointment_type_uid = await typeFrom(client, values)
  const [slot, ...others] = await freeSlots(client, shop_uid, appointment_type_uid)
  if (slot === undefined) throw new UsageError(`Nothing is free in the next ${DAYS_AHEAD} days`)
  const { doctor_uid, start_date } = slot
  const shop_customer_id = `trigger-${randomUUID()}`
  const appointment = await client.bookAppointment({
    body: { shop_uid, appointment_type_uid, doctor_uid, start_date, shop_customer_id }
  })
  return { appointment, others }
}

/** What causes each of these events, for real. */
const causes: Readonly<Record<string, (client: Sprechstunde, values: Values) => Promise<string>>> = {
  patient_doctor_meeting_updated: async (client, values) => {
    const { appointment } = await book(client, values)
    return `booked ${appointment.uid}`
  },
  rebooked: async (client, values) => {
    const { appointment, others } = await book(client, values)
    const next = others.find(
      (slot) => slot.doctor_uid === appointment.doctor_uid && slot.start_date >= appointment.end_date
    )
    if (next === undefined) throw new UsageError("There is no second slot to move to")
    const { mode } = await client
      .listAppointmentTypes()
      .then(({ data }) => ({ mode: data.find(({ uid }) => uid === appointment.appointment_type_uid)?.rebooking_mode }))
    const moved = await client.rebookPatientAppointment({
      appointment_uid: appointment.uid,
      body: {
        new_start_date: next.start_date,
        ...(mode === "any_doctor_same_organisation" && { new_doctor_uid: next.doctor_uid })
      }
    })
    return `moved ${appointment.uid} to ${moved.appointment_uid}`
  },
  "patient.created": async (client, values) => {
    const shop_uid = await shopFrom(client, values)
    const { uid } = await client.createPatient({ body: { shop_uid, shop_customer_id: `trigger-${randomUUID()}` } })
    return `created ${uid}`
  },
  "prescription.rendered": async (client, { prescription: prescription_uid }) => {
    if (prescription_uid === undefined) throw new UsageError("Give the prescription to render with --prescription")
    const { message } = await client.renderPrescription({ prescription_uid })
    return `${prescription_uid}: ${message}`
  }
}

/** Causes an event by doing what it tells of; with `--forward`, sends the documented example of any type instead. */
export const trigger = async (type: string | undefined, values: Values) => {
  const example = Object.entries(exampleEvents).find(([name]) => name === type)?.[1]
  if (type === undefined || example === undefined)
    throw new UsageError(`Which event? One of: ${Object.keys(exampleEvents).join(", ")}`)
  if (values.forward !== undefined) {
    const secret = values.secret ?? newSecret()
    if (values.secret === undefined) console.log(`Signing secret: ${secret}`)
    console.log(await forward({ ...example, id: `evt_example_${randomUUID()}` }, targetFrom(values.forward), secret))
    return
  }
  const cause = causes[type]
  if (cause === undefined)
    throw new UsageError(
      `${type} cannot be caused from here: --forward URL sends its example. For real: ${Object.keys(causes).join(", ")}`
    )
  console.log(await cause(clientFrom(values), values))
}
