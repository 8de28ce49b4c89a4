import { describe, expect, onTestFinished, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
import { bothSee, enterAsDoctor, enterAsPatient } from "../support/callers.ts"
import { pageLink } from "../support/codes.ts"
import { cuttable } from "../support/cuttable.ts"
import { callFigures, openAppointment } from "../support/meetings.ts"
import { freePort } from "../support/ports.ts"
import { ownServer, startServer } from "../support/server.ts"
import { startTurn } from "../support/turn.ts"
import { makeWorld } from "../support/world.ts"

const server = ownServer()
const browser = testBrowser()

/** Duration of the outage, milliseconds: the fault itself, not a wait for a condition. */
const TEN_SECONDS = 10_000

describe("a call", () => {
  test("reconnects without a click after the socket was cut for ten seconds, and after reloads", async () => {
    const port = freePort()
    const way = await cuttable(port)
    onTestFinished(way.stop)
    const behind = await startServer({ PORT: String(port), BASE_URL: way.url }, server.current.databaseUrl)
    const world = await makeWorld(behind)
    const uid = await openAppointment(world)
    const patient = await enterAsPatient({ browser, at: behind, world, uid })
    const doctor = await enterAsDoctor({ browser, at: behind, world, uid })
    await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
    await bothSee(patient.page, doctor.page)
    way.cut()
    await patient.page.locator(".notice[role=status]").waitFor()
    await Bun.sleep(TEN_SECONDS)
    way.mend()
    await patient.page.locator(".notice[role=status]").waitFor({ state: "detached" })
    await doctor.page.locator(".notice[role=status]").waitFor({ state: "detached" })
    await bothSee(patient.page, doctor.page)
    // the socket has reconnected, not only the media: only the socket carries this state
    await patient.page.getByRole("button", { name: "Kamera an" }).click()
    await doctor.page.getByText("Testa Patient hat die Kamera ausgeschaltet").waitFor()
    await patient.page.getByRole("button", { name: "Kamera aus" }).click()

    // each reload leads to one new, working connection, before the watchdog's retry
    const made = async () => (await callFigures(doctor.page)).frames.length
    const before = await made()
    await patient.page.reload()
    await patient.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
    await bothSee(patient.page, doctor.page)
    expect(await made()).toBe(before + 1)
    await doctor.page.reload()
    await doctor.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
    await bothSee(patient.page, doctor.page)
    await patient.close()
    await doctor.close()
    await behind.stop()
  })

  test("uses a relay with time-limited credentials, and survives a total loss of the network", async () => {
    const relay = startTurn()
    onTestFinished(relay.stop)
    const port = freePort()
    const way = await cuttable(port)
    onTestFinished(way.stop)
    const behind = await startServer(
      { PORT: String(port), BASE_URL: way.url, TURN_URL: relay.url, TURN_SECRET: relay.secret },
      server.current.databaseUrl
    )
    const world = await makeWorld(behind)
    const uid = await openAppointment(world)
    // the device test uses the relay, too, and reports before the call what the call would
    const tested = await browser.open(`${await pageLink(behind, uid, "join")}/devices`)
    await tested.page.locator('[data-connection="good"]').waitFor()
    await tested.close()
    const patient = await enterAsPatient({ browser, at: behind, world, uid, relayed: true })
    const doctor = await enterAsDoctor({ browser, at: behind, world, uid, relayed: true })
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
  })
})
