/** Signing in without an identity provider: mail codes, invitations, tokens. Rules 17.1.10 to 17.1.12, 1.9.13 and 1.9.14. */
import { describe, expect, test } from "bun:test"
import { commandLine } from "../../support/cli.ts"
import { hiddenField, visitor } from "../../support/console.ts"
import { arrived } from "../../support/eventually.ts"
import { ownServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"
import { codeTo, mailsTo } from "./support/staffMails.ts"

const server = ownServer({ STAFF_SIGN_IN: "mail", SANDBOX: "true" })

const mailsOf = (address: string) => mailsTo(server.current, address)
const code = (address: string, count?: number) => codeTo(server.current, address, count)

const asked = async (address: string) => {
  const browser = visitor(server.current)
  await browser.open("/console/sign-in")
  const page = await browser.open("/console/sign-in", { email: address })
  return { ...browser, page }
}
const entered = async (address: string, count = 1) => {
  const browser = await asked(address)
  const page = await browser.open("/console/sign-in/code", { code: await code(address, count) })
  return { ...browser, page }
}

/** A practice with an owner who has a mail address. */
const practice = async () => {
  const world = await makeWorld(server.current)
  const email = `${random("owner")}@example.org`
  await world.provision({
    staff: [
      { uid: random("stf"), organisation_uid: world.organisation_uid, display_name: "Olga", email, role: "owner" }
    ]
  })
  return { world, email }
}

describe("a mail code", () => {
  test("signs in whoever has the address, and opens the practice", async () => {
    const { email } = await practice()
    const { page, ask } = await entered(email.toUpperCase().replace("@EXAMPLE.ORG", "@example.org"))
    expect([page.status, page.text.includes("Olga")]).toEqual([200, true])
    expect((await ask("/console/practice")).status).toBe(200)
    expect((await ask("/console/operator")).status).toBe(404)
  })

  test("an unknown address gets the same page and no mail", async () => {
    const { email } = await practice()
    const unknown = `${random("nobody")}@example.org`
    const [known, other] = [await asked(email), await asked(unknown)]
    expect(other.page.text.replace(unknown, email).replace(/nonce="[^"]*"/g, "")).toBe(
      known.page.text.replace(/nonce="[^"]*"/g, "")
    )
    await code(email)
    expect(mailsOf(unknown)).toEqual([])
  })

  test("five tries, ten minutes of domain time, and the newest counts", async () => {
    const { email } = await practice()
    const browser = await asked(email)
    const first = await code(email)
    const again = await asked(email)
    const second = await code(email, 2)
    const enter = (code: string) => again.open("/console/sign-in/code", { code })
    if (first !== second) expect((await enter(first)).status).toBe(400)
    for (let i = 0; i < 4; i++) expect((await enter(second === "00000000" ? "11111111" : "00000000")).status).toBe(400)
    expect((await enter(second)).status).toBe(400)
    await asked(email)
    const third = await code(email, 3)
    await server.current.advance(601)
    expect((await browser.open("/console/sign-in/code", { code: third })).status).toBe(400)
  })

  test("of six within an hour the last is not mailed", async () => {
    const { email } = await practice()
    for (let count = 1; count <= 5; count++) {
      await asked(email)
      await code(email, count)
    }
    await asked(email)
    const { email: other } = await practice()
    await asked(other)
    await code(other)
    expect(mailsOf(email).length).toBe(5)
  })
})

test("several records open all their workspaces; a second practice is chosen on the account's page", async () => {
  const { world, email } = await practice()
  const other = await makeWorld(server.current)
  const pharmacy = random("pha")
  await world.provision({
    doctors: [{ uid: world.doctor, organisation_uid: world.organisation_uid, display_name: "Dr. Olga", email }],
    staff: [
      { uid: random("stf"), organisation_uid: other.organisation_uid, display_name: "O", email, role: "reception" }
    ],
    pharmacies: [{ uid: pharmacy, name: "Apotheke", email }]
  })
  const { page, open, ask } = await entered(email)
  expect(page.text).toContain("/console/account/place")
  for (const workspace of ["doctor", "practice", "pharmacy"])
    expect([workspace, (await open(`/console/${workspace}`)).status]).toEqual([workspace, 200])
  const csrf = hiddenField(page.text, "@csrf")
  const team = async () => (await open("/console/practice/team")).status
  const [owned, desk] = [world.organisation_uid, other.organisation_uid]
  await ask("/console/account/place", { "@csrf": csrf, owner: owned })
  expect(await team()).toBe(200)
  await ask("/console/account/place", { "@csrf": csrf, owner: desk })
  expect(await team()).not.toBe(200)
})

test("a changed mail address ends sessions and codes; so does removal", async () => {
  const { world, email } = await practice()
  const { ask } = await entered(email)
  const late = await asked(email)
  const last = await code(email, 2)
  await server.current.sql`UPDATE staff_people SET email = ${`new-${email}`} WHERE email = ${email}`
  expect((await ask("/console/practice")).location).toStartWith("/console/sign-in")
  expect((await late.open("/console/sign-in/code", { code: last })).status).toBe(403)
  const { ask: renewed } = await entered(`new-${email}`)
  expect((await renewed("/console/practice")).status).toBe(200)
  await server.current
    .sql`UPDATE staff_people SET removed_at = now() WHERE organisation_uid = ${world.organisation_uid}`
  expect((await renewed("/console/practice")).location).toStartWith("/console/sign-in")
})

describe("an invitation", () => {
  test("needs a mail address, is mailed, and after one press signs in, once", async () => {
    const { world } = await practice()
    const email = `${random("kim")}@example.org`
    const without = await world.api("POST", "/v1/management/staff", { display_name: "Kim", role: "reception" })
    expect([without.status, without.text]).toEqual([400, expect.stringContaining("email")])
    const { status, body } = await world.api("POST", "/v1/management/staff", {
      display_name: "Kim",
      email,
      role: "reception"
    })
    expect(status).toBe(201)
    const path = new URL(body.invitation_url).pathname
    const [mail = ""] = await arrived(() => mailsOf(email), 1)
    expect(mail.replace(/=\r?\n/g, "")).toContain(path.slice(-40))
    const browser = visitor(server.current)
    expect((await browser.ask(path)).text).toContain("Kim")
    const page = await browser.open(path, {})
    expect([page.status, page.text.includes("/console/practice")]).toEqual([200, true])
    expect((await visitor(server.current).open(path, {})).status).toBe(404)
  })

  test("of the first owner and of an operator is made by command", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const run = commandLine({
      DATABASE_URL: server.current.databaseUrl,
      BASE_URL: server.current.url,
      DATA_DIR: server.current.dataDir
    })
    const owner = await run(
      ...[
        "staff",
        "invite",
        "--organisation",
        organisation_uid,
        "--role",
        "owner",
        "--email",
        `${random("own")}@example.org`
      ]
    )
    expect([owner.status, owner.said]).toEqual([0, expect.stringContaining("/console/invitation/inv_")])
    const open = (link: string) => visitor(server.current).open(new URL(link).pathname, {})
    expect((await open(owner.last)).status).toBe(200)
    const operator = await run("staff", "invite", "--operator", "--email", `${random("op")}@example.org`)
    expect([operator.status, operator.last]).toEqual([0, expect.stringContaining("/console/invitation/opi_")])
    const browser = visitor(server.current)
    expect((await browser.open(new URL(operator.last).pathname, {})).status).toBe(200)
    expect((await browser.ask("/console/operator")).status).toBe(200)
    expect((await open(operator.last)).status).toBe(404)
    const neither = await run("staff", "invite", "--email", "x@example.org")
    expect([neither.status, neither.said]).toEqual([1, expect.stringContaining("--operator")])
  })
})

describe("a token of the installation", () => {
  const tokenOf = (browser: { readonly ask: ReturnType<typeof visitor>["ask"] }) =>
    browser.ask("/v1/staff/tokens", new URLSearchParams())

  test("opens the interfaces of its person and ends with the session", async () => {
    const { world, email } = await practice()
    await world.provision({
      doctors: [{ uid: world.doctor, organisation_uid: world.organisation_uid, display_name: "Dr. Olga", email }]
    })
    const browser = await entered(email)
    const { status, text } = await tokenOf(browser)
    expect(status).toBe(201)
    const { token, expires_at } = JSON.parse(text)
    expect(expires_at - Date.now() / 1000).toBeWithin(880, 901)
    const as = (path: string) => server.current.api("GET", path, { bearer: token })
    expect((await as("/v1/doctor/appointments")).status).toBe(200)
    expect((await as("/v1/admin/api-keys")).status).toBe(200)
    expect((await as("/v1/operator/queues")).status).toBe(403)
    await browser.ask("/console/sign-out", { "@csrf": hiddenField(browser.page.text, "@csrf") })
    expect((await as("/v1/doctor/appointments")).status).toBe(401)
  })

  test("is refused without a session, and made up", async () => {
    expect((await tokenOf(visitor(server.current))).status).toBe(401)
    expect((await server.current.api("GET", "/v1/doctor/appointments", { bearer: "stt_made_up" })).status).toBe(401)
  })
})
