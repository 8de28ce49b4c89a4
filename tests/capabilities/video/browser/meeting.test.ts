import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { allSee, bothSee, enterAsDoctor, enterAsPatient, isFit } from "../../../support/callers.ts"
import { pageLink } from "../../../support/codes.ts"
import { eventually } from "../../../support/eventually.ts"
import { connect, doctorsMeeting, openAppointment } from "../../../support/meetings.ts"
import { isLong } from "../../../support/scale.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** Five minutes long, starting this many seconds from now. */
const shortOne = (seconds: number) => {
  const start_date = Math.floor(Date.now() / 1000) + seconds
  return { start_date, end_date: start_date + 300 }
}

const roomOf = (address: string) => new URL(address).pathname.split("/").at(-1) ?? ""

/** The own picture plays, mirrored and without sound. */
const showsOwnPicture = (page: Page) =>
  page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>(".preview.own video")
    return video?.muted === true && video.videoWidth > 0 && video.currentTime > 0
  })

/** A browser in which nobody has answered yet; headless ones refuse notifications. It counts what it was asked and what it showed. */
const undecided = (page: Page) =>
  page.addInitScript(() => {
    const seen = { asked: 0, shown: [] as string[] }
    class Asked extends EventTarget {
      static permission = "default"
      static requestPermission = async () => {
        seen.asked++
        Asked.permission = "granted"
        return "granted"
      }
      constructor(text: string) {
        super()
        seen.shown.push(text)
      }
      close() {}
    }
    Object.assign(window, { Notification: Asked, seen })
  })

describe("a meeting", () => {
  test("leads from the waiting room into a call in which both see each other", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient({ browser, at: server.current, world, uid }, isFit)
    await patient.page.getByText("Ihre Ärztin oder Ihr Arzt ist noch nicht da").waitFor()
    await isFit(patient.page)
    await showsOwnPicture(patient.page)
    const time = await patient.page.locator(".clock").textContent()
    expect(time).toMatch(/\d\d:\d\d/)
    const doctor = await enterAsDoctor({ browser, at: server.current, world, uid })
    await patient.page.getByText("weiß, dass Sie da sind").waitFor()
    await isFit(doctor.page)
    const admitted = performance.now()
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    console.info(`both saw each other ${Math.round(performance.now() - admitted)} ms after being admitted`)
    await isFit(patient.page)

    await patient.page.getByRole("button", { name: "Kamera an" }).click()
    await doctor.page.getByText("Testa Patient hat die Kamera ausgeschaltet").waitFor()
    await patient.page.getByRole("button", { name: "Mikrofon an" }).click()
    await doctor.page.locator(".badge").getByText("Mikrofon aus").waitFor()
    await patient.page.getByRole("button", { name: "Kamera aus" }).click()
    await bothSee(doctor.page)

    await patient.page.getByRole("button", { name: "Verlassen" }).click()
    await patient.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
    await doctor.page.getByText("Testa Patient ist gerade nicht verbunden").waitFor()
    await patient.page.getByRole("button", { name: "Wieder eintreten" }).click()
    await bothSee(patient.page, doctor.page)

    await doctor.page.getByRole("button", { name: "Für beide beenden" }).click()
    await patient.page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
    await doctor.page.getByText("Zurzeit wartet niemand").waitFor()
    // a fresh token: the one from before the end lets nobody in again
    await patient.page.getByRole("button", { name: "Wieder eintreten" }).click()
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).waitFor()
    expect([...patient.complaints, ...doctor.complaints]).toEqual([])
    const addresses = [...patient.requests, ...doctor.requests].filter((address) => address !== "about:blank")
    expect(addresses.every((address) => new URL(address).host === new URL(server.current.url).host)).toBe(true)
  })

  test("joins a further doctor: all three see each other, one may leave and return, either ends it for all; Rule 5.7.7", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const [, further = ""] = world.doctors
    await server.current.sql`UPDATE appointments SET further_doctor_uids = ${[further]}
      WHERE organisation_uid = ${world.organisation_uid} AND uid = ${uid}`
    const at = { browser, at: server.current, world, uid }
    const patient = await enterAsPatient(at)
    const booked = await enterAsDoctor(at)
    const colleague = await enterAsDoctor({ ...at, doctor: further })
    const pages = [patient.page, booked.page, colleague.page] as const
    await colleague.page.getByRole("button", { name: "Hereinbitten" }).click()
    await allSee(...pages)
    for (const page of pages) await page.locator('.stage[data-call="connected"]').nth(1).waitFor()
    for (const { page } of [patient, booked]) await isFit(page)
    for (const { page } of [booked, colleague])
      expect(await page.getByRole("button", { name: "Hereinbitten" }).count()).toBe(0)

    // one leaves: the call of the two others goes on
    await colleague.page.getByRole("button", { name: "Kurz hinausgehen" }).click()
    await colleague.page.getByRole("heading", { name: "Sie haben das Gespräch verlassen" }).waitFor()
    for (const { page } of [patient, booked]) {
      await page.locator(`.badge:has-text("Dr. ${further}")`).waitFor({ state: "detached" })
      expect(await page.locator(".stage").count()).toBe(1)
    }
    await bothSee(patient.page, booked.page)
    await colleague.page.getByRole("button", { name: "Wieder eintreten" }).click()
    for (const page of pages) await page.locator('.stage[data-call="connected"]').nth(1).waitFor()
    // a reload of the patient's page keeps all three together
    await patient.page.reload()
    await patient.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await allSee(...pages)

    await booked.page.getByRole("button", { name: "Für alle beenden" }).click()
    await patient.page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
    for (const { page } of [booked, colleague]) await page.getByText("Zurzeit wartet niemand").waitFor()
    expect([...patient.complaints, ...booked.complaints, ...colleague.complaints]).toEqual([])
  })

  test("asks the patient in the waiting room once whether it may notify, and then does while another page is in front", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const { page } = await browser.open("about:blank")
    await undecided(page)
    await page.goto(await pageLink(server.current, uid, "join"))
    const enter = page.getByRole("button", { name: "Wartezimmer betreten" })
    await enter.click()
    await page.getByRole("heading", { name: "Kamera und Mikrofon prüfen" }).waitFor()
    await enter.click()
    const ask = page.getByRole("button", { name: "Benachrichtigen, wenn ich dran bin" })
    await ask.click()
    await ask.waitFor({ state: "detached" })
    await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }))
    const doctor = await enterAsDoctor({ browser, at: server.current, world, uid })
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await page.waitForFunction(() => Reflect.get(window, "seen").shown.length > 0)
    // without a name: it shows on a locked screen
    expect(await page.evaluate(() => Reflect.get(window, "seen"))).toEqual({ asked: 1, shown: ["Sie sind dran."] })
    await doctor.close()
  })

  test("on a phone the button to the waiting room is in view, before the choice of devices", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const { page } = await browser.open(await pageLink(server.current, uid, "join"), {
      viewport: { width: 390, height: 844 }
    })
    const enter = page.getByRole("button", { name: "Wartezimmer betreten" })
    for (const heading of ["Ihr Termin", "Kamera und Mikrofon prüfen"]) {
      await page.getByRole("heading", { name: heading }).waitFor()
      await page.locator("video").or(enter).first().waitFor()
      const box = await enter.boundingBox()
      expect([heading, (box?.y ?? 999) + (box?.height ?? 999) <= 844]).toEqual([heading, true])
      if (heading === "Ihr Termin") await enter.click()
    }
  })

  if (isLong)
    test("in a doctor's permanent room admits one patient at a time and shows the second their position", async () => {
      const world = await makeWorld(server.current, { type: { room_strategy: "persistent_per_provider" } })
      const first = await enterAsPatient({
        browser,
        at: server.current,
        world,
        uid: await openAppointment(world, "Erste", shortOne(-60))
      })
      const secondUid = await openAppointment(world, "Zweiter", shortOne(240))
      const second = await enterAsPatient({ browser, at: server.current, world, uid: secondUid })
      await second.page.getByText("Vor Ihnen wartet noch eine Person.").waitFor()
      const doctor = await enterAsDoctor({ browser, at: server.current, world, uid: secondUid })
      await doctor.page.getByRole("button", { name: "Hereinbitten: Zweiter Patient" }).waitFor()
      const title = await eventually(
        () => doctor.page.title(),
        (now) => now.startsWith("(2) ")
      )
      expect(title).not.toContain("Patient")
      await doctor.page.getByRole("button", { name: "Hereinbitten: Erste Patient" }).click()
      await bothSee(first.page, doctor.page)
      await second.page.getByText("Sie sind als Nächstes an der Reihe.").waitFor()
      await second.page.getByText("Ein anderes Gespräch läuft noch.").waitFor()
      await second.page.getByText(/Voraussichtlich noch etwa \d+ Minuten\./).waitFor()
      expect(await second.page.content()).not.toContain("Erste")
      await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
      await first.page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
      await bothSee(second.page, doctor.page)
    })

  test("can be entered after a device check longer than a join token lives, and says when it is cancelled meanwhile; Rule 5.7.6", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const { page } = await browser.open(await pageLink(server.current, uid, "join"))
    await page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await page.getByRole("heading", { name: "Kamera und Mikrofon prüfen" }).waitFor()
    // what the page was opened with has ended
    await page.evaluate(() => {
      history.replaceState(null, "", location.href.replace(/jwt=[^&]+/, "jwt=ended"))
    })
    await page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await page.getByRole("heading", { name: "Sie sind im Wartezimmer" }).waitFor()
    await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
    await page.getByRole("heading", { name: "Ihr Termin wurde abgesagt" }).waitFor()
    expect(await page.getByRole("button", { name: "Wieder eintreten" }).count()).toBe(0)
    await page.getByRole("button", { name: "Zum Termin" }).click()
    await page.getByRole("heading", { name: "Ihr Termin ist abgesagt" }).waitFor()
  })

  test("opened in time can be entered by its page, also where the token came from a partner; Rule 5.7.6", async () => {
    const world = await makeWorld(server.current)
    const uid = await openAppointment(world)
    const address = await doctorsMeeting(server.current, world, uid)
    const token = /data-token="([^"]+)"/.exec(await (await fetch(address)).text())?.[1] ?? ""
    const [, payload = ""] = token.split(".")
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString())
    expect(exp).toBeGreaterThan(Date.now() / 1000 + 1_200)
    const wire = connect(server.current, roomOf(address), token)
    await wire.hears("welcome")
    wire.close()
  })

  test("shows microphone level and camera picture in the device check, and lets both be switched", async () => {
    const world = await makeWorld(server.current)
    const { page } = await browser.open(await doctorsMeeting(server.current, world, await openAppointment(world)))
    const level = page.getByLabel("Lautstärke des Mikrofons")
    await eventually(
      () => level.evaluate((meter) => Number(Reflect.get(meter, "value"))),
      (now) => now > 0
    )
    const seen = () => page.locator(".preview video").evaluate((video) => Number(Reflect.get(video, "videoWidth")))
    await eventually(seen, (width) => width > 0)
    await page.getByRole("button", { name: "Kamera an" }).click()
    await page.getByText("Ihre Kamera ist aus").waitFor()
    await page.getByRole("button", { name: "Kamera aus" }).click()
    await eventually(seen, (width) => width > 0)
    await page.getByRole("button", { name: "Mikrofon an" }).click()
    await eventually(
      () => level.evaluate((meter) => Number(Reflect.get(meter, "value"))),
      (now) => now === 0
    )
  })

  test("leads back only to an allow-listed address of the organisation", async () => {
    const world = await makeWorld(server.current, {
      organisation: { return_url_origins: ["https://praxis.example"] }
    })
    const address = await doctorsMeeting(server.current, world, await openAppointment(world))
    const returnTo = async (url: string) => {
      const page = await (await fetch(`${address}&return_url=${encodeURIComponent(url)}`)).text()
      expect(page).toContain("data-token=")
      return /data-return-url="([^"]+)"/.exec(page)?.[1] ?? null
    }
    expect(await returnTo("https://praxis.example/danke?a=b")).toBe("https://praxis.example/danke?a=b")
    for (const other of ["https://praxis.example.evil.example/", "http://praxis.example/", "javascript:alert(1)"])
      expect(await returnTo(other)).toBeNull()
  })

  test("rejects a forged token, on the page and at the socket", async () => {
    const world = await makeWorld(server.current)
    const address = await doctorsMeeting(server.current, world, await openAppointment(world))
    const token = new URL(address).searchParams.get("jwt") ?? ""
    expect(await connect(server.current, "room_other", token).closed).toBe(4401)
    expect(await connect(server.current, roomOf(address), `${token}x`).closed).toBe(4401)
    expect((await fetch(`${address}x`)).status).toBe(404)
  })
})
