import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { eventually } from "../../../support/eventually.ts"
import { doctorsMeeting, openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** The browser's devices as the test sees them: every track that it returns, and a gate that delays all of them. */
const watchDevices = (page: Page) =>
  page.addInitScript(() => {
    const granted: Array<MediaStreamTrack> = []
    const gate = { open: Promise.resolve() }
    Object.assign(window, { granted, gate })
    const ask = MediaDevices.prototype.getUserMedia
    MediaDevices.prototype.getUserMedia = async function (wishes) {
      await gate.open
      const stream = await ask.call(this, wishes)
      granted.push(...stream.getTracks())
      return stream
    }
  })

/** The live tracks: kind, and whether each is enabled. */
const living = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const granted: ReadonlyArray<MediaStreamTrack> = Reflect.get(window, "granted")
    return granted.filter(({ readyState }) => readyState === "live").map((t) => `${t.kind} ${t.enabled ? "on" : "off"}`)
  })

const gives = (page: Page, ...tracks: ReadonlyArray<string>) =>
  eventually(
    () => living(page),
    (now) => JSON.stringify([...now].sort()) === JSON.stringify(tracks)
  )

const openCheck = async () => {
  const world = await makeWorld(server.current)
  const opened = await browser.open("about:blank")
  await watchDevices(opened.page)
  await opened.page.goto(await doctorsMeeting(server.current, world, await openAppointment(world)))
  await gives(opened.page, "audio on", "video on")
  const press = (name: string) => opened.page.getByRole("button", { name: new RegExp(`^${name}`) }).click()
  return { ...opened, press }
}

describe("camera and microphone", () => {
  test("keep their on or off state with another device and after leaving and rejoining", async () => {
    const { page, press, complaints } = await openCheck()
    await press("Mikrofon an")
    await press("Kamera an")
    await gives(page, "audio off")
    const others = page.getByLabel("Mikrofon", { exact: true }).locator("option")
    await page.getByLabel("Mikrofon", { exact: true }).selectOption({ index: (await others.count()) - 1 })
    await page.getByLabel("Kamera", { exact: true }).selectOption({ index: 0 })
    await gives(page, "audio off")
    await press("Sprechzimmer öffnen")
    await press("Verlassen")
    await gives(page)
    await press("Wieder eintreten")
    await gives(page, "audio off")
    await press("Mikrofon aus")
    await press("Kamera aus")
    await gives(page, "audio on", "video on")
    expect(complaints).toEqual([])
  })

  test("are released at once when permission comes after the user has left", async () => {
    const { page, press } = await openCheck()
    await press("Sprechzimmer öffnen")
    await press("Kamera an")
    await gives(page, "audio on")
    await page.evaluate(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      Object.assign(Reflect.get(window, "gate"), { open: promise, pass: resolve })
    })
    await press("Kamera aus")
    await press("Verlassen")
    await page.evaluate(() => Reflect.get(window, "gate").pass())
    const all = () => page.evaluate(() => Reflect.get(window, "granted").length)
    await eventually(all, (tracks) => tracks === 3)
    await gives(page)
  })

  test("that stop by themselves are shown as off", async () => {
    const { page } = await openCheck()
    await page.evaluate(() => {
      const granted: ReadonlyArray<MediaStreamTrack> = Reflect.get(window, "granted")
      for (const track of granted) {
        track.stop()
        track.dispatchEvent(new Event("ended"))
      }
    })
    await page.getByRole("button", { name: "Mikrofon aus – einschalten" }).waitFor()
    await page.getByRole("button", { name: "Kamera aus – einschalten" }).waitFor()
  })

  test("that were denied can be requested again without a reload", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open("about:blank")
    await page.addInitScript(() => {
      const ask = MediaDevices.prototype.getUserMedia
      Object.assign(window, { allowed: false })
      MediaDevices.prototype.getUserMedia = function (wishes) {
        if (Reflect.get(window, "allowed")) return ask.call(this, wishes)
        return Promise.reject(new DOMException("Permission denied", "NotAllowedError"))
      }
    })
    await page.goto(await doctorsMeeting(server.current, world, await openAppointment(world)))
    await page.getByRole("alert").getByText("Ihr Browser darf Kamera und Mikrofon nicht benutzen").waitFor()
    await page.evaluate(() => Object.assign(window, { allowed: true }))
    await page.getByRole("button", { name: "Noch einmal versuchen" }).click()
    await page.locator(".preview video").waitFor()
    await page.getByRole("button", { name: "Kamera an – ausschalten" }).waitFor()
    await page.getByText("Ihr Browser darf").waitFor({ state: "detached" })
  })
})

test("a page in the background for minutes keeps its place in the room", async () => {
  const world = await makeWorld(server.current)
  const { page } = await browser.open("about:blank")
  const wires: Array<string> = []
  let answers = 0
  page.on("websocket", (wire) => {
    wires.push(wire.url())
    wire.on("framereceived", ({ payload }) => {
      if (String(payload).includes('"pong"')) answers++
    })
  })
  await page.clock.install()
  await page.goto(await doctorsMeeting(server.current, world, await openAppointment(world)))
  await page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await page.getByText("Zurzeit wartet niemand").waitFor()
  for (let minute = 0; minute < 3; minute++) {
    const before = answers
    // timers run once a minute, as browsers have it in a hidden page
    await page.clock.fastForward(60_000)
    await eventually(
      () => Promise.resolve(answers),
      (now) => now > before
    )
  }
  expect(wires).toHaveLength(1)
})
