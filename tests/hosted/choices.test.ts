import { expect, test } from "bun:test"
import { mailTo } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()

test("the mail uses the language and zone chosen on the page, and comes from the practice", async () => {
  const world = await makeWorld(server.current, {
    organisation: {
      messages: ["confirmation"],
      timezone: "Europe/Berlin",
      branding: { sender_name: "Praxis am Markt", reply_to: "empfang@praxis.example" }
    }
  })
  const code = await world.session("traveller", { from: inDays(3), to: inDays(4) })
  const query = "?lang=en&zone=America/New_York"
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    server.current.api("POST", `/meet/booking/${code}/${path}${query}`, { body: new URLSearchParams(fields) })
  const start = inDays(3, 2)
  expect((await post("hold", { slot: `${start}.${world.doctor}` })).status).toBe(303)
  const page = await server.current.api("GET", `/meet/booking/${code}${query}`)
  const hold_uid = /name="hold_uid" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
  expect((await post("confirm", { hold_uid })).status).toBe(303)
  const mail = await mailTo(server.current, "traveller@example.org")
  expect(mail?.subject).toStartWith("Appointment confirmed: ")
  expect(mail?.from?.value[0]?.name).toBe("Praxis am Markt")
  expect(mail?.replyTo?.value[0]?.address).toBe("empfang@praxis.example")
  const there = new Intl.DateTimeFormat("en-GB", {
    timeZone: "America/New_York",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  }).format(start * 1000)
  expect(mail?.text).toContain(`${there.replace(" ", ", ").replace(",,", ",")} in New York`)
})

test("the language chosen on the page counts where the profile has another; Rule 5.5.15", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  const code = await world.session("reader", { from: inDays(3), to: inDays(4) })
  await server.current.query(
    'UPDATE patients SET profile = profile || \'{"language": "de"}\' WHERE organisation_uid = $1',
    [world.organisation_uid]
  )
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    server.current.api("POST", `/meet/booking/${code}/${path}?lang=tr`, { body: new URLSearchParams(fields) })
  await post("hold", { slot: `${inDays(3, 2)}.${world.doctor}` })
  const page = await server.current.api("GET", `/meet/booking/${code}`)
  await post("confirm", { hold_uid: /name="hold_uid" value="([^"]+)"/.exec(page.text)?.[1] ?? "" })
  const mail = await mailTo(server.current, "reader@example.org")
  expect(mail?.subject).toStartWith("Randevu onayı: ")
})
