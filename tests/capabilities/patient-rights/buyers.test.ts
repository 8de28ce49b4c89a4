/** Erasure of a person who bought for another: contact data goes, the other's order stays. Rule 12.2.14. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { ADDRESS } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"
import { shopWithPatient } from "./scene.ts"

const server = testServer()

// Shows: an erasure that lists other organisations' records at a shared pharmacy as its patient's prescriptions
test("an erasure takes the buyer's data from another's orders, and keeps what is the other's; Rule 12.2.14", async () => {
  const [mother, child, sibling] = ["Mona", "Kim", "Robin"].map((first_name) => ({
    first_name,
    last_name: random("last")
  }))
  const email = `${random("mail")}@example.org`
  const profile = { ...mother, date_of_birth: "1980-02-29", email }
  const shop = await shopWithPatient(server.current, profile, { default_pharmacy: true })
  const bought = async (patient: object | undefined, payer: object | undefined, isPaid = false) => {
    const { status, body } = await shop.prescribe({
      patient_data: { ...patient, date_of_birth: 1_500_000_000, gender: "divers" },
      buyerIdentity: { email: email.toUpperCase(), phone: "+49 30 1234567" },
      billing_address: { ...payer, ...ADDRESS },
      shipping_address: { ...patient, ...ADDRESS }
    })
    expect(status).toBe(200)
    if (isPaid) expect((await shop.pay(body.draft_order_id)).ok).toBe(true)
    return body.draft_order_id as string
  }
  const draft = await bought(child, mother)
  const paid = await bought(child, mother, true)
  const billedToAnother = await bought(sibling, child)
  const own = await bought(mother, mother)
  const { body } = await shop.erase()

  const left = await shop.sql<{
    id: string
    email: string | null
  }>`SELECT id, email, phone, billing_address, shipping_address,
    attributes FROM embedded_orders WHERE shop_uid = ${shop.shop_uid}`
  const byId = new Map(left.map((row) => [row.id, row]))
  const childs = { shipping_address: child }
  for (const id of [draft, paid])
    expect(byId.get(id)).toMatchObject({ email: null, phone: null, billing_address: null, ...childs })
  const others = { billing_address: child, shipping_address: sibling }
  expect(byId.get(billedToAnother)).toMatchObject({ email: null, phone: null, ...others })
  expect(byId.has(own)).toBe(false)

  expect(body.erased).toContainEqual({ what: "buyers", count: 3 })
  expect(body.erased).toContainEqual({ what: "buyer_addresses", count: 2 })
  const kept = Object.fromEntries(body.kept.map((entry: { what: string; count: number }) => [entry.what, entry.count]))
  expect(kept).toMatchObject({ orders: 1, orders_of_others: 3 })
  const owner = OrganisationUid.make(shop.organisation_uid)
  const records = await server.current.run(Effect.flatMap(Erasures, ({ retained }) => retained(owner, shop.patient)))
  // the voucher of the paid order names its buyer, and is sealed
  expect(JSON.stringify(records)).toContain(email.toUpperCase())
  expect(JSON.stringify(records)).not.toContain(draft)
  expect((await shop.pharmacyOrders()).map(({ patient }) => patient.first_name)).toEqual(["Kim"])
})

test("an erasure of a patient without a name deletes the drafts with the patient's mail address, whomever they name; Rule 12.2.14", async () => {
  const email = `${random("mail")}@example.org`
  const shop = await shopWithPatient(server.current, { email }, { default_pharmacy: true })
  const billing_address = { first_name: "Mona", last_name: "Muster", ...ADDRESS }
  expect((await shop.prescribe({ buyerIdentity: { email }, billing_address })).status).toBe(200)
  expect((await shop.erase()).body.erased).toContainEqual({ what: "drafts", count: 1 })
  expect(await shop.sql`SELECT id FROM embedded_orders WHERE shop_uid = ${shop.shop_uid}`).toEqual([])
})
