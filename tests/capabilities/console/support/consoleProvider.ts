/** The console with a real provider of identities (oidc-provider), and the sign-in by the provider's own pages. */
import { visitor } from "../../../support/console.ts"
import { oidcProvider } from "../../../support/oidcProvider.ts"
import { freePort } from "../../../support/ports.ts"
import { startServer, whileTesting } from "../../../support/server.ts"
import { random } from "../../../support/world.ts"

interface Secret {
  readonly secret: string
  readonly way: "client_secret_basic" | "client_secret_post" | "none"
}

/** With a secret, the provider takes it in one way alone. */
export const startConsoleWithProvider = async (secret?: Secret, databaseUrl?: string) => {
  const people = new Map<string, Record<string, unknown>>()
  const PORT = String(freePort())
  const provider = await oidcProvider("ES256", { url: `http://127.0.0.1:${PORT}`, people, ...secret })
  const client = {
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: "https://sprechstunde.example",
    OIDC_CLIENT_ID: "sprech-console",
    ...(secret !== undefined && { OIDC_CLIENT_SECRET: secret.secret })
  }
  const server = await startServer({ ...client, PORT }, databaseUrl)
  const action = (html: string) => new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "", provider.issuer).href

  /** Follows login and consent from a page of the console to the page after the callback. */
  const signIn = async (claims: Record<string, unknown>, to = "/console/sign-in", login = random("user")) => {
    people.set(login, claims)
    const browser = visitor(server)
    let found = await browser.ask(to)
    let callback = found
    for (let step = 0; step < 20; step++) {
      if (found.status === 302 || found.status === 303) {
        const isCallback = found.location.startsWith(`${server.url}/console/callback`)
        const next = found.location.startsWith("/console")
          ? found.location
          : new URL(found.location, provider.issuer).href
        found = await browser.ask(next)
        if (isCallback) callback = found
        if (isCallback && found.status !== 303) break
      } else if (found.text.includes('name="login"'))
        found = await browser.ask(action(found.text), { prompt: "login", login, password: "any" })
      else if (found.text.includes('value="consent"'))
        found = await browser.ask(action(found.text), { prompt: "consent" })
      else break
    }
    return { ...browser, login, found, callback }
  }
  const stop = async () => {
    await server.stop()
    await provider.stop()
  }
  return { people, provider, client, server, signIn, stop }
}

/** Runs for the tests of one file. */
export const consoleWithProvider = () => whileTesting(startConsoleWithProvider, ({ stop }) => stop())
