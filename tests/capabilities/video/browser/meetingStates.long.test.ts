import { describe, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { bothSee } from "../../../support/callers.ts"
import { pageLink } from "../../../support/codes.ts"
import { examiner, type Look, looks, withLook } from "../../../support/examine.ts"
import { doctorsMeeting, openAppointment, watchCalls } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

const forbid = (page: Page, reason: string) =>
  page.addInitScript((name) => {
    MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException("not given", name))
    if (name === "NotFoundError") MediaDevices.prototype.enumerateDevices = () => Promise.resolve([])
  }, reason)

const press = (page: Page, selector: string) => page.locator(selector).click()
const ENTER = ".controls .primary"
const CAMERA = ".controls .control:nth-child(2)"
const LEAVE = ".controls .control:last-child"

/** Two instrumented pages, the patient's and the doctor's. */
const openBoth = async (look: Look) => {
  const open = withLook(browser, look)
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world, "Maximiliane-Friederike")
  const [patient, doctor] = [await open("about:blank"), await open("about:blank")]
  await watchCalls(patient.page)
  await watchCalls(doctor.page)
  await patient.page.goto(await pageLink(server.current, uid, "join"))
  await press(patient.page, "form .primary")
  await doctor.page.goto(await doctorsMeeting(server.current, world, uid))
  return { patient, doctor }
}

describe.each(looks)("every state of the meeting page %s", (_, look) => {
  const open = withLook(browser, look)

  test("is accessible: from the device check to the end of the call", async () => {
    const [examine, examineDoctors] = [examiner(look), examiner(look)]
    const { patient, doctor } = await openBoth(look)
    await patient.page.locator("#video").waitFor()
    await examine(patient.page, "device check")
    await press(patient.page, ENTER)
    await patient.page.locator("[data-standing]").waitFor()
    await examine(patient.page, "waiting")
    await press(doctor.page, ENTER)
    await doctor.page.locator(".queue button").waitFor()
    await examineDoctors(doctor.page, "consulting room")
    await press(doctor.page, ".queue button")
    await bothSee(patient.page, doctor.page)
    await examine(patient.page, "call")
    await examineDoctors(doctor.page, "call")
    await press(patient.page, CAMERA)
    await doctor.page.locator(".stage .blank").waitFor()
    await examiner(look)(doctor.page, "call without the other's picture")
    await press(patient.page, LEAVE)
    await doctor.page.locator(".stage .blank").waitFor()
    await examine(patient.page, "left")
    await press(patient.page, ".actions .primary")
    await bothSee(patient.page)
    await press(doctor.page, ".controls .leave")
    await patient.page.locator(".actions .secondary").waitFor()
    await examine(patient.page, "ended by the doctor")
  })

  for (const reason of ["NotAllowedError", "NotFoundError", "NotReadableError"])
    test(`is accessible: without camera and microphone, ${reason}`, async () => {
      const world = await makeWorld(server.current)
      const { page } = await open("about:blank")
      await forbid(page, reason)
      await page.goto(await doctorsMeeting(server.current, world, await openAppointment(world)))
      const examine = examiner(look)
      await page.locator("[role=alert] .notice").waitFor()
      await examine(page, "nothing given")
      await press(page, ENTER)
      await page.locator("#queue").waitFor()
      await examine(page, "inside all the same")
    })

  test("is accessible: another window, an expired token, an unknown address", async () => {
    const examine = examiner(look)
    const world = await makeWorld(server.current)
    const address = await doctorsMeeting(server.current, world, await openAppointment(world))
    const [first, second] = [await open(address), await open(address)]
    for (const { page } of [first, second]) {
      await press(page, ENTER)
      await page.locator("#queue").waitFor()
    }
    await first.page.locator(".actions").waitFor()
    await examine(first.page, "open elsewhere")
    await second.close()
    await first.page.routeWebSocket(/socket/, (wire) => wire.close({ code: 4401 }))
    await first.page.reload()
    await press(first.page, ENTER)
    await first.page.locator(".actions").waitFor()
    await examine(first.page, "refused")
    await first.page.goto(`${address}x`)
    await examine(first.page, "unknown")
  })
})
