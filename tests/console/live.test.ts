/** Live pages of one process show changes made at another. Rule 17.3.1. */
import { expect, test } from "bun:test"
import { makeShop } from "../checkout/support/shop.ts"
import { pageLink } from "../support/codes.ts"
import { becomes, liveOf, signedIn } from "../support/console.ts"
import { connect, openAppointment } from "../support/meetings.ts"
import { startServer, testServer } from "../support/server.ts"
import { inDays } from "../support/world.ts"

const server = testServer()

test("a booking, an order and a waiting patient at another process appear without a reload", async () => {
  const here = server.current
  const there = await startServer({}, here.databaseUrl)
  const shop = await makeShop(there)
  const uid = await openAppointment(shop)
  const shows = async (
    what: string,
    visitor: Awaited<ReturnType<typeof signedIn>>,
    page: string,
    act: () => unknown
  ) => {
    const before = await visitor.ask(page)
    expect([what, before.text.includes(what)]).toEqual([what, false])
    await act()
    const acted = performance.now()
    await becomes(here, visitor, { page, live: liveOf(before), fits: (html) => html.includes(what) })
    console.info(`${what}: ${Math.round(performance.now() - acted)} ms`)
  }

  const doctor = await signedIn(here, ["doctor", shop.doctor, shop.organisation_uid])
  const code = (await pageLink(there, uid, "join")).split("/").at(-1)
  const { body } = await there.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  let patient: ReturnType<typeof connect> | undefined
  await shows("waiting since", doctor, "/console/doctor", async () => {
    patient = connect(there, body.room_name, body.token)
    await patient.hears("welcome")
  })
  patient?.close()

  const practice = await signedIn(here, ["admin", shop.organisation_uid, shop.organisation_uid])
  const start = inDays(8, 9)
  const week = new Date(start * 1000).toISOString().slice(0, 10)
  await shows("Testa Patient", practice, `/console/practice?view=week&day=${week}&doctor=${shop.doctor}`, () =>
    shop.booked(start)
  )

  const pharmacy = await signedIn(here, ["pharmacy", shop.pharmacy_uid, shop.pharmacy_uid])
  const order = shop.order({ name: "#1001" })
  await shows("#1001", pharmacy, "/console/pharmacy", () => shop.sendWebhook("orders/paid", order))
  await there.stop()
})
