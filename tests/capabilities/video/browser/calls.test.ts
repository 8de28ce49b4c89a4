/** Before and during a call: device test, choice of devices, screen, quality, leaving. Rule 5.5.3. */
import { describe, expect, test } from "bun:test"
import { CallWatch, qualityOf } from "../../../../src/capabilities/video/pages/islands/quality.ts"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { enterWaitingRoom } from "../../../support/callers.ts"
import { pageLink } from "../../../support/codes.ts"
import { doctorsMeeting, openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { inDays, makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

describe("the call monitor", () => {
  const sample = (bytes: number, received = bytes, lost = 0, roundTrip = 0.05) => ({
    bytes,
    received,
    lost,
    sentLost: 0,
    roundTrip
  })
  const reported = (sentLost: number, seconds: number) =>
    Array.from({ length: seconds }, (_, i) => ({ ...sample(i + 1), sentLost }))

  test("detects a cut connection after two seconds, but not before the first data or where nothing is sent", () => {
    const watch = new CallWatch()
    expect([100, 100, 100].map((bytes) => watch.next(sample(bytes), true).cut)).toEqual([false, false, true])
    expect(watch.next(sample(150), true).cut).toBe(false)
    const silent = new CallWatch()
    expect([100, 100, 100].map((bytes) => silent.next(sample(bytes), false).cut)).toEqual([false, false, false])
    const early = new CallWatch()
    expect([0, 0, 0, 0].map((bytes) => early.next(sample(bytes), true).cut)).toEqual([false, false, false, false])
  })

  test("drops the video after eight seconds in which the other side lost much, whatever arrives here; Rule 5.7.14", () => {
    const watch = new CallWatch()
    expect(reported(0.2, 10).findIndex((each) => watch.next(each, true).weak)).toBe(8)
    // the other's line is weak towards us: it is they who send less
    const receiving = new CallWatch()
    const weak = Array.from({ length: 20 }, (_, i) => receiving.next(sample(i + 1, 100 * i, 20 * i), true).weak)
    expect(weak).not.toContain(true)
    expect(receiving.quality).toBe("poor")
  })

  test("drops the sound after eight more, and nothing while the line is good; Rule 5.7.14", () => {
    const watch = new CallWatch()
    const weak = reported(0.2, 20).map((each) => watch.next(each, true).weak)
    expect(weak.flatMap((isWeak, at) => (isWeak ? [at] : []))).toEqual([8, 16])
    const good = reported(0.1, 10).map((each) => watch.next(each, true).weak)
    expect(good).not.toContain(true)
  })

  test("distinguishes good, fair and poor", () => {
    const before = sample(0)
    expect(qualityOf(before, sample(1, 100, 1))).toBe("good")
    expect(qualityOf(before, sample(1, 95, 5))).toBe("fair")
    expect(qualityOf(before, sample(1, 80, 20))).toBe("poor")
    expect(qualityOf(before, sample(1, 100, 0, 0.5))).toBe("fair")
  })
})

test("the appointment's page leads to a test of camera, microphone and connection days ahead", async () => {
  const world = await makeWorld(server.current)
  const link = await pageLink(server.current, await world.booked(inDays(5, 10)), "join")
  const { page, complaints } = await browser.open(link)
  await page.getByRole("link", { name: "Kamera, Mikrofon und Verbindung jetzt testen" }).click()
  await page.locator('[data-connection="good"]').waitFor()
  await page.getByLabel("Kamera").waitFor()
  await page.getByRole("button", { name: "Testton abspielen" }).click()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole("link", { name: "Zurück zum Termin" }).click()
  await page.getByRole("heading", { name: "Ihr Termin" }).waitFor()
  expect(complaints).toEqual([])
})

test("the device test says what the browser asks, and not that the camera is off, until the user has answered", async () => {
  const world = await makeWorld(server.current)
  const link = await pageLink(server.current, await world.booked(inDays(5, 10)), "join")
  const { page } = await browser.open("about:blank")
  await page.addInitScript(() => {
    MediaDevices.prototype.getUserMedia = new Proxy(MediaDevices.prototype.getUserMedia, {
      apply: async (...call) => {
        await new Promise((answer) => Object.assign(window, { answer }))
        return Reflect.apply(...call)
      }
    })
  })
  await page.goto(`${link}/devices`)
  await page.getByText("Ihr Browser fragt gleich, ob Kamera und Mikrofon benutzt werden dürfen.").waitFor()
  expect(await page.getByText("Ihre Kamera ist aus").count()).toBe(0)
  await page.evaluate(() => Reflect.get(window, "answer")())
  await page.getByText("So sieht und hört man Sie später.").waitFor()
})

test("the test says when no call can succeed on this network and what to do, and can be repeated", async () => {
  const world = await makeWorld(server.current)
  const link = await pageLink(server.current, await world.booked(inDays(5, 10)), "join")
  const { page } = await browser.open("about:blank")
  await page.addInitScript(() => {
    Object.assign(window, { isCut: true })
    RTCPeerConnection.prototype.setLocalDescription = new Proxy(RTCPeerConnection.prototype.setLocalDescription, {
      apply: (begin, connection, description) =>
        Reflect.get(window, "isCut")
          ? Promise.reject(new DOMException("no way"))
          : Reflect.apply(begin, connection, description)
    })
  })
  await page.goto(`${link}/devices`)
  await page.locator('[data-connection="none"]').getByText("über ein anderes WLAN").waitFor()
  await page.evaluate(() => Object.assign(window, { isCut: false }))
  await page.getByRole("button", { name: "Noch einmal versuchen" }).click()
  await page.locator('[data-connection="good"]').waitFor()
})

test("a call lets users choose devices, shows the quality, and asks before leaving", async () => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const patient = await browser.open(await pageLink(server.current, uid, "join"))
  await enterWaitingRoom(patient.page)
  const doctor = await browser.open(await doctorsMeeting(server.current, world, uid))
  await doctor.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
  for (const { page } of [patient, doctor]) await page.locator('[data-call="connected"]').waitFor()
  await doctor.page.getByRole("img", { name: "Verbindung" }).waitFor()
  await patient.page.getByText("Kamera und Mikrofon wählen").click()
  await patient.page.getByLabel("Kamera", { exact: true }).selectOption({ index: 0 })
  await patient.page.locator('[data-call="connected"]').waitFor()
  expect(await accessibilityFaults(patient.page)).toEqual([])
  // the button that ends the call for both is the primary one; leaving is a secondary one
  const ground = (name: string) =>
    doctor.page.getByRole("button", { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await ground("Kurz hinausgehen")).toBe(await ground("Kamera an – ausschalten"))
  expect(await ground("Für beide beenden")).not.toBe(await ground("Kurz hinausgehen"))
  await doctor.page.getByRole("button", { name: "Kurz hinausgehen" }).click()
  await doctor.page.getByRole("button", { name: "Bleiben" }).click()
  await doctor.page.locator('[data-call="connected"]').waitFor()
  await doctor.page.getByRole("button", { name: "Kurz hinausgehen" }).click()
  await doctor.page.getByRole("button", { name: "Hinausgehen", exact: true }).click()
  await doctor.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
})
