/** Calls of three and four: guests, text, the security code. Rules 5.7.10 to 5.7.14. */
import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { edited, editsBetween, wholeWords } from "../../../../src/capabilities/video/pages/islands/liveText.ts"
import { securityCode } from "../../../../src/capabilities/video/pages/islands/securityCode.ts"
import { testBrowser } from "../../../support/browser.ts"
import { allSee, bothSee, CALL_VIEWPORT, enterAsDoctor, enterAsPatient, isFit } from "../../../support/callers.ts"
import { eventually } from "../../../support/eventually.ts"
import { openAppointment, watchCalls } from "../../../support/meetings.ts"
import { testServer } from "../../../support/server.ts"
import { makeWorld } from "../../../support/world.ts"

const server = testServer()
const browser = testBrowser()

describe("text", () => {
  const typed = (...texts: ReadonlyArray<string>) => {
    let [theirs, before] = ["", ""]
    for (const text of texts) {
      for (const message of editsBetween(before, text)) theirs = edited(theirs, message)
      before = text
    }
    return theirs
  }

  test("arrives as it is typed, with corrections in the middle, line ends and letters beyond 16 bits", () => {
    expect(typed("H", "Ha", "Hallo 👋", "Hall", "Hello, wie\ngeht es?")).toBe("Hello, wie\ngeht es?")
    expect(typed("👋🏽 abc", "👋 abc", "")).toBe("")
    expect(edited("a", "\uFEFFb\r\nc\u2028d\u0007\b\b")).toBe("ab\nc")
    expect(editsBetween("", "x".repeat(9_000)).map(({ length }) => length)).toEqual([4_000, 4_000, 1_000])
  })

  test("is read word by word", () => {
    expect(["", "Gut", "Guten T", "Ja. Nein", "Zeile\nzwei"].map(wholeWords)).toEqual([
      "",
      "",
      "Guten ",
      "Ja. ",
      "Zeile\n"
    ])
  })
})

test("a security code depends on both fingerprints, in either order", async () => {
  const sdp = (byte: string) => `v=0\r\na=fingerprint:sha-256 ${Array(32).fill(byte).join(":")}\r\na=setup:active\r\n`
  const code = await securityCode(sdp("0a"), sdp("FF"))
  const text = [`sha-256 ${Array(32).fill("0A").join(":")}`, `sha-256 ${Array(32).fill("FF").join(":")}`].join("\n")
  const hash = new Bun.CryptoHasher("sha256").update(text).digest()
  expect(code).toBe([0, 2, 4, 6, 8].map((at) => String(hash.readUInt16BE(at) % 1000).padStart(3, "0")).join(" "))
  expect(await securityCode(sdp("ff"), sdp("0A"))).toBe(code)
  expect(await securityCode(sdp("0b"), sdp("FF"))).not.toBe(code)
  expect(await securityCode(sdp("0b"), "v=0")).toBeUndefined()
})

interface Call {
  readonly uid: string
  readonly world: Awaited<ReturnType<typeof makeWorld>>
  readonly patient: Page
  readonly doctor: Page
}

/** A call of two, with every message of each one's socket. */
const callOfTwo = async (prepare: (page: Page) => Promise<unknown> = async () => {}) => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const at = { browser, at: server.current, world, uid, prepare }
  const patient = await enterAsPatient(at)
  const doctor = await enterAsDoctor(at)
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
  await bothSee(patient.page, doctor.page)
  return { uid, world, patient: patient.page, doctor: doctor.page, complaints: [patient.complaints, doctor.complaints] }
}

const invite = async ({ world, uid }: Pick<Call, "world" | "uid">, guest: object) =>
  String((await world.api("POST", `/v1/management/scheduling/appointments/${uid}/guests`, guest)).body.url)

/** Agrees to secrecy, checks the devices, and waits. */
const enterAsGuest = async (url: string) => {
  const opened = await browser.open("about:blank", { viewport: CALL_VIEWPORT })
  await watchCalls(opened.page)
  await opened.page.goto(url)
  await isFit(opened.page)
  await opened.page.getByRole("button", { name: "Ich behalte alles für mich und trete ein" }).click()
  await opened.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await opened.page.getByText("lässt Sie gleich herein").waitFor()
  return opened
}

const admit = (doctor: Page, name: string) => doctor.getByRole("button", { name: `Hereinbitten: ${name}` }).click()
const agree = (patient: Page, name: string) => patient.getByRole("button", { name: `Einverstanden: ${name}` }).click()

test("a guest joins once the doctor and the patient want it, all see all with names and roles, a fourth joins, one is removed", async () => {
  const call = await callOfTwo()
  const { patient, doctor } = call
  const ana = await enterAsGuest(await invite(call, { role: "interpreter", name: "Ana" }))
  await patient.getByText("Ana (Dolmetscher/in) möchte am Gespräch teilnehmen").waitFor()
  await isFit(patient)
  await isFit(doctor)
  await isFit(ana.page)
  await admit(doctor, "Ana")
  await ana.page.getByText("muss noch zustimmen").waitFor()
  expect(await ana.page.locator(".stage").count()).toBe(0)
  const agreed = performance.now()
  await agree(patient, "Ana")
  await allSee(patient, doctor, ana.page)
  console.info(`the third saw both ${Math.round(performance.now() - agreed)} ms after the agreement`)
  await ana.page.locator(".badge", { hasText: "Testa Patient · Patient/in" }).waitFor()
  await patient.locator(".badge", { hasText: "Ana · Dolmetscher/in" }).waitFor()
  for (const page of [patient, doctor, ana.page]) await isFit(page)

  const bo = await enterAsGuest(await invite(call, { role: "relative", name: "Bo" }))
  // in the other order
  await agree(patient, "Bo")
  const admitted = performance.now()
  await admit(doctor, "Bo")
  const all = [patient, doctor, ana.page, bo.page]
  await allSee(...all)
  console.info(`the fourth saw all ${Math.round(performance.now() - admitted)} ms after the admission`)
  for (const page of all) {
    expect(await page.locator(".stage").count()).toBe(3)
    await isFit(page)
    // on a phone every name is whole and inside of its picture
    await page.setViewportSize({ width: 360, height: 780 })
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll(".badge")].flatMap((badge) => {
        const [name, stage] = [badge.getBoundingClientRect(), badge.closest(".stage")?.getBoundingClientRect()]
        return stage !== undefined && name.top >= stage.top && name.bottom <= stage.bottom && name.width > 90
          ? []
          : [badge.textContent]
      })
    )
    expect(outside).toEqual([])
    await page.setViewportSize(CALL_VIEWPORT)
  }
  // what is sent gets smaller with the number of people
  const limits = await doctor.evaluate(() =>
    Reflect.get(window, "calls").flatMap((one: RTCPeerConnection) =>
      one.connectionState === "connected"
        ? one
            .getSenders()
            .flatMap(({ track, getParameters }, at) =>
              track?.kind === "video"
                ? (one.getSenders()[at]?.getParameters().encodings[0]?.maxBitrate ?? getParameters)
                : []
            )
        : []
    )
  )
  expect(limits).toEqual([400_000, 400_000, 400_000])

  await doctor.getByRole("button", { name: "Bo aus dem Gespräch entfernen" }).click()
  await bo.page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
  for (const page of [patient, doctor, ana.page])
    await page.locator('.badge:has-text("Bo")').waitFor({ state: "detached" })
  // completing the visit ends nothing; ending does, for all
  await call.world.api("POST", `/v1/management/scheduling/appointments/${call.uid}/complete`)
  await allSee(patient, doctor, ana.page)
  await doctor.getByRole("button", { name: "Für alle beenden" }).click()
  for (const page of [patient, ana.page])
    await page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
  expect([...ana.complaints, ...bo.complaints, ...call.complaints.flat()]).toEqual([])
})

/** Lets a page believe that so many milliseconds have passed. */
const laterOn = (page: Page, ms: number) =>
  page.evaluate((more) => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + more
  }, ms)

test("a guest who loses the connection returns without a new admission within two minutes, one who leaves waits again; Rule 5.7.11", async () => {
  const call = await callOfTwo()
  const ana = await enterAsGuest(await invite(call, { role: "care", name: "Ana" }))
  await agree(call.patient, "Ana")
  await admit(call.doctor, "Ana")
  await allSee(call.patient, call.doctor, ana.page)
  await ana.page.reload()
  await ana.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await allSee(call.patient, call.doctor, ana.page)
  // away for longer
  const address = ana.page.url()
  await ana.page.goto("about:blank")
  for (const page of [call.patient, call.doctor]) {
    await page.locator('.badge:has-text("Ana")').waitFor({ state: "detached" })
    await laterOn(page, 120_000)
  }
  await ana.page.goto(address)
  await ana.page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await ana.page.getByText("lässt Sie gleich herein").waitFor()
  await agree(call.patient, "Ana")
  await admit(call.doctor, "Ana")
  await allSee(call.patient, call.doctor, ana.page)
  await ana.page.getByRole("button", { name: "Verlassen" }).click()
  await ana.page.getByRole("button", { name: "Wieder eintreten" }).click()
  await ana.page.getByText("lässt Sie gleich herein").waitFor()
  await call.doctor.getByRole("button", { name: "Hereinbitten: Ana" }).waitFor()
  await call.patient.getByRole("button", { name: "Ablehnen: Ana" }).click()
  await ana.page.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
  await bothSee(call.patient, call.doctor)
})

/** Everything that the page sends to and gets from the service. */
const framesOf = (page: Page) => {
  const frames: Array<string> = []
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => frames.push(String(payload)))
    socket.on("framereceived", ({ payload }) => frames.push(String(payload)))
  })
  return frames
}

test("what is typed appears letter by letter at all others, by keyboard alone, and in no message of a socket; Rule 5.7.12", async () => {
  const frames: Array<ReadonlyArray<string>> = []
  const call = await callOfTwo(async (page) => frames.push(framesOf(page)))
  const { patient, doctor } = call
  const theirs = () => doctor.locator(".lines").textContent()
  const write = patient.getByRole("button", { name: "Schreiben" })
  await write.focus()
  await patient.keyboard.press("Enter")
  await patient.getByLabel("Ihr Text, sofort für alle").focus()
  for (const [letter, text] of [
    ["Z", "Z"],
    ["w", "Zw"],
    ["i", "Zwi"],
    ["Backspace", "Zw"],
    ["ä", "Zwä"]
  ] as const) {
    await (letter.length === 1 ? patient.keyboard.insertText(letter) : patient.keyboard.press(letter))
    await eventually(theirs, (now) => now === text)
  }
  await patient.keyboard.type("nzig Tropfen")
  // a screen reader hears whole words
  const heard = () => doctor.locator("[role=log]").textContent()
  await eventually(heard, (now) => now === "Zwänzig ")
  await patient.keyboard.press("Enter")
  await doctor.getByRole("button", { name: "Kopieren: Zwänzig Tropfen" }).waitFor()
  for (const page of [patient, doctor]) await isFit(page)
  // keys of the call are letters here
  await patient.keyboard.type("mv")
  await patient.getByRole("button", { name: "Mikrofon an" }).waitFor()
  // who comes later gets it all
  const ana = await enterAsGuest(await invite(call, { role: "interpreter", name: "Ana" }))
  await agree(patient, "Ana")
  await admit(doctor, "Ana")
  await eventually(
    () => ana.page.locator(".lines").allTextContents(),
    (now) => now.some((text) => text === "Zwänzig Tropfen\nmv")
  )
  expect(frames.flat().length).toBeGreaterThan(10)
  expect(frames.flat().filter((frame) => /Zwä|Zw\\u|Tropfen|nzig T/.test(frame))).toEqual([])
  // nothing is left afterwards
  await doctor.getByRole("button", { name: "Für alle beenden" }).click()
  await patient.getByRole("heading", { name: "Das Gespräch ist beendet" }).waitFor()
  expect(await patient.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("Tropfen")
  await patient.getByRole("button", { name: "Wieder eintreten" }).click()
  await doctor.getByRole("button", { name: "Hereinbitten" }).click()
  await bothSee(patient, doctor)
  expect(await doctor.locator(".lines").count()).toBe(0)
})

const codeOf = async (page: Page) => {
  await page.getByText("Sicherheitscode", { exact: true }).click()
  return eventually(
    () => page.locator(".badge .code").textContent(),
    (now) => /^\d{3}( \d{3}){4}$/.test(now ?? "")
  )
}

test("both sides show the same security code, beside the other's name; Rule 5.7.13", async () => {
  const { patient, doctor } = await callOfTwo()
  const codes = [await codeOf(patient), await codeOf(doctor)]
  expect(codes[0]).toBe(codes[1] ?? "")
  for (const page of [patient, doctor]) await isFit(page)
})

/** A page that ends both connections itself: whoever relays the signalling can put it in between. */
const inBetween = async () => {
  const { page } = await browser.open("about:blank")
  const started = page.evaluate(() => {
    const sides = new Map<string, { readonly peer: RTCPeerConnection; ready: Promise<unknown> }>()
    const sideOf = (name: string) => {
      const known = sides.get(name)
      if (known !== undefined) return known
      const peer = new RTCPeerConnection()
      peer.createDataChannel("real-time-text", { ordered: true, protocol: "t140", negotiated: true, id: 1 })
      const side = { peer, ready: Promise.resolve<unknown>(undefined) }
      sides.set(name, side)
      return side
    }
    const described = async (peer: RTCPeerConnection) => {
      await peer.setLocalDescription()
      while (peer.iceGatheringState !== "complete")
        await new Promise((resolve) => peer.addEventListener("icegatheringstatechange", resolve, { once: true }))
      return { type: peer.localDescription?.type, sdp: peer.localDescription?.sdp }
    }
    Object.assign(window, {
      offer: (name: string) => {
        const { peer } = sideOf(name)
        // a repeated offer of the other side
        if (peer.localDescription !== null) return peer.localDescription.toJSON()
        for (const kind of ["audio", "video"]) peer.addTransceiver(kind)
        return described(peer)
      },
      take: (name: string, description: RTCSessionDescriptionInit) => {
        const side = sideOf(name)
        // one after the other: an offer that was repeated is answered twice
        side.ready = side.ready.then(() =>
          description.type === "answer" && side.peer.signalingState !== "have-local-offer"
            ? undefined
            : side.peer.setRemoteDescription(description)
        )
        return side.ready.then(() => (description.type === "offer" ? described(side.peer) : null))
      },
      candidate: (name: string, one: RTCIceCandidateInit) =>
        sideOf(name).ready.then(() => sideOf(name).peer.addIceCandidate(one))
    })
  })
  await started
  const ask = (does: "offer" | "take" | "candidate", ...given: ReadonlyArray<unknown>) =>
    page.evaluate(([name, args]) => Reflect.get(window, name)(...args), [does, given] as const)

  /** Takes the signals of this page's socket, and answers as the other side. */
  const tap = (victim: Page, name: string) =>
    victim.routeWebSocket(/\/socket\?/, (socket) => {
      const service = socket.connectToServer()
      let other = { id: "", session: "" }
      const say = (description: unknown) =>
        socket.send(JSON.stringify({ type: "signal", from: other.id, session: other.session, data: { description } }))
      service.onMessage(async (raw) => {
        const message = JSON.parse(String(raw))
        if (message.type === "member") other = message.member
        const { description, candidate } = message.data ?? {}
        if (description === undefined && candidate === undefined) socket.send(raw)
        else if (description?.type === "offer") say(await ask("offer", name))
      })
      socket.onMessage(async (raw) => {
        const message = JSON.parse(String(raw))
        const { description, candidate } = message.data ?? {}
        if (candidate !== undefined) return void ask("candidate", name, candidate)
        if (description === undefined) return service.send(raw)
        const answer = await ask("take", name, description)
        if (answer !== null) say(answer)
        // so that the other side, too, is offered a connection
        if (description.type === "offer") service.send(raw)
      })
    })
  return tap
}

test("somebody in between, who relays the signals and ends both connections, is found: the codes differ; Rule 5.7.13", async () => {
  const tap = await inBetween()
  const world = await makeWorld(server.current)
  const at = { browser, at: server.current, world, uid: await openAppointment(world) }
  const patient = await enterAsPatient({ ...at, prepare: (page) => tap(page, "patient") })
  const doctor = await enterAsDoctor({ ...at, prepare: (page) => tap(page, "doctor") })
  await doctor.page.getByRole("button", { name: "Hereinbitten" }).click()
  // neither side's browser notices
  for (const { page } of [patient, doctor])
    await page.waitForFunction(() =>
      Reflect.get(window, "calls").some((one: RTCPeerConnection) => one.connectionState === "connected")
    )
  const codes = [await codeOf(patient.page), await codeOf(doctor.page)]
  expect(codes[0]).not.toBe(codes[1])
})
