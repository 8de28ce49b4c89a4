/** Calls over weak lines: all packets pass a relay behind a proxy that slows them down, or loses some. Rule 5.7.14. */
import { expect, onTestFinished, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { bothSee, enterAsDoctor, enterAsPatient } from "../../../support/callers.ts"
import { eventually } from "../../../support/eventually.ts"
import { callFigures, openAppointment } from "../../../support/meetings.ts"
import { ownServer, startServer } from "../../../support/server.ts"
import { startTurn } from "../../../support/turn.ts"
import { weakLine } from "../../../support/weakLine.ts"
import { makeWorld } from "../../../support/world.ts"

const server = ownServer()
const browser = testBrowser()

const inCall = async () => {
  const relay = startTurn()
  onTestFinished(relay.stop)
  const line = await weakLine(relay.port)
  onTestFinished(line.stop)
  const at = await startServer(
    { TURN_URL: relay.urlAt(line.port), TURN_SECRET: relay.secret },
    server.current.databaseUrl
  )
  onTestFinished(at.stop)
  const world = await makeWorld(at)
  const uid = await openAppointment(world)
  const patient = await enterAsPatient({ browser, at, world, uid, relayed: true })
  const doctor = await enterAsDoctor({ browser, at, world, uid, relayed: true })
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
  await bothSee(patient.page, doctor.page)
  expect(new Set((await callFigures(patient.page)).ways)).toEqual(new Set(["relay"]))
  return { line, patient: patient.page, doctor: doctor.page }
}

/** Packets of sound that have arrived. */
const heard = (page: Page) =>
  page.evaluate(async () => {
    const [call]: ReadonlyArray<RTCPeerConnection> = Reflect.get(window, "calls")
    const entries = [...((await call?.getStats()) ?? new Map()).values()]
    const sound = entries.find(({ type, kind }) => type === "inbound-rtp" && kind === "audio")
    return Number(sound?.packetsReceived ?? 0)
  })

const hearsMore = async (page: Page) => {
  const before = await heard(page)
  await eventually(
    () => heard(page),
    (now) => now > before + 50,
    120
  )
}

/** What one writes appears at the other. */
const writes = async (from: Page, to: Page, text: string) => {
  const field = from.getByLabel("Ihr Text, sofort für alle")
  if ((await field.count()) === 0) await from.getByRole("button", { name: "Schreiben" }).click()
  await field.pressSequentially(text)
  await to.getByText(text).first().waitFor()
}

test("with 300 kbit/s each way picture, sound and text go on", async () => {
  const { line, patient, doctor } = await inCall()
  line.limit(300_000)
  await Promise.all([hearsMore(patient), hearsMore(doctor)])
  await bothSee(patient, doctor)
  await writes(doctor, patient, "Guten Tag")
  await writes(patient, doctor, "Hallo")
})

test("where a third of what is sent gets lost, the picture goes and then the sound, text goes on, and all comes back on wish", async () => {
  const { line, patient, doctor } = await inCall()
  await patient.getByRole("img", { name: "Gute Verbindung" }).waitFor()
  line.lose(0.35)
  await patient.getByRole("img", { name: "Schlechte Verbindung" }).waitFor()
  await patient.getByText("wird Ihr Bild gerade nicht übertragen").waitFor()
  await doctor.getByText("Testa Patient hat die Kamera ausgeschaltet").waitFor()
  await writes(patient, doctor, "Ich höre Sie schlecht")
  line.lose(0)
  await patient.getByRole("img", { name: "Gute Verbindung" }).waitFor()
  await patient.getByRole("button", { name: "Bild wieder senden" }).click()
  await doctor.locator(".stage .blank").waitFor({ state: "detached" })
  await hearsMore(doctor)
})
