/** A call's features: shared screen, quality indicator, notification of admission, lost connection. Rule 5.5.3. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { bothSee, CALL_VIEWPORT } from "../../../support/callers.ts"
import { pageLink } from "../../../support/codes.ts"
import { doctorsMeeting, openAppointment, watchCalls } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** A patient who waits and a doctor in the room, on watched pages that were prepared before their first script. */
const inTheRoom = async (prepare: (page: Page) => Promise<unknown> = async () => {}) => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const open = () => browser.open("about:blank", { viewport: CALL_VIEWPORT })
  const [patient, doctor] = [await open(), await open()]
  for (const { page } of [patient, doctor]) {
    await watchCalls(page)
    await prepare(page)
  }
  await patient.page.goto(await pageLink(server.current, uid, "join"))
  await patient.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await patient.page.getByLabel("Kamera", { exact: true }).waitFor()
  await doctor.page.goto(await doctorsMeeting(server.current, world, uid))
  await doctor.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  const call = async () => {
    await patient.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    for (const { page } of [patient, doctor]) await page.locator('[data-call="connected"] > video').waitFor()
  }
  return { patient, doctor, call }
}

/** Waits until the centre of the remote picture has, or no longer has, the shared screen's colour. */
const untilPicture = (page: Page, isScreen: boolean) =>
  page.waitForFunction((wanted) => {
    const video = document.querySelector<HTMLVideoElement>(".stage > video")
    const context2d = document.createElement("canvas").getContext("2d")
    if (video === null || video.videoWidth === 0 || context2d === null) return false
    context2d.drawImage(video, 0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context2d.getImageData(0, 0, 1, 1).data
    return (red > 180 && green < 80 && blue < 80) === wanted
  }, isScreen)

/** Stands in for the browser's screen picker and shares a red screen. */
const shareRed = (page: Page) =>
  page.addInitScript(() => {
    MediaDevices.prototype.getDisplayMedia = async () => {
      const canvas = document.createElement("canvas")
      Object.assign(canvas, { width: 320, height: 200 })
      const context2d = canvas.getContext("2d")
      setInterval(() => {
        if (context2d === null) return
        context2d.fillStyle = "#ff0000"
        context2d.fillRect(0, 0, 320, 200)
      }, 100)
      const stream = canvas.captureStream(10)
      Object.assign(window, { shared: stream.getVideoTracks()[0] })
      return stream
    }
  })

test("a shared screen replaces the camera until the page or the browser ends it", async () => {
  const { patient, doctor, call } = await inTheRoom(shareRed)
  await call()
  await untilPicture(patient.page, false)
  await doctor.page.getByRole("button", { name: "Bildschirm teilen" }).click()
  await untilPicture(patient.page, true)
  await doctor.page.getByRole("button", { name: "Nicht mehr teilen" }).click()
  await untilPicture(patient.page, false)
  await doctor.page.getByRole("button", { name: "Bildschirm teilen" }).click()
  await untilPicture(patient.page, true)
  // the bar that browsers show while a screen is shared
  await doctor.page.evaluate(() => Reflect.get(window, "shared").dispatchEvent(new Event("ended")))
  await untilPicture(patient.page, false)
  // also with the camera off
  await doctor.page.getByRole("button", { name: "Kamera an" }).click()
  await patient.page.locator(".stage .blank").waitFor()
  await doctor.page.getByRole("button", { name: "Bildschirm teilen" }).click()
  await patient.page.locator(".stage .blank").waitFor({ state: "detached" })
  await untilPicture(patient.page, true)
  expect([...patient.complaints, ...doctor.complaints]).toEqual([])
})

test("an admitted patient hears a sound, and gets into the call where the browser refuses notifications to pages", async () => {
  const { patient, call } = await inTheRoom((page) =>
    page.addInitScript(() => {
      const heard: Array<string> = []
      Object.assign(window, { heard })
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (this: OscillatorNode, ...when) {
        heard.push("sound")
        start.apply(this, when)
      }
      class Told extends EventTarget {
        static permission = "granted"
        constructor() {
          super()
          throw new TypeError("Illegal constructor")
        }
      }
      Object.assign(window, { Notification: Told })
      Object.defineProperty(document, "hidden", { get: () => true })
    })
  )
  await patient.page.evaluate(() => Reflect.get(window, "heard").splice(0))
  await call()
  expect(await patient.page.evaluate(() => Reflect.get(window, "heard"))).toContain("sound")
})

test("a doctor without camera and microphone sees and hears the patient", async () => {
  const pages: Array<Page> = []
  const { doctor, call } = await inTheRoom(async (page) => {
    const isPatients = pages.push(page) === 1
    if (isPatients) return
    await page.addInitScript(() => {
      MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException("not given", "NotFoundError"))
    })
  })
  await call()
  await bothSee(doctor.page)
})

test("a stalled call is reported on both sides by the third statistics sample, and recovers by itself", async () => {
  const { patient, doctor, call } = await inTheRoom((page) =>
    page.addInitScript(() => {
      const figures = RTCPeerConnection.prototype.getStats
      const looks = { silent: 0, bytes: -1, atCut: -1 }
      Object.assign(window, { looks })
      RTCPeerConnection.prototype.getStats = async function (this: RTCPeerConnection) {
        const report = await figures.call(this)
        const bytes = [...report.values()].reduce(
          (sum, entry) => sum + (entry.type === "inbound-rtp" ? entry.bytesReceived : 0),
          0
        )
        looks.silent = bytes > looks.bytes ? 0 : looks.silent + 1
        looks.bytes = bytes
        return report
      }
      new MutationObserver(() => {
        const state = document.querySelector("[data-call]")?.getAttribute("data-call")
        if (state === "interrupted" && looks.atCut < 0) looks.atCut = looks.silent
      }).observe(document, { attributes: true, childList: true, subtree: true })
    })
  )
  await call()
  for (const { page } of [patient, doctor]) await page.waitForFunction(() => Reflect.get(window, "looks").bytes > 0)
  /** Suspends the socket without a close frame, and resumes it. */
  const silence = (page: Page, silent: boolean) =>
    page.evaluate(async (on) => {
      const calls: ReadonlyArray<RTCPeerConnection> = Reflect.get(window, "calls")
      for (const sender of calls.at(-1)?.getSenders() ?? []) {
        const track: MediaStreamTrack | null = sender.track ?? Reflect.get(sender, "kept") ?? null
        Object.assign(sender, { kept: track })
        await sender.replaceTrack(on ? null : track)
      }
    }, silent)
  for (const { page } of [patient, doctor]) await silence(page, true)
  for (const { page } of [patient, doctor]) {
    await page.getByText("Die Verbindung ist unterbrochen.").waitFor()
    expect(await page.evaluate(() => Reflect.get(window, "looks").atCut)).toBeWithin(1, 4)
  }
  for (const { page } of [patient, doctor]) await silence(page, false)
  for (const { page } of [patient, doctor]) await page.locator('[data-call="connected"]').waitFor()
})
