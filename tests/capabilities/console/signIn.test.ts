/** Signing in at the console by the development issuer: sessions, cookies, forms. Section 17.1. */
import { describe, expect, test } from "bun:test"
import { asDoctor, visitor } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current)
  return { world, browser: await asDoctor(server.current, world) }
}

// Shows: a publicly reachable demo installation
test.each(["x-forwarded-for", "forwarded"])(
  "the development issuer signs nobody in who comes through a proxy, by %s; Rule 1.10.2",
  async (header) => {
    const { location } = await visitor(server.current).ask("/console/sign-in")
    const { pathname, search } = new URL(location, server.current.url)
    const sendFrom = async (headers: Readonly<Record<string, string>>) => {
      const asked = [
        ["GET", pathname + search],
        ["POST", pathname + search, new URLSearchParams()],
        ["POST", "/dev-idp/token", new URLSearchParams()]
      ] as const
      const answers = asked.map(([method, path, body]) => server.current.api(method, path, { headers, body }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await sendFrom({})).toEqual([200, 404, 400])
    expect(await sendFrom({ [header]: "203.0.113.9" })).toEqual([404, 404, 404])
  }
)

const toSignIn = /^\/console\/sign-in/

describe("a session", () => {
  test("is in the practice's audit log when it begins and ends; Rule 13.1.11", async () => {
    const { world, browser } = await enter()
    await browser.ask("/console/sign-out", { "@csrf": browser.csrf })
    const { body } = await world.api("GET", "/v1/management/audit-log?limit=500")
    const actor = { kind: "doctor", uid: world.doctor }
    const consoleEntries = body.data.filter(({ action }: { action: string }) => action.startsWith("console."))
    expect(consoleEntries).toMatchObject([
      { action: "console.sign_in", actor },
      { action: "console.sign_out", actor }
    ])
  })

  test("names the person in the audit log whose role is refused; Rule 13.1.9", async () => {
    const { world, browser } = await enter()
    const form = { "@csrf": browser.csrf, "@operation": "DELETE /v1/admin/api-keys/key_none" }
    await browser.ask("/console/doctor/do", form)
    const { body } = await world.api("GET", "/v1/management/audit-log?limit=500")
    expect(body.data).toContainEqual(
      expect.objectContaining({ action: "admin.api_keys.revoke.denied", actor: { kind: "doctor", uid: world.doctor } })
    )
  })

  test("of a doctor who is deleted leads to sign-in; Rule 17.1.3", async () => {
    const { world, browser } = await enter()
    await world.api("DELETE", `/v1/management/doctors/${world.doctor}`)
    expect((await browser.ask("/console/doctor")).location).toMatch(toSignIn)
  })
})

describe("the callback from the provider", () => {
  test("without an attempt, or with another state, is refused; Rule 17.1.1", async () => {
    const browser = visitor(server.current)
    expect((await browser.ask("/console/callback?code=x&state=y")).status).toBe(400)
    await browser.ask("/console/sign-in")
    expect((await browser.ask("/console/callback?code=x&state=y")).status).toBe(400)
  })

  test.each([["https://evil.example/console"], ["/console?%0d%0aset-cookie:%20a=b"]])(
    "does not redirect to %s",
    async (to) => {
      const browser = visitor(server.current)
      const { location } = await browser.ask(`/console/sign-in?to=${to}`)
      const world = await makeWorld(server.current)
      const chosen = await browser.ask(`${location}&only=${world.organisation_uid}`, {
        person: JSON.stringify(["admin", world.organisation_uid, world.organisation_uid])
      })
      expect((await browser.ask(chosen.location)).location).toBe("/console")
    }
  )
})

describe("a form", () => {
  // Shows: a malicious web page
  test("without its token is 403; Rule 17.2.2", async () => {
    const { browser } = await enter()
    for (const address of ["/console/doctor/do", "/console/doctor/join", "/console/sign-out"])
      for (const form of [{}, { "@csrf": "invented" }])
        expect([address, form, (await browser.ask(address, form)).status]).toEqual([address, form, 403])
  })
})
