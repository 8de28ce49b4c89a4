import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { cuttable, freePort } from "../support/cuttable.ts"
import { eventually } from "../support/eventually.ts"
import { actionLink, callFigures, doctorsMeeting, openAppointment, watchCalls } from "../support/meetings.ts"
import { startServer, type TestServer, testServer } from "../support/server.ts"
import { startTurn } from "../support/turn.ts"
import { makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** How long the network is gone: the break itself, not a wait for something. */
const TEN_SECONDS = 10_000
const RELAYED = true

/** Five minutes long, beginning so many seconds from now. */
const shortOne = (seconds: number) => {
  const start_date = Math.floor(Date.now() / 1000) + seconds
  return { start_date, end_date: start_date + 300 }
}

/** Opens a page that is watched from its first script on. */
const visit = async (address: string, relayed: boolean) => {
  const opened = await browser.open("about:blank")
  await watchCalls(opened.page, relayed)
  await opened.page.goto(address)
  return opened
}

const enterAsPatient = async (at: TestServer, world: World, uid: string, relayed = false) => {
  const opened = await visit(await actionLink(at, world, uid, "join"), relayed)
  await opened.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await opened.page.getByRole("heading", { name: "Kamera und Mikrofon prüfen" }).waitFor()
  await opened.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await opened.page.getByRole("heading", { name: "Sie sind im Wartezimmer" }).waitFor()
  return opened
}

const enterAsDoctor = async (at: TestServer, world: World, uid: string, relayed = false) => {
  const opened = await visit(await doctorsMeeting(at, world, uid), relayed)
  await opened.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await opened.page.getByRole("heading", { name: "Im Wartezimmer" }).waitFor()
  return opened
}

const framesGrow = async (page: Page) => {
  const { frames } = await callFigures(page)
  return eventually(
    () => callFigures(page),
    (now) => now.frames > frames + 5
  )
}

const bothSee = (...pages: ReadonlyArray<Page>) => Promise.all(pages.map(framesGrow))

describe("a meeting", () => {
  test("leads from the waiting room into a call in which both see each other", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient(server.current, world, uid)
    await patient.page.getByText("Noch ist niemand im Sprechzimmer").waitFor()
    expect(await accessibilityFaults(patient.page)).toEqual([])
    const doctor = await enterAsDoctor(server.current, world, uid)
    await patient.page.getByText("weiß, dass Sie da sind").waitFor()
    expect(await accessibilityFaults(doctor.page)).toEqual([])
    const admitted = performance.now()
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    console.info(`both saw each other ${Math.round(performance.now() - admitted)} ms after being admitted`)
    expect(await accessibilityFaults(patient.page)).toEqual([])

    await patient.page.getByRole("button", { name: "Kamera aus" }).click()
    await doctor.page.getByText("Testa Patient hat die Kamera ausgeschaltet").waitFor()
    await patient.page.getByRole("button", { name: "Mikrofon aus" }).click()
    await doctor.page.getByText("Mikrofon aus", { exact: false }).first().waitFor()
    await patient.page.getByRole("button", { name: "Kamera an" }).click()
    await bothSee(doctor.page)

    await patient.page.getByRole("button", { name: "Verlassen" }).click()
    await patient.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
    await doctor.page.getByText("Testa Patient ist gerade nicht da").waitFor()
    await patient.page.getByRole("button", { name: "Wieder eintreten" }).click()
    await bothSee(patient.page, doctor.page)

    await doctor.page.getByRole("button", { name: "Gespräch beenden" }).click()
    await patient.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
    await doctor.page.getByText("Zurzeit wartet niemand").waitFor()
    expect([...patient.complaints, ...doctor.complaints]).toEqual([])
    const addresses = [...patient.requests, ...doctor.requests].filter((address) => address !== "about:blank")
    expect(addresses.every((address) => new URL(address).host === new URL(server.current.url).host)).toBe(true)
    await patient.close()
    await doctor.close()
  })

  test("comes back without a click after the socket was cut for ten seconds", async () => {
    const port = freePort()
    const way = cuttable(port)
    const behind = await startServer({ PORT: String(port), BASE_URL: way.url }, server.current.databaseUrl)
    const world = await makeWorld(behind)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient(behind, world, uid)
    const doctor = await enterAsDoctor(behind, world, uid)
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    way.cut()
    await patient.page.locator(".notice[role=status]").waitFor()
    await Bun.sleep(TEN_SECONDS)
    way.mend()
    await patient.page.locator(".notice[role=status]").waitFor({ state: "detached" })
    await doctor.page.locator(".notice[role=status]").waitFor({ state: "detached" })
    await bothSee(patient.page, doctor.page)
    // that the wire is back as well, and not the pictures alone, shows in what only the wire tells
    await patient.page.getByRole("button", { name: "Kamera aus" }).click()
    await doctor.page.getByText("Testa Patient hat die Kamera ausgeschaltet").waitFor()
    await patient.page.getByRole("button", { name: "Kamera an" }).click()

    await patient.page.reload()
    await patient.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await bothSee(patient.page, doctor.page)
    await patient.close()
    await doctor.close()
    await behind.stop()
    way.stop()
  })

  test("goes over a relay with time-limited credentials, and survives that the whole network is gone", async () => {
    const relay = startTurn()
    const port = freePort()
    const way = cuttable(port)
    const behind = await startServer(
      { PORT: String(port), BASE_URL: way.url, TURN_URL: relay.url, TURN_SECRET: relay.secret },
      server.current.databaseUrl
    )
    const world = await makeWorld(behind)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient(behind, world, uid, RELAYED)
    const doctor = await enterAsDoctor(behind, world, uid, RELAYED)
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    expect(new Set((await callFigures(patient.page)).ways)).toEqual(new Set(["relay"]))
    way.cut()
    relay.freeze()
    await Bun.sleep(TEN_SECONDS)
    way.mend()
    relay.wake()
    await bothSee(patient.page, doctor.page)
    await patient.close()
    await doctor.close()
    await behind.stop()
    way.stop()
    await relay.stop()
  })

  test("joins people who are connected to different replicas", async () => {
    const other = await startServer({}, server.current.databaseUrl)
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient(other, world, uid)
    const doctor = await enterAsDoctor(server.current, world, uid)
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    await patient.close()
    await doctor.close()
    await other.stop()
  })

  test("in a doctor's standing room lets one in after the other and tells the second where they stand", async () => {
    const world = await makeWorld(server.current, { type: { room_strategy: "persistent_per_provider" } })
    const first = await enterAsPatient(server.current, world, await openAppointment(world, "Erste", shortOne(-60)))
    const secondUid = await openAppointment(world, "Zweiter", shortOne(240))
    const second = await enterAsPatient(server.current, world, secondUid)
    await second.page.getByText("Vor Ihnen warten noch 1.").waitFor()
    const doctor = await enterAsDoctor(server.current, world, secondUid)
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).first().click()
    await bothSee(first.page, doctor.page)
    await second.page.getByText("Sie sind als Nächstes an der Reihe.").waitFor()
    await second.page.getByText("Ein anderes Gespräch läuft noch.").waitFor()
    expect(await second.page.content()).not.toContain("Erste")
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await first.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
    await bothSee(second.page, doctor.page)
    for (const opened of [first, second, doctor]) await opened.close()
  })

  test("leads back only to an address on the organisation's list", async () => {
    const world = await makeWorld(server.current, {
      organisation: { return_url_origins: ["https://praxis.example"] }
    })
    const address = await doctorsMeeting(server.current, world, await openAppointment(world))
    const returnTo = async (url: string) => {
      const { page, close } = await browser.open(`${address}&return_url=${encodeURIComponent(url)}`)
      const found = await page.locator("#meeting").getAttribute("data-return-url")
      await close()
      return found
    }
    expect(await returnTo("https://praxis.example/danke?a=b")).toBe("https://praxis.example/danke?a=b")
    for (const other of ["https://praxis.example.evil.example/", "http://praxis.example/", "javascript:alert(1)"])
      expect(await returnTo(other)).toBeNull()
  })

  test("is closed to a forged token, in the page and at the socket", async () => {
    const world = await makeWorld(server.current)
    const address = new URL(await doctorsMeeting(server.current, world, await openAppointment(world)))
    const token = address.searchParams.get("jwt") ?? ""
    const closing = (room: string, jwt: string) =>
      new Promise<number>((resolve) => {
        const wire = new WebSocket(`${server.current.url.replace("http", "ws")}/meet/meeting/${room}/socket?jwt=${jwt}`)
        wire.addEventListener("close", ({ code }) => resolve(code))
      })
    expect(await closing("room_other", token)).toBe(4401)
    expect(await closing(address.pathname.split("/").at(-1) ?? "", `${token}x`)).toBe(4401)
    address.searchParams.set("jwt", `${token}x`)
    expect((await fetch(address)).status).toBe(404)
  })
})
