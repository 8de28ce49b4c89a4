/** Live pages of one process show changes made at another. Rule 17.3.1. */
import { expect, test } from "bun:test"
import { makeShop } from "../../checkout/support/shop.ts"
import { pageLink } from "../../support/codes.ts"
import { asAdmin, asDoctor, asPharmacy, becomes, type ConsoleVisitor, liveOf } from "../../support/console.ts"
import { connect, openAppointment } from "../../support/meetings.ts"
import { startServer, testServer } from "../../support/server.ts"
import { dayOf, inDays } from "../../support/world.ts"

const server = testServer()

test("a booking, an order and a waiting patient at another process appear without a reload", async () => {
  const here = server.current
  const there = await startServer({}, here.databaseUrl)
  const shop = await makeShop(there)
  const uid = await openAppointment(shop)
  const shows = async (what: string, visitor: ConsoleVisitor, page: string, act: () => unknown) => {
    const before = await visitor.ask(page)
    expect([what, before.text.includes(what)]).toEqual([what, false])
    await act()
    const acted = performance.now()
    await becomes(here, visitor, { page, live: liveOf(before), fits: (html) => html.includes(what) })
    console.info(`${what}: ${Math.round(performance.now() - acted)} ms`)
  }

  const doctor = await asDoctor(here, shop)
  const code = (await pageLink(there, uid, "join")).split("/").at(-1)
  const { body } = await there.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  let patient: ReturnType<typeof connect> | undefined
  await shows("waiting since", doctor, "/console/doctor", async () => {
    patient = connect(there, body.room_name, body.token)
    await patient.hears("welcome")
  })
  patient?.close()

  const practice = await asAdmin(here, shop)
  const start = inDays(8, 9)
  const week = `/console/practice?view=week&day=${dayOf(start)}&doctor=${shop.doctor}`
  await shows("Testa Patient", practice, week, () => shop.booked(start))

  const pharmacy = await asPharmacy(here, shop.pharmacy_uid)
  const order = shop.order({ name: "#1001" })
  await shows("#1001", pharmacy, "/console/pharmacy", () => shop.sendWebhook("orders/paid", order))
  await there.stop()
})
