/** Refused pages and forms: other owners' records, and forms without a token. Sections 17.1 and 17.2. */
import { describe, expect, test } from "bun:test"
import { type ConsoleVisitor, signedIn } from "../support/console.ts"
import { pharmacyWithOrder } from "../support/pharmacyWithOrder.ts"
import { testServer } from "../support/server.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const SUBSCRIPTIONS = "/v1/management/notification-subscriptions"

const get = async (world: World, path: string) => (await world.api("GET", path)).body
const patientOf = async (world: World, uid: string): Promise<string> =>
  (await get(world, `/v1/management/scheduling/appointments/${uid}`)).patient_uid
const asPractice = (world: World) => signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
const asDoctor = (world: World, doctor = world.doctor) =>
  signedIn(server.current, ["doctor", doctor, world.organisation_uid])

const asPharmacy = (pharmacy: string) => signedIn(server.current, ["pharmacy", pharmacy, pharmacy])

const expectMissing = async (browser: ConsoleVisitor, addresses: ReadonlyArray<string>) => {
  for (const address of addresses) expect([address, (await browser.ask(address)).status]).toEqual([address, 404])
}

describe("a record's page is 404; Rule 17.1.3", () => {
  test("of another organisation", async () => {
    const [own, other] = [await makeWorld(server.current), await makeWorld(server.current)]
    const uid = await other.booked(inDays(1, 9))
    const patient = await patientOf(other, uid)
    const [prescription] = await waitingPrescriptions(other)
    const hook = { notification_type: "REBOOKED", url: "http://127.0.0.1:9/hook" }
    const made = await other.api("POST", SUBSCRIPTIONS, hook)
    expect(made.status).toBe(201)
    await expectMissing(await asPractice(own), [
      `/console/practice/appointments/${uid}`,
      `/console/practice/patients/${patient}`,
      `/console/practice/patients/${patient}/rights`,
      `/console/practice/prescriptions?uid=${prescription}`,
      `/console/practice/webhooks?subscription=${made.body.uid}`,
      `/console/practice/mail-preview?type=${other.type_uid}`
    ])
    await expectMissing(await asDoctor(own), [
      `/console/doctor/appointments/${uid}`,
      `/console/doctor/patients/${patient}`
    ])
  })

  test("with NUL in its address, which the database refuses", async () => {
    await expectMissing(await asPractice(await makeWorld(server.current)), [
      "/console/practice/appointments/%00",
      "/console/practice/patients/a%00b",
      "/console/practice/patients?search=%00",
      "/console/practice/prescriptions?uid=%00"
    ])
  })

  test("of another doctor of the same practice", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(1, 9), "theirs", { doctor_uid: world.doctors[1] })
    await expectMissing(await asDoctor(world), [
      `/console/doctor/appointments/${uid}`,
      `/console/doctor/patients/${await patientOf(world, uid)}`
    ])
  })

  test("of another pharmacy", async () => {
    const world = await makeWorld(server.current)
    const [own, other] = [await pharmacyWithOrder(world), await pharmacyWithOrder(world)]
    const browser = await asPharmacy(own.pharmacy_uid)
    await expectMissing(browser, [
      `/console/pharmacy/orders/${other.order_uid}`,
      `/console/pharmacy/orders/${other.order_uid}?pharmacy_uid=${other.pharmacy_uid}`
    ])
    const { text } = await browser.ask(`/console/pharmacy?pharmacy_uid=${other.pharmacy_uid}`)
    expect(text).not.toContain(other.order_uid)
  })
})

/** Forms that change something, each as a browser would send it. */
const formsOn = (html: string) =>
  [...html.matchAll(/<form[^>]*method="post"[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = "", inside = ""]) => ({
      action: action.replaceAll("&amp;", "&"),
      fields: Object.fromEntries(
        [...inside.matchAll(/name="([^"]+)"(?: value="([^"]*)")?/g)].map(([, name = "", value = ""]) => [name, value])
      )
    })
  )

/** Sends every form of the pages without its token, and with another session's. */
const expectForged = async (browser: ConsoleVisitor, pages: ReadonlyArray<string>, foreign: string) => {
  const sent = new Set<string>()
  for (const page of pages) {
    const { status, text } = await browser.ask(page)
    expect([page, status]).toEqual([page, 200])
    for (const { action, fields } of formsOn(text)) {
      const { "@csrf": token, ...others } = fields
      const name = `${action} ${fields["@operation"] ?? ""}`
      expect([name, token === undefined ? "no token" : "token"]).toEqual([name, "token"])
      for (const forged of [others, { ...others, "@csrf": foreign }])
        expect([name, (await browser.ask(action, forged)).status]).toEqual([name, 403])
      sent.add(name)
    }
  }
  return sent.size
}

describe("every form without its session's token is 403, and nothing happens; Rule 17.2.2", () => {
  const foreign = async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    return /name="@csrf" value="([^"]+)"/.exec((await asPractice(world)).page.text)?.[1] ?? ""
  }

  test("in the practice", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const uid = await world.booked(inDays(1, 9))
    const day = new Date(inDays(1) * 1000).toISOString().slice(0, 10)
    const patient = await patientOf(world, uid)
    const [prescription] = await waitingPrescriptions(world)
    const paths = [
      "",
      `/appointments/${uid}`,
      "/patients",
      `/patients/${patient}`,
      `/patients/${patient}/rights`,
      `/prescriptions?uid=${prescription}`,
      `/absences?from=${day}&until=${day}`,
      `/hours?day=${day}`,
      `/types?type=${world.type_uid}`,
      "/settings",
      "/people",
      "/shops",
      "/branding",
      "/access",
      "/webhooks"
    ]
    const pages = paths.map((path) => `/console/practice${path}`)
    const count = await expectForged(await asPractice(world), pages, await foreign())
    expect(count).toBeGreaterThan(25)
    expect((await get(world, `/v1/management/scheduling/appointments/${uid}`)).status).toBe("confirmed")
  })

  test("in the doctor's workspace", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const uid = await world.booked(inDays(1, 9))
    await waitingPrescriptions(world)
    const patient = await patientOf(world, uid)
    const pages = ["", "/week", "/hours?day=2035-01-08", "/prescriptions", `/patients/${patient}`]
    const addresses = pages.map((path) => `/console/doctor${path}`)
    expect(await expectForged(await asDoctor(world), addresses, await foreign())).toBeGreaterThan(7)
    expect((await (await asDoctor(world)).ask("/console/doctor/join", { appointment_uid: uid })).status).toBe(403)
  })

  test("in the pharmacy", async () => {
    const { pharmacy_uid: pharmacy, order_uid: order } = await pharmacyWithOrder(await makeWorld(server.current))
    const pages = ["", `/orders/${order}`, "/stock", "/payouts", "/webhooks"].map((path) => `/console/pharmacy${path}`)
    expect(await expectForged(await asPharmacy(pharmacy), pages, await foreign())).toBeGreaterThan(4)
  })

  test("in the operator's workspace", async () => {
    const browser = await signedIn(server.current, ["operator", "operator", "installation"])
    const pages = ["", "/jobs", "/backlog", "/provisioning", "/audit"].map((path) => `/console/operator${path}`)
    expect(await expectForged(browser, pages, await foreign())).toBeGreaterThan(1)
  })
})

describe("an expired session cookie redirects every workspace to sign-in; Rules 17.1.4 and 17.1.5", () => {
  const everyRoom = async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const { pharmacy_uid: pharmacy } = await pharmacyWithOrder(world)
    return [
      ["practice", await asPractice(world)],
      ["doctor", await asDoctor(world)],
      ["pharmacy", await asPharmacy(pharmacy)],
      ["operator", await signedIn(server.current, ["operator", "operator", "installation"])]
    ] as const
  }

  test("of another issuer, idle for 30 minutes, older than 8 hours or revoked", async () => {
    for (const [room, browser] of await everyRoom()) {
      const token = browser.cookies.get("sprechstunde-console") ?? ""
      const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex")
      const found = async (change: string) => {
        const changed = await server.current.query(
          `UPDATE console_sessions SET ${change} WHERE token_hash = $1 RETURNING token_hash`,
          [hash]
        )
        expect(changed).toHaveLength(1)
        const { status, location } = await browser.ask(`/console/${room}`)
        return [room, change, status === 303 && location.startsWith("/console/sign-in") ? "sign-in" : status]
      }
      for (const [over, valid] of [
        ["issuer = issuer || 'x'", "issuer = left(issuer, -1)"],
        ["used_at = now() - interval '31 minutes'", "used_at = now()"],
        ["expires_at = now() - interval '1 second'", "expires_at = now() + interval '8 hours'"],
        ["revoked_at = now()", "revoked_at = NULL"]
      ] as const) {
        expect(await found(over)).toEqual([room, over, "sign-in"])
        expect(await found(valid)).toEqual([room, valid, 200])
      }
    }
  })

  test("after sign-out, for pages and forms", async () => {
    for (const [room, browser] of await everyRoom()) {
      const token = /name="@csrf" value="([^"]+)"/.exec(browser.page.text)?.[1] ?? ""
      const kept = new Map(browser.cookies)
      await browser.ask("/console/sign-out", { "@csrf": token })
      for (const [name, value] of kept) browser.cookies.set(name, value)
      const answers = [
        await browser.ask(`/console/${room}`),
        await browser.ask(`/console/${room}/live`),
        await browser.ask(`/console/${room}/do`, { "@csrf": token, "@operation": "POST /v1/doctor/calendar-feed" })
      ]
      for (const { status, location } of answers)
        expect([room, status, location.startsWith("/console/sign-in")]).toEqual([room, 303, true])
    }
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
