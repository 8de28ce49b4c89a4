/** Passkeys in a browser with a virtual authenticator: added, used, removed. Rule 17.1.12. */
import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../../../support/browser.ts"
import { freePort } from "../../../support/ports.ts"
import { startServer, whileTesting } from "../../../support/server.ts"
import { makeWorld, random } from "../../../support/world.ts"
import { codeTo } from "../support/staffMails.ts"

const PORT = String(freePort())
const url = `http://localhost:${PORT}`
const server = whileTesting(
  () => startServer({ STAFF_SIGN_IN: "mail", PORT, BASE_URL: url }),
  ({ stop }) => stop()
)
const browser = testBrowser()

const withAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
}

test("a passkey is added after signing in by code, signs in first, and is gone after it was removed", async () => {
  const world = await makeWorld(server.current)
  const email = `${random("owner")}@example.org`
  await world.provision({
    staff: [
      { uid: random("stf"), organisation_uid: world.organisation_uid, display_name: "Olga", email, role: "owner" }
    ]
  })
  const { page } = await browser.open("about:blank", { locale: "en-GB" })
  await withAuthenticator(page)
  await page.goto(`${url}/console`)
  await page.getByLabel("Mail address").fill(email)
  await page.getByRole("button", { name: "Send a code" }).click()
  await page.getByLabel("Code from the mail").fill(await codeTo(server.current, email))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Sign-in" }).click()
  await page.getByLabel("Name of the new passkey").fill("Laptop")
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByText("Laptop, added on").waitFor()

  const signOut = async () => {
    await page.goto(`${url}/console`)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("You are signed out.").waitFor()
    await page.getByRole("link", { name: "Sign in" }).click()
  }
  await signOut()
  const [first] = await page.locator("main button").allTextContents()
  expect(first).toBe("Sign in with a passkey")
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL(`${url}/console/practice*`)
  const used = await server.current
    .sql`SELECT counter::int AS counter FROM passkeys WHERE email = ${email} AND used_at IS NOT NULL`
  expect(used.length).toBe(1)

  await page.goto(`${url}/console/account`)
  await page.getByRole("button", { name: "Remove Laptop" }).click()
  await page.getByText("None yet.").waitFor()
  await signOut()
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.getByText("This passkey is not known here.").waitFor()
})
