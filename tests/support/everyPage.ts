/** Every page of the console and of a patient's booking: for tests of the statements that the service sends. */
import { expect } from "bun:test"
import type { makeShop } from "../checkout/support/shop.ts"
import type { Tenant } from "../http/matrix/tenant.ts"
import { signedIn } from "./console.ts"
import type { TestServer } from "./server.ts"
import { inDays } from "./world.ts"

/** URLs by path: a calendar links to every week. */
const linksIn = (html: string) =>
  [...html.matchAll(/href="((\/console\/(?!sign)[^"#?]+)[^"#]*)"/g)].map(
    ([, address = "", path = ""]) => [path, address.replaceAll("&amp;", "&")] as const
  )

/** Every page of the console that is linked, for each kind of user. */
export const visitConsole = async (server: TestServer, tenant: Tenant) => {
  const { organisation_uid, doctor } = tenant.world
  for (const person of [
    ["admin", organisation_uid, organisation_uid],
    ["doctor", doctor, organisation_uid],
    ["pharmacy", tenant.named.pharmacy_uid ?? "", tenant.named.pharmacy_uid ?? ""],
    ["operator", "operator", "installation"]
  ] as const) {
    const { ask, page } = await signedIn(server, person)
    const found = new Map(linksIn(page.text))
    expect([person[0], found.size > 0]).toEqual([person[0], true])
    for (const [at, address] of found) {
      const { status, text } = await ask(address)
      expect([at, status < 500]).toEqual([at, true])
      for (const [path, next] of linksIn(text)) if (!found.has(path)) found.set(path, next)
    }
  }
}
/** The pages on which patients answer and ask in writing. */
const visitForms = async ({ api, url }: TestServer, { world }: Tenant) => {
  const form = await world.api("POST", "/v1/management/forms", {
    title: "Form",
    items: [{ link_id: "what", type: "text", text: "What?" }]
  })
  const form_uid = form.body.uid
  const { body: type } = await world.api("POST", "/v1/management/request-types", {
    name: "Request",
    kind: "other",
    form_uid,
    answer_within_minutes: 60
  })
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
    entry: { form_uid, rules: [] },
    intake: [{ form_uid }]
  })
  const answer = async (path: string) => {
    const page = (body: Readonly<Record<string, string>>, query: string) =>
      fetch(`${url}${path}?page=${query}`, { method: "POST", body: new URLSearchParams(body), redirect: "manual" })
    expect([path, (await api("GET", path)).status]).toEqual([path, 200])
    await page({ shown: "what", "a.what": "?", action: "next" }, "0")
    await api("GET", `${path}?page=check`)
    return (await page({ action: "send" }, "check")).headers.get("location") ?? ""
  }
  const code = await world.session("forms", { from: inDays(6), to: inDays(8) })
  await answer(`/meet/booking/${code}/questions`)
  await api("GET", `/meet/booking/${code}/requests`)
  const sent = await answer(`/meet/booking/${code}/requests/${type.uid}`)
  expect(sent).toStartWith("/meet/request/")
  expect((await api("GET", sent)).status).toBe(200)
  await api("GET", `/meet/book/${world.shop_identifier}/requests`)
  const held = await world.hold(code, inDays(7, 15))
  await world.confirm(code, held.body.hold_uid)
  const links = `/v1/management/scheduling/appointments/${held.body.hold_uid}/action-links`
  const { body: link } = await world.api("POST", links, { action: "join" })
  await answer(`/meet/appointment/${link.code}/intake/${form_uid}`)
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { entry: null, intake: [] })
}

/** The patient's pages: the public booking page, a booking from session to appointment, the meeting's entrance, a shop's order. */
export const visitPages = async (server: TestServer, tenant: Tenant, shop: Awaited<ReturnType<typeof makeShop>>) => {
  const { api, url } = server
  const { world } = tenant
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${url}${path}`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" })
  const code = await world.session("page", { from: inDays(6), to: inDays(8) })
  const start_date = inDays(6, 12)
  await api("GET", `/meet/booking/${code}`)
  await form(`/meet/booking/${code}/hold`, { doctor_uid: world.doctor, start_date: String(start_date) })
  const held = await world.hold(code, inDays(7, 12))
  await form(`/meet/booking/${code}/confirm`, { hold_uid: String(held.body.hold_uid) })
  for (const path of ["", "/manage", "/appointment.ics"]) await api("GET", `/meet/booking/${code}${path}`)
  const links = `/v1/management/scheduling/appointments/${held.body.hold_uid}/action-links`
  await world.confirm(code, held.body.hold_uid)
  for (const action of ["join", "cancel", "rebook"]) {
    const made = await world.api("POST", links, { action })
    for (const page of ["appointment", "meeting"]) await api("GET", `/meet/${page}/${made.body.code}`)
  }
  await api("GET", `/meet/book/${world.shop_identifier}`)
  await form(`/meet/book/${world.shop_identifier}`, {
    appointment_type_uid: world.type_uid,
    meeting_format: "DIGITAL",
    first_name: "Eva",
    last_name: "Muster",
    date_of_birth: "1980-05-04",
    email: "eva@example.org"
  })
  await visitForms(server, tenant)
  const { draft_order_id } = (await shop.prescribe()).body
  await api("GET", `/storefront/checkout/${draft_order_id}`)
  await shop.pay(draft_order_id)
}
