/** Choices on the booking page: what the confirmation's mail is written in, and whose it is. */
import { expect, test } from "bun:test"
import { catalogue } from "../../src/texts/catalogue.ts"
import { mailsTo, mailTo, pageLink } from "../support/codes.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()

/** Books by the page's forms with this query; the customer's identifier. */
const bookedBy = async (
  world: World,
  query: string,
  profile: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {}
) => {
  const customer = random("p")
  const code = await world.session(customer, { from: inDays(3), to: inDays(4) })
  await server.current.query("UPDATE patients SET profile = profile || $1::jsonb WHERE organisation_uid = $2", [
    JSON.stringify(profile),
    world.organisation_uid
  ])
  const page = `/meet/booking/${code}`
  const post = (step: string, fields: Readonly<Record<string, string>>) =>
    server.current.api("POST", `${page}/${step}${query}`, { body: new URLSearchParams(fields), headers })
  expect((await post("hold", { slot: `${inDays(3, 2)}.${world.doctor}` })).status).toBe(303)
  const { text } = await server.current.api("GET", page + query)
  const hold_uid = /name="hold_uid" value="([^"]+)"/.exec(text)?.[1] ?? ""
  expect((await post("confirm", { hold_uid })).status).toBe(303)
  return customer
}

/** The same; the mail. */
const booked = async (...of: Parameters<typeof bookedBy>) =>
  mailTo(server.current, `${await bookedBy(...of)}@example.org`)

test("the mail uses the language and zone chosen on the page, and comes from the practice", async () => {
  const world = await makeWorld(server.current, {
    organisation: {
      messages: ["confirmation"],
      timezone: "Europe/Berlin",
      branding: { sender_name: "Praxis am Markt", reply_to: "empfang@praxis.example" }
    }
  })
  const mail = await booked(world, "?lang=en&zone=America/New_York")
  expect(mail?.subject).toStartWith("Appointment confirmed: ")
  expect(mail?.from?.value[0]?.name).toBe("Praxis am Markt")
  expect(mail?.replyTo?.value[0]?.address).toBe("empfang@praxis.example")
  const there = new Intl.DateTimeFormat("en-GB", {
    timeZone: "America/New_York",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  }).format(inDays(3, 2) * 1000)
  expect(mail?.text).toContain(`${there.replace(" ", ", ").replace(",,", ",")} in New York`)
})

test("the language chosen on the page counts where the profile has another; Rule 5.5.15", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  expect((await booked(world, "?lang=tr", { language: "de" }))?.subject).toStartWith("Randevu onayı: ")
})

test("so does the language of the reader's browser, and it stays with what replaces the appointment; Rule 5.5.15", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation", "rebooking"] } })
  const first = await booked(world, "", {}, { "accept-language": "uk-UA,uk;q=0.9" })
  const closing = catalogue.uk.messages.closing.split("\n")[0] ?? ""
  expect(first?.text).toContain(closing)
  const { data } = (await world.api("GET", "/v1/management/scheduling/appointments")).body
  const path = `/v1/scheduling/appointments/${data[0].uid}/rebook`
  const target = { new_start_date: inDays(3, 5), new_doctor_uid: world.doctor }
  expect(await world.api("POST", path, target)).toMatchObject({ status: 200 })
  const { email } = (await world.api("GET", `/v1/management/patients/${data[0].patient_uid}`)).body.profile
  const mails = await eventually(
    () => mailsTo(server.current, email),
    ({ length }) => length === 2
  )
  for (const { text } of mails) expect(text).toContain(closing)
})

test("a profile without a language gets the one in which its patient has booked; Rule 5.5.15", async () => {
  const world = await makeWorld(server.current)
  const languageAfter = async (query: string, profile: Readonly<Record<string, string>>) => {
    const customer = await bookedBy(world, query, profile)
    const { data } = (await world.api("GET", `/v1/management/patients?shop_customer_id=${customer}`)).body
    return data[0].profile.language
  }
  expect(await languageAfter("?lang=uk", {})).toBe("uk")
  expect(await languageAfter("?lang=uk", { language: "fr" })).toBe("fr")
  expect(await languageAfter("", {})).toBeUndefined()
})

test("a session that a link has opened leaves the profile's language as it is: others may have the link", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked(inDays(3, 5))
  const code = (await pageLink(server.current, uid, "rebook")).split("/").at(-1)
  const opened = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/rebook-session`)
  expect(opened.status).toBe(200)
  const page = `/meet/booking/${opened.body.booking_launch_code}`
  const post = (step: string, fields: Readonly<Record<string, string>>) =>
    server.current.api("POST", `${page}/${step}?lang=uk`, { body: new URLSearchParams(fields) })
  expect((await post("hold", { slot: `${inDays(4, 5)}.${world.doctor}` })).status).toBe(303)
  const { text } = await server.current.api("GET", page)
  const hold_uid = /name="hold_uid" value="([^"]+)"/.exec(text)?.[1] ?? ""
  expect((await post("confirm", { hold_uid })).status).toBe(303)
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const { profile } = (await world.api("GET", `/v1/management/patients/${patient_uid}`)).body
  expect(profile.language).toBeUndefined()
})
