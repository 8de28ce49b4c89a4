/** Roles of a practice's people: by the provider's claims and by invitation, what each may do, and who looked at a patient. Rules 1.9.11 to 1.9.13. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { practiceRights } from "../../../src/http/credentials/practiceRights.ts"
import { practiceRoles } from "../../../src/schemas/access/PracticeRole.ts"
import { organisationPermissions } from "../../../src/schemas/access/permissions.ts"
import { hiddenField, visitor } from "../../support/console.ts"
import { inDays, makeWorld } from "../../support/world.ts"
import { consoleWithProvider } from "./support/consoleProvider.ts"

const running = consoleWithProvider()

const signIn = async (...as: Parameters<typeof running.current.signIn>) => {
  const { found, ...browser } = await running.current.signIn(...as)
  const send = (operation: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.ask("/console/practice/do", {
      "@csrf": hiddenField(found.text, "@csrf"),
      "@operation": operation,
      "@back": "/console/practice",
      ...fields
    })
  return { ...browser, found, send }
}

const worldWith = async () => {
  const world = await makeWorld(running.current.server, { doctors: 1 })
  const { organisation_uid } = world
  const owner = () => signIn({ roles: ["admin"], organisation_uid })
  return { world, organisation_uid, owner }
}

test("a receptionist by the provider's claims does the day's work and nothing else; Rules 1.9.11 and 1.9.12", async () => {
  const { world, organisation_uid } = await worldWith()
  const uid = await world.booked(inDays(2, 9))
  const { ask, found, send } = await signIn({ roles: ["reception"], organisation_uid })
  expect(found.status).toBe(200)
  expect(found.text).not.toMatch(/href="\/console\/practice\/(settings|types)"/)
  for (const page of ["/settings", "/team", "/access", "/audit"])
    expect([page, (await ask(`/console/practice${page}`)).status]).toEqual([page, 403])
  for (const page of ["", "/patients", "/waitlist", "/recalls", "/absences", `/appointments/${uid}`])
    expect([page, (await ask(`/console/practice${page}`)).status]).toEqual([page, 200])
  for (const [operation, fields, status] of [
    ["PATCH /v1/management/organisation", { name: "Mine" }, 403],
    ["POST /v1/admin/api-keys", { name: "x", permissions: "scheduling:read" }, 403],
    [`PATCH /v1/management/scheduling/appointment-types/${world.type_uid}`, { name: "Mine" }, 403],
    [`POST /v1/management/scheduling/appointments/${uid}/cancel`, { reason: "Angerufen" }, 303]
  ] as const)
    expect([operation, (await send(operation, fields)).status]).toEqual([operation, status])
})

test("an invited person gets the role by the link, once, and loses it when removed; Rule 1.9.13", async () => {
  const { world, owner } = await worldWith()
  const head = await owner()
  const made = await head.send("POST /v1/management/staff", {
    display_name: "Kim Beispiel",
    role: "read_only",
    "@show": "invitation_url",
    email: "kim@example.org"
  })
  const link = /http[^<]*\/console\/invitation\/[\w-]+/.exec(made.text)?.[0] ?? ""
  const { pathname } = new URL(link)
  const page = await visitor(running.current.server).ask(pathname)
  expect([page.status, page.text.includes("Kim Beispiel")]).toEqual([200, true])
  const to = /href="(\/console\/sign-in[^"]*)"/.exec(page.text)?.[1] ?? ""
  // without an invitation the provider's claims give nothing
  expect((await signIn({ roles: [] })).found.status).toBe(403)
  const guest = await signIn({ roles: [] }, to)
  expect(guest.found.status).toBe(200)
  expect((await guest.ask("/console/practice/patients")).status).toBe(200)
  const uid = await world.booked(inDays(3, 9))
  const cancel = `POST /v1/management/scheduling/appointments/${uid}/cancel`
  expect((await guest.send(cancel, { reason: "x" })).status).toBe(403)
  expect((await visitor(running.current.server).ask(pathname)).status).toBe(404)
  expect((await signIn({ roles: [] }, to)).found.status).toBe(404)

  const { body } = await world.api("GET", "/v1/management/staff")
  const kim = body.data.find((one: { display_name: string }) => one.display_name === "Kim Beispiel")
  expect(kim).toMatchObject({ role: "read_only", role_from: "console", status: "active" })
  expect((await head.send(`DELETE /v1/management/staff/${kim?.uid}`)).status).toBe(303)
  const after = await guest.ask("/console/practice/patients")
  expect([after.status, after.location.startsWith("/console/sign-in")]).toEqual([303, true])
  const { body: removed } = await world.api("GET", `/v1/management/staff/${kim?.uid}`)
  expect(removed.status).toBe("removed")
  expect((await world.api("DELETE", `/v1/management/staff/${kim?.uid}`)).status).toBe(404)
})

test("an administrator of the provider is listed, changed and removed, but not by themselves; Rule 12.1.27", async () => {
  const { world, organisation_uid, owner } = await worldWith()
  const head = await owner()
  const again = () => signIn({ roles: ["admin"], organisation_uid }, "/console/sign-in", "second-admin")
  await again()
  const { data } = (await world.api("GET", "/v1/management/staff")).body
  expect(data.length).toBe(2)
  const own = data.find(({ subject }) => subject !== "second-admin")
  const other = data.find(({ subject }) => subject === "second-admin")
  expect(other).toMatchObject({ role: "owner", role_from: "provider", status: "active" })
  expect((await head.send(`DELETE /v1/management/staff/${own?.uid}`)).status).toBe(400)
  expect((await head.send(`PATCH /v1/management/staff/${other?.uid}`, { role: "billing" })).status).toBe(303)
  const billing = await again()
  expect((await billing.ask("/console/practice/settings")).status).toBe(403)
  expect((await head.send(`DELETE /v1/management/staff/${other?.uid}`)).status).toBe(303)
  expect((await again()).found.status).toBe(403)
})

test("who looked at a patient, with names, newest first; Rule 17.6.16", async () => {
  const { world, owner } = await worldWith()
  const patient = await world.patient({ first_name: "Ada", last_name: "Beispiel" })
  const head = await owner()
  expect((await head.ask(`/console/practice/patients/${patient}`)).status).toBe(200)
  const { status, text } = await head.ask(`/console/practice/patients/${patient}/looked`)
  const { body } = await world.api("GET", "/v1/management/staff")
  expect([status, text.includes(body.data[0].display_name), text.includes("looked at")]).toEqual([200, true, true])
})

test("the documentation's table of roles is what the service enforces; Rule 1.9.12", () => {
  const docs = readFileSync("docs/console.md", "utf8")
  const table = docs.slice(docs.indexOf("## Roles of a practice"))
  for (const permission of organisationPermissions) {
    const [, cells = ""] = new RegExp(`^\\| \`${permission}\` +\\|(.*)\\|$`, "m").exec(table) ?? []
    const shown = cells.split("|").map((cell) => cell.trim() === "yes")
    expect([permission, shown]).toEqual([
      permission,
      practiceRoles.map((role) => practiceRights[role].permissions.includes(permission))
    ])
  }
})
