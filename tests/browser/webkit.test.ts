/** The patient's pages in WebKit, the engine of every browser on an iPhone. docs/hosted-pages.md says what Debian's lacks. */
import { expect, test } from "bun:test"
import { axeSource } from "../support/browser.ts"
import { pageLink } from "../support/codes.ts"
import { openAppointment } from "../support/meetings.ts"
import { stored } from "../support/records.ts"
import { testServer, whileTesting } from "../support/server.ts"
import { startWebKit } from "../support/webkit.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const webkit = whileTesting(startWebKit, (one) => one.stop())

const titled = (title: string) => webkit.current.until((wanted) => document.title === wanted, title)

/** No violations of WCAG, and no overflow on a narrow phone. */
const isFit = async () => {
  const { evaluate, resize, run } = webkit.current
  await resize(320, 700)
  await run(await axeSource())
  const faults = await evaluate(async () => {
    const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] })
    const wide = document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : []
    return [...wide, ...violations.map(({ id }: { readonly id: string }) => id)]
  })
  expect(faults).toEqual([])
}

test("WebKit books, moves and cancels", async () => {
  const { open, press, type, until, evaluate, complaints } = webkit.current
  const world = await makeWorld(server.current)
  const code = await world.session("apple", { from: inDays(1), to: inDays(4) })
  const facts = () => evaluate(() => JSON.parse(document.body.dataset.facts ?? "{}"))
  await open(`${server.current.url}/meet/booking/${code}?lang=de`)
  await titled("Wann passt es Ihnen? – Termin buchen")
  await isFit()
  await press(".next button")
  await titled("Noch ein Schritt – Termin buchen")
  await isFit()
  await type("textarea", "Husten")
  await press(".actions .primary")
  await titled("Ihr Termin steht – Termin buchen")
  await isFit()
  const { appointment_uid } = await facts()
  expect(await stored(server.current, appointment_uid)).toMatchObject({ status: "confirmed", visit_reason: "Husten" })
  await press("button[value=rebook]")
  await titled("Termin verschieben – Ihr Termin")
  await press("button[value=rebook]")
  await titled("Wann passt es Ihnen stattdessen? – Termin verschieben")
  await press(".strip li:nth-child(7) a")
  await until(() => document.querySelector('.strip li:nth-child(7) a[aria-current="date"]'))
  await press(".times button")
  await titled("Neuen Termin bestätigen – Termin verschieben")
  await press(".actions .primary")
  await titled("Ihr Termin ist verschoben – Termin verschieben")
  const moved = (await facts()).appointment_uid
  expect((await stored(server.current, appointment_uid)).status).toBe("cancelled")
  await open(await pageLink(server.current, moved, "cancel"))
  await titled("Termin absagen – Ihr Termin")
  await press("button[value=cancel]")
  await titled("Ihr Termin ist abgesagt")
  expect((await stored(server.current, moved)).status).toBe("cancelled")
  expect(complaints).toEqual([])
})

test("WebKit without WebRTC, as on an iPhone in lockdown mode, is told so before a call", async () => {
  const { open, press, until, evaluate } = webkit.current
  const world = await makeWorld(server.current)
  await open(`${await pageLink(server.current, await openAppointment(world), "join")}?lang=de`)
  await isFit()
  await press("form .primary")
  await until(() => document.body.textContent?.includes("Dieser Browser kann keine Videogespräche führen"))
  expect(await evaluate(() => typeof RTCPeerConnection)).toBe("undefined")
  await isFit()
  expect(await evaluate(() => document.querySelectorAll(".controls .primary").length)).toBe(0)
})

test("WebKit shows a guest's invitation, and what they agree to", async () => {
  const { open, press, until } = webkit.current
  const world = await makeWorld(server.current)
  const guests = `/v1/management/scheduling/appointments/${await openAppointment(world)}/guests`
  const { url } = (await world.api("POST", guests, { role: "relative", name: "Bo" })).body
  await open(`${url}?lang=de`)
  await isFit()
  await press("button[value=agree]")
  await until(() => document.querySelector('#meeting[data-role="guest"]'))
  await until(() => document.body.textContent?.includes("Dieser Browser kann keine Videogespräche führen"))
})

test("WebKit shows camera, microphone and its level in the device test, and says that nothing connects", async () => {
  const { open, press, until, evaluate } = webkit.current
  const world = await makeWorld(server.current)
  const link = await pageLink(server.current, await world.booked(inDays(5, 10)), "join")
  await open(`${link}/devices?lang=de`)
  await until(() => document.body.textContent?.includes("Dieser Browser kann keine Videogespräche führen"))
  await evaluate(() => {
    // Debian's build has camera and microphone, but no connections
    Object.assign(window, { RTCPeerConnection: class {} })
  })
  await press(".actions .secondary")
  await until(() => (document.querySelector("video")?.currentTime ?? 0) > 0.2)
  await until(() => (document.querySelector("meter")?.value ?? 0) > 0)
  await until(() => document.querySelector('[data-connection="none"]'))
  await isFit()
})
