/** Refused pages and forms: other owners' records, and ended sessions. Sections 17.1 and 17.2. */
import { describe, expect, test } from "bun:test"
import { asAdmin, asDoctor, asPharmacy, type ConsoleVisitor } from "../../support/console.ts"
import { pharmacyWithOrder } from "../../support/pharmacyWithOrder.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { waitingPrescriptions } from "../../support/waitingPrescriptions.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

const patientOf = async (uid: string) => String((await stored(server.current, uid)).patient_uid)

const expectMissing = async (browser: ConsoleVisitor, addresses: ReadonlyArray<string>) => {
  for (const address of addresses) expect([address, (await browser.ask(address)).status]).toEqual([address, 404])
}

describe("a record's page is 404; Rule 17.1.3", () => {
  test("of another organisation", async () => {
    const [own, other] = [await makeWorld(server.current), await makeWorld(server.current)]
    const uid = await other.booked(inDays(1, 9))
    const patient = await patientOf(uid)
    const [prescription] = await waitingPrescriptions(other)
    const hook = { notification_type: "REBOOKED", url: "http://127.0.0.1:9/hook" }
    const made = await other.api("POST", "/v1/management/notification-subscriptions", hook)
    await expectMissing(await asAdmin(server.current, own), [
      `/console/practice/appointments/${uid}`,
      `/console/practice/patients/${patient}`,
      `/console/practice/patients/${patient}/rights`,
      `/console/practice/prescriptions?uid=${prescription}`,
      `/console/practice/webhooks?subscription=${made.body.uid}`,
      `/console/practice/mail-preview?type=${other.type_uid}`
    ])
    await expectMissing(await asDoctor(server.current, own), [
      `/console/doctor/appointments/${uid}`,
      `/console/doctor/patients/${patient}`
    ])
  })

  test("with NUL in its address, which the database refuses", async () => {
    await expectMissing(await asAdmin(server.current, await makeWorld(server.current)), [
      "/console/practice/appointments/%00",
      "/console/practice/patients/a%00b",
      "/console/practice/patients?search=%00",
      "/console/practice/prescriptions?uid=%00"
    ])
  })

  test("of another doctor of the same practice", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(1, 9), "theirs", { doctor_uid: world.doctors[1] })
    await expectMissing(await asDoctor(server.current, world), [
      `/console/doctor/appointments/${uid}`,
      `/console/doctor/patients/${await patientOf(uid)}`
    ])
  })

  test("of another pharmacy", async () => {
    const world = await makeWorld(server.current)
    const [own, other] = [await pharmacyWithOrder(world), await pharmacyWithOrder(world)]
    const browser = await asPharmacy(server.current, own.pharmacy_uid)
    await expectMissing(browser, [
      `/console/pharmacy/orders/${other.order_uid}`,
      `/console/pharmacy/orders/${other.order_uid}?pharmacy_uid=${other.pharmacy_uid}`
    ])
    const { text } = await browser.ask(`/console/pharmacy?pharmacy_uid=${other.pharmacy_uid}`)
    expect(text).not.toContain(other.order_uid)
  })
})

describe("an ended session leads to sign-in; Rules 17.1.4 and 17.1.5", () => {
  const enter = async () => asDoctor(server.current, await makeWorld(server.current, { doctors: 1 }))

  test("of another issuer, idle for 30 minutes, older than 8 hours or revoked", async () => {
    const browser = await enter()
    const hash = new Bun.CryptoHasher("sha256").update(browser.cookies.get("sprechstunde-console") ?? "").digest("hex")
    const found = async (change: string) => {
      const text = `UPDATE console_sessions SET ${change} WHERE token_hash = $1 RETURNING token_hash`
      expect(await server.current.query(text, [hash])).toHaveLength(1)
      const { status, location } = await browser.ask("/console/doctor")
      return [change, status === 303 && location.startsWith("/console/sign-in") ? "sign-in" : status]
    }
    for (const [over, valid] of [
      ["issuer = issuer || 'x'", "issuer = left(issuer, -1)"],
      ["used_at = now() - interval '31 minutes'", "used_at = now()"],
      ["expires_at = now() - interval '1 second'", "expires_at = now() + interval '8 hours'"],
      ["revoked_at = now()", "revoked_at = NULL"]
    ] as const)
      expect([await found(over), await found(valid)]).toEqual([
        [over, "sign-in"],
        [valid, 200]
      ])
  })

  test("by sign-out, for pages, their streams and forms", async () => {
    const browser = await enter()
    const kept = new Map(browser.cookies)
    await browser.ask("/console/sign-out", { "@csrf": browser.csrf })
    for (const [name, value] of kept) browser.cookies.set(name, value)
    for (const { status, location } of [
      await browser.ask("/console/doctor"),
      await browser.ask("/console/doctor/live"),
      await browser.send("POST /v1/doctor/calendar-feed")
    ])
      expect([status, location]).toEqual([303, expect.stringMatching(/^\/console\/sign-in/)])
  })
})

test("a form whose session has ended leads through the sign-in to its page, which confirms nothing; Rule 17.2.9", async () => {
  const { url } = server.current
  const sent = async (search: string) => {
    const referer = `${url}/console/practice/patients/pat_1${search}`
    const form = { method: "POST", redirect: "manual", headers: { referer }, body: new URLSearchParams() } as const
    const location = (await fetch(`${url}/console/practice/do`, form)).headers.get("location") ?? ""
    return new URL(location, url).searchParams.get("to")
  }
  expect(await sent("?page=2&done=1")).toBe("/console/practice/patients/pat_1?page=2")
  expect(await sent("?done=1")).toBe("/console/practice/patients/pat_1")
})
