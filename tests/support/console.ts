/** Signs in at the console without a browser: follows the redirects and submits the forms, cookies included. */
import type { TestServer } from "./server.ts"
import type { World } from "./world.ts"

export const hiddenField = (html: string, name: string) => {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
  if (value === undefined) throw new Error(`no field ${name} in ${html.slice(0, 2000)}`)
  return unescaped(value)
}

/** The cookie jar of one user's requests. */
export const visitor = (server: Pick<TestServer, "url">) => {
  const cookies = new Map<string, string>()
  type Answer = Readonly<Record<"location" | "text", string>> & { readonly status: number; readonly answer: Response }
  const request = async (
    address: string,
    form?: Readonly<Record<string, string>> | URLSearchParams
  ): Promise<Answer> => {
    const answer = await fetch(new URL(address, server.url), {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: cookieOf({ cookies }), "accept-language": "en" },
      ...(form !== undefined && { body: new URLSearchParams(form) })
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = answer.headers.get("location") ?? ""
    // the page that shows a refused form again
    if (/[?&]refused=/.test(location)) return request(location)
    return { status: answer.status, location, text: await answer.text(), answer }
  }

  /** Follows redirects to the final page. */
  const open = async (address: string, form?: Readonly<Record<string, string>>) => {
    let found = await request(address, form)
    while (found.status === 303) found = await request(found.location)
    return found
  }
  return { ask: request, open, cookies }
}

type Fields = Readonly<Record<string, string>> | ReadonlyArray<readonly [name: string, value: string]>

/** Signs in at the development issuer as one of its users: role, identifier, owner. */
export const signedIn = async (
  server: Pick<TestServer, "url">,
  person: readonly [role: string, uid: string, owner: string]
) => {
  const browser = visitor(server)
  const { location } = await browser.ask("/console/sign-in")
  const only = person[0] === "doctor" ? person[2] : person[1] // an operator's uid is `operator`
  const page = await browser.open(`${location}&only=${only}`, { person: JSON.stringify(person) })
  if (page.status !== 200) throw new Error(`${page.status} ${page.text}`)
  const csrf = hiddenField(page.text, "@csrf")
  /** Sends an operation as a form of the person's pages does. */
  const send = (operation: string, fields: Fields = {}, form = "do") => {
    const pairs = Symbol.iterator in fields ? fields : Object.entries(fields)
    const body = new URLSearchParams({ "@csrf": csrf, "@operation": operation })
    for (const [name, value] of pairs) body.append(name, value)
    return browser.ask(`/console/${person[0] === "admin" ? "practice" : person[0]}/${form}`, body)
  }
  return { ...browser, page, csrf, send }
}

/** The console of a person of this world, or of a pharmacy, or of an operator. */
export const asAdmin = (server: Pick<TestServer, "url">, { organisation_uid }: { readonly organisation_uid: string }) =>
  signedIn(server, ["admin", organisation_uid, organisation_uid])
export const asDoctor = (server: Pick<TestServer, "url">, world: World, doctor = world.doctor) =>
  signedIn(server, ["doctor", doctor, world.organisation_uid])
export const asPharmacy = (server: TestServer, pharmacy_uid: string) =>
  signedIn(server, ["pharmacy", pharmacy_uid, pharmacy_uid])
export const asOperator = (server: Pick<TestServer, "url">) =>
  signedIn(server, ["operator", "operator", "installation"])

/** What a browser reads in an attribute of a page. */
export const unescaped = (text = "") => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&")

/** The header of a person's own requests. */
export const cookieOf = ({ cookies }: { readonly cookies: ReadonlyMap<string, string> }) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")

/** The stream of changes since a page was rendered. */
export const liveOf = ({ text }: { readonly text: string }) => {
  const address = /data-live="([^"]+)"/.exec(text)?.[1]
  if (address === undefined) throw new Error("the page is not live")
  return address
}

/** Requests the page again with every change that its stream reports, until it shows the expected content. */
export const becomes = async (
  server: TestServer,
  browser: Pick<ConsoleVisitor, "ask" | "cookies">,
  { page, live, fits }: { page: string; live: string; fits: (html: string) => boolean }
) => {
  const control = new AbortController()
  const headers = { cookie: cookieOf(browser) }
  const answer = await fetch(new URL(live, server.url), { headers, signal: control.signal })
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let streamed = ""
  while (true) {
    const part = await reader?.read()
    if (part === undefined || part.done) throw new Error(`${answer.status}: the stream of ${page} ended`)
    streamed += decoder.decode(part.value, { stream: true })
    if (!streamed.includes("event: changed")) continue
    streamed = ""
    if (!fits((await browser.ask(page)).text)) continue
    control.abort()
    return
  }
}

export type ConsoleVisitor = Awaited<ReturnType<typeof signedIn>>
