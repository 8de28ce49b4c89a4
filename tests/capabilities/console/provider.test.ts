/** Sign-in and sign-out with a real provider (oidc-provider) and its own pages. Rules 17.1.1, 17.1.2 and 17.1.5. */
import { expect, test } from "bun:test"
import { hiddenField, visitor } from "../../support/console.ts"
import { freePort } from "../../support/ports.ts"
import { startServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"
import { consoleWithProvider, startConsoleWithProvider } from "./support/consoleProvider.ts"

const running = consoleWithProvider()

test("a doctor signs in with the provider's claims, and out of both", async () => {
  const { provider, server, signIn } = running.current
  const { organisation_uid, doctor } = await makeWorld(server)
  const { callback, ...browser } = await signIn({ roles: ["doctor"], organisation_uid, doctor_uid: doctor })
  expect([callback.status, callback.location]).toEqual([303, "/console"])
  const room = await browser.open("/console")
  expect(room.status).toBe(200)
  expect(room.text).toContain("/console/doctor/week")
  const ended = await browser.ask("/console/sign-out", { "@csrf": hiddenField(room.text, "@csrf") })
  expect(ended.answer.headers.get("refresh")).toContain(`${provider.issuer}/session/end?`)
  expect((await browser.ask("/console/doctor")).location).toMatch(/sign-in/)
})

test("two roles give two workspaces, and no role gives no session; Rule 17.1.3", async () => {
  const { server, signIn } = running.current
  const { organisation_uid, doctor } = await makeWorld(server)
  const both = await signIn({ roles: ["doctor", "admin"], organisation_uid, doctor_uid: doctor })
  expect((await both.ask("/console/doctor")).status).toBe(200)
  expect((await both.ask("/console/practice")).status).toBe(200)
  const refused = await signIn({ roles: ["doctor"], organisation_uid, doctor_uid: "doc_unknown" })
  expect(refused.callback.status).toBe(403)
  expect((await refused.ask("/console/doctor")).location).toMatch(/sign-in/)
})

/** Lets the claims of this test's sessions become older than four minutes. */
const age = () =>
  running.current.server
    .sql`UPDATE console_sessions SET verified_at = verified_at - interval '270 seconds', renewing_at = NULL`

test("a role withdrawn at the provider ends in the console within five minutes; Rule 17.1.7", async () => {
  const { people, provider, server, signIn } = running.current
  const { organisation_uid, doctor } = await makeWorld(server)
  const claims = { organisation_uid, doctor_uid: doctor }
  const { login, ...browser } = await signIn({ roles: ["doctor", "admin"], ...claims })
  people.set(login, { roles: ["doctor"], ...claims })
  expect((await browser.ask("/console/practice")).status).toBe(200)
  await age()
  // a rotated refresh token is used once, however many requests arrive
  const asked = provider.asked.length
  const found = await Promise.all(Array.from({ length: 6 }, () => browser.ask("/console/practice")))
  expect(found.map(({ status }) => status)).toEqual(Array(6).fill(404))
  expect(provider.asked.slice(asked).filter((url) => url === "/token")).toHaveLength(1)
  expect((await browser.ask("/console/doctor")).status).toBe(200)
  people.set(login, { roles: [] })
  await age()
  expect((await browser.ask("/console/doctor")).location).toMatch(/sign-in/)
})

test("a sign-in attempt asks the provider once, and not for another attempt's state; Rule 17.1.8", async () => {
  const { provider, server } = running.current
  const browser = visitor(server)
  const { location } = await browser.ask("/console/sign-in")
  const state = new URL(location).searchParams.get("state") ?? ""
  await fetch(`${server.url}/console/sign-in`, { redirect: "manual" }) // the provider's metadata are known from here on
  const asked = provider.asked.length
  const query = `state=${state}&iss=${encodeURIComponent(provider.issuer)}`
  const callbacks = Array.from({ length: 20 }, (_, n) => browser.ask(`/console/callback?code=made-up-${n}&${query}`))
  const answers = await Promise.all(callbacks)
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400))
  await browser.ask("/console/callback?code=made-up&state=another")
  expect(provider.asked.slice(asked).filter((url) => url === "/token")).toHaveLength(1)
})

test("the provider's clock may differ by two minutes; Rule 17.1.1", async () => {
  const { provider, server, signIn } = running.current
  const { organisation_uid, doctor } = await makeWorld(server)
  const statusWith = async (claims: Readonly<Record<string, number>>) => {
    Object.assign(provider.idTokenClaims, claims)
    return (await signIn({ roles: ["doctor"], organisation_uid, doctor_uid: doctor })).callback.status
  }
  const now = Math.floor(Date.now() / 1000)
  expect(await statusWith({ exp: now - 60 })).toBe(303)
  expect(await statusWith({ exp: now - 180 })).not.toBe(303)
  expect(await statusWith({ exp: now + 600, nbf: now + 100 })).toBe(303)
  expect(await statusWith({ nbf: now + 600 })).not.toBe(303)
  expect(await statusWith({ nbf: now })).toBe(303)
})

for (const way of ["client_secret_post", "client_secret_basic", "none"] as const)
  test(`the console authenticates by ${way} where the provider's discovery names it alone; Rule 17.1.9`, async () => {
    const { server } = running.current
    const { organisation_uid, doctor } = await makeWorld(server)
    const own = await startConsoleWithProvider({ secret: "a-secret + 100%", way }, server.databaseUrl)
    try {
      const { callback } = await own.signIn({ roles: ["doctor"], organisation_uid, doctor_uid: doctor })
      expect([callback.status, callback.location]).toEqual([303, "/console"])
    } finally {
      await own.stop()
    }
  })

// Shows: a malicious web page
test("over https, cookies have the __Host- prefix and are secure; Rule 17.1.2", async () => {
  const port = freePort()
  const { client, server } = running.current
  const open = { BASE_URL: "https://clinic.example", DEMO: "true", ROLE: "http" }
  const secure = await startServer({ ...client, ...open, PORT: String(port) }, server.databaseUrl)
  const answer = await fetch(`http://127.0.0.1:${port}/console/sign-in`, { redirect: "manual" })
  await secure.stop()
  const [cookie = ""] = answer.headers.getSetCookie()
  expect(cookie).toStartWith("__Host-sprechstunde-sign-in=")
  expect(cookie.split("; ").slice(1).toSorted()).toEqual([
    "HttpOnly",
    "Max-Age=600",
    "Path=/",
    "SameSite=Lax",
    "Secure"
  ])
})

test("an unanswered provider is asked again at the next sign-in", async () => {
  let requested = 0
  const standIn = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      requested += 1
      const issuer = new URL(url).origin
      const answer = { issuer, authorization_endpoint: `${issuer}/authorize`, jwks_uri: `${issuer}/jwks` }
      return requested === 1 ? new Response(null, { status: 503 }) : Response.json(answer)
    }
  })
  const port = freePort()
  const { server, client: known } = running.current
  const client = { ...known, OIDC_ISSUER: standIn.url.origin }
  const own = await startServer({ ...client, ROLE: "http", PORT: String(port) }, server.databaseUrl)
  const statuses: Array<number> = []
  for (const _ of [1, 2]) statuses.push((await fetch(`${own.url}/console/sign-in`, { redirect: "manual" })).status)
  await own.stop()
  await standIn.stop(true)
  expect(statuses).toEqual([503, 303])
})
