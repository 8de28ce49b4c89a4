import { describe, expect, test } from "bun:test"
import { testBrowser } from "../../../support/browser.ts"
import { bothSee, enterAsDoctor, enterAsPatient, isFit } from "../../../support/callers.ts"
import { chooseLanguage } from "../../../support/examine.ts"
import { openAppointment } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

const inCall = async () => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const patient = await enterAsPatient({ browser, at: server.current, world, uid })
  const doctor = await enterAsDoctor({ browser, at: server.current, world, uid })
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
  await bothSee(patient.page, doctor.page)
  return { patient, doctor }
}

describe("a call", () => {
  test("shows the whole picture of a phone in portrait, and fills the stage when asked to", async () => {
    const { doctor } = await inCall()
    const objectFit = (selector: string) =>
      doctor.page.locator(selector).evaluate((video) => getComputedStyle(video).objectFit)
    expect(await objectFit(".stage > video")).toBe("contain")
    expect(await objectFit(".self video")).toBe("contain")
    await doctor.page.getByRole("button", { name: "Bild füllt die Fläche" }).click()
    expect(await objectFit(".stage > video")).toBe("cover")
    await isFit(doctor.page)
    await doctor.page.getByRole("button", { name: "Ganzes Bild" }).click()
    expect(await objectFit(".stage > video")).toBe("contain")
  })

  test("continues while the language is changed, and asks before the page is left", async () => {
    const { patient, doctor } = await inCall()
    await chooseLanguage(patient.page, "English")
    await patient.page.getByRole("button", { name: "Mute" }).waitFor()
    expect(await patient.page.locator("html").getAttribute("lang")).toBe("en")
    expect(await patient.page.title()).toBe("Video call")
    await patient.page.getByText("No cookies").waitFor()
    expect(await patient.page.locator('[data-call="connected"]').count()).toBe(1)
    expect(await doctor.page.getByText("ist gerade nicht verbunden").count()).toBe(0)
    await isFit(patient.page)
    const asked = patient.page.waitForEvent("dialog")
    await patient.page.evaluate(() => setTimeout(() => location.reload()))
    const dialog = await asked
    expect(dialog.type()).toBe("beforeunload")
    await dialog.dismiss()
    await bothSee(patient.page, doctor.page)
  })

  test("has keyboard shortcuts: M mutes, V switches the camera, F fills the screen", async () => {
    const { patient } = await inCall()
    await patient.page.keyboard.press("m")
    await patient.page.getByRole("button", { name: "Mikrofon aus" }).waitFor()
    await patient.page.keyboard.press("v")
    await patient.page.getByRole("button", { name: "Kamera aus" }).waitFor()
    await patient.page.keyboard.press("f")
    await patient.page.waitForFunction(() => document.fullscreenElement !== null)
  })

  test("on a phone held sideways shows the doctor over two thirds of the height, and the whole button to leave", async () => {
    const { patient, doctor } = await inCall()
    await doctor.page.setViewportSize({ width: 844, height: 390 })
    for (const pixels of [16, 20, 24]) {
      const [width, room] = await doctor.page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}px`
        return [document.documentElement.scrollWidth, innerWidth]
      }, pixels)
      expect([pixels, width]).toEqual([pixels, room])
    }
    await patient.page.setViewportSize({ width: 844, height: 390 })
    const boxOf = async (selector: string) =>
      (await patient.page.locator(selector).boundingBox()) ?? { x: 0, y: -1, width: 0, height: 0 }
    const leave = await boxOf(".controls .leave")
    expect([leave.y >= 0, leave.y + leave.height <= 390, leave.x + leave.width <= 844]).toEqual([true, true, true])
    expect((await boxOf(".stage > video")).height).toBeGreaterThan(260)
  })
})
