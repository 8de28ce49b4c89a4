/**
 * A stand-in of Google's and Microsoft's calendars, in memory: what the service uses of their interfaces, pushes included, and a page that
 * shows the calendar. For tests, and for a demo without an account.
 */

export interface StandInEntry {
  readonly id: string
  /** The service's own key; null: somebody else's. */
  readonly key: string | null
  readonly title: string
  /** Unix seconds. */
  readonly start: number
  readonly end: number
  /** As the service asked for it. */
  readonly isPrivate: boolean
  readonly isFree: boolean
  /** An all-day entry is given as dates. */
  readonly isAllDay: boolean
  readonly isDeclined: boolean
}
type NewEntry = Partial<StandInEntry> & Pick<StandInEntry, "start" | "end">

const ACCOUNT = "ada@example.org"
const PROPERTY = "sprechstunde"
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const instant = (text: string) => Math.floor(Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`) / 1000)
const day = (seconds: number) => iso(seconds).slice(0, 10)

/** `asks`: allowing it takes a press, as at the providers. */
export const calendarStandIn = ({
  port = 0,
  asks = false
}: {
  readonly port?: number
  readonly asks?: boolean
} = {}) => {
  const entries = new Map<string, StandInEntry>()
  /** Names of the account's calendars, each on a page of its own; the first is its own, and all entries are in it. */
  const calendars = ["Calendar"]
  const log: Array<string> = []
  const channels = new Map<string, string>()
  const requests: Array<{ readonly method: string; readonly path: string; readonly token: string | null }> = []
  const codes = new Map<string, string>()
  const revoked: Array<string> = []
  /** What the next requests to the interface are answered instead. */
  const instead: Array<() => Response> = []
  const pushed: Array<Promise<unknown>> = []
  let [made, isGranted, isTokenLost, tokens] = [0, true, false, 0]

  /** As the providers do, again after a while where the service is busy. */
  const push = async (address: string) => {
    for (let pause = 100; pause < 20_000; pause *= 2) {
      const status = await fetch(address, { method: "POST", body: "{}" }).then(
        (answer) => answer.status,
        () => 503
      )
      if (status !== 429 && status < 500) return
      await Bun.sleep(pause * (1 + Math.random()))
    }
  }
  const changed = (id: string) => {
    log.push(id)
    for (const address of channels.values()) pushed.push(push(address))
  }
  const set = (entry: NewEntry) => {
    const id = entry.id ?? `entry${++made}`
    const before = entries.get(id)
    const plain = {
      key: null,
      title: "Besprechung",
      isPrivate: false,
      isFree: false,
      isAllDay: false,
      isDeclined: false
    }
    const whole: StandInEntry = { ...plain, ...before, ...entry, id }
    entries.set(id, whole)
    changed(id)
    return whole
  }
  const remove = (id: string) => {
    const isThere = entries.delete(id)
    if (isThere) changed(id)
    return isThere
  }

  const tokenFor = () => ({ access_token: `access${++tokens}`, refresh_token: "refresh", expires_in: 3600 })
  const toToken = async (request: Request) => {
    const form = new URLSearchParams(await request.text())
    const verifier = form.get("code_verifier") ?? ""
    const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url")
    const isFresh = form.get("grant_type") === "refresh_token" && form.get("refresh_token") === "refresh"
    const isCode = codes.get(form.get("code") ?? "") === challenge
    codes.delete(form.get("code") ?? "")
    return isGranted && (isFresh || isCode)
      ? Response.json(tokenFor())
      : Response.json({ error: "invalid_grant" }, { status: 400 })
  }
  /** The page on which the doctor allows it. */
  const question = ({ href }: URL) =>
    new Response(
      `<!doctype html><html lang="de"><meta charset="utf-8"><title>Kalender von Ada</title><h1>Kalender von Ada</h1>
      <form method="post" action="${Bun.escapeHTML(href)}"><p>Sprechstunde darf den Kalender lesen und beschreiben.</p><button>Zulassen</button></form>`,
      { headers: { "content-type": "text/html; charset=utf-8" } }
    )
  const authorize = ({ searchParams }: URL) => {
    const code = `code${++tokens}`
    codes.set(code, searchParams.get("code_challenge") ?? "")
    isGranted = true
    const back = new URL(searchParams.get("redirect_uri") ?? "")
    back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString()
    return Response.redirect(back.href, 302)
  }
  const missing = () => Response.json({ error: { code: 404 } }, { status: 404 })
  const lost = () => {
    isTokenLost = false
    return Response.json({ error: { code: "syncStateNotFound" } }, { status: 410 })
  }
  /** The changes after a token, or all. */
  const since = (token: string | null) => [...new Set(token === null ? entries.keys() : log.slice(Number(token)))]

  const asGoogle = ({ id, key, title, start, end, isPrivate, isFree, isAllDay, isDeclined }: StandInEntry) => ({
    id,
    status: "confirmed",
    summary: title,
    transparency: isFree ? "transparent" : "opaque",
    visibility: isPrivate ? "private" : "default",
    start: isAllDay ? { date: day(start) } : { dateTime: iso(start) },
    end: isAllDay ? { date: day(end) } : { dateTime: iso(end) },
    ...(isDeclined && { attendees: [{ self: true, responseStatus: "declined" }] }),
    ...(key !== null && { extendedProperties: { private: { [PROPERTY]: key } } })
  })
  // biome-ignore lint/suspicious/noExplicitAny: a body as the provider gets it
  const fromGoogle = (sent: any): NewEntry => ({
    title: sent.summary,
    key: sent.extendedProperties?.private?.[PROPERTY] ?? null,
    isPrivate: sent.visibility === "private",
    isFree: sent.transparency !== "opaque",
    start: instant(sent.start.dateTime),
    end: instant(sent.end.dateTime)
  })
  const google = async (request: Request, url: URL) => {
    const path = url.pathname.replace("/calendar/v3", "")
    if (path === "/users/me/calendarList") {
      const at = Number(url.searchParams.get("pageToken") ?? 0)
      const items = [{ id: at === 0 ? ACCOUNT : `other${at}`, summary: calendars[at], primary: at === 0 }]
      return Response.json({ items, ...(at + 1 < calendars.length && { nextPageToken: String(at + 1) }) })
    }
    if (path === "/channels/stop") {
      channels.delete(String((await request.json()).id))
      return new Response(null, { status: 204 })
    }
    const [, id, action] = /^\/calendars\/[^/]+\/events(?:\/([^/]+))?(\/watch)?$/.exec(path) ?? []
    if (id === "watch" || action !== undefined) {
      const { id: channel, address } = await request.json()
      channels.set(channel, address)
      return Response.json({ id: channel, resourceId: "one", expiration: String(Date.now() + 7 * 86_400_000) })
    }
    if (id === undefined && request.method === "GET") {
      const token = url.searchParams.get("syncToken")
      if (token !== null && isTokenLost) return lost()
      const items = since(token).map((one) => {
        const entry = entries.get(one)
        return entry === undefined ? { id: one, status: "cancelled" } : asGoogle(entry)
      })
      return Response.json({ items, nextSyncToken: String(log.length) })
    }
    if (request.method === "POST") {
      const sent = await request.json()
      return log.includes(sent.id)
        ? new Response(null, { status: 409 })
        : Response.json(asGoogle(set({ id: sent.id, ...fromGoogle(sent) })))
    }
    const found = entries.get(id ?? "")
    if (request.method === "PATCH" && log.includes(id ?? ""))
      return Response.json(asGoogle(set({ ...found, id: id ?? "", ...fromGoogle(await request.json()) })))
    if (found === undefined) return missing()
    if (request.method === "GET") return Response.json(asGoogle(found))
    remove(found.id)
    return new Response(null, { status: 204 })
  }

  const asMicrosoft = ({ id, title, start, end, isPrivate, isFree, isAllDay, isDeclined }: StandInEntry) => ({
    id,
    type: "singleInstance",
    subject: title,
    sensitivity: isPrivate ? "private" : "normal",
    showAs: isFree ? "free" : "busy",
    isAllDay,
    responseStatus: { response: isDeclined ? "declined" : "none" },
    start: { dateTime: iso(start).slice(0, 19), timeZone: "UTC" },
    end: { dateTime: iso(end).slice(0, 19), timeZone: "UTC" }
  })
  // biome-ignore lint/suspicious/noExplicitAny: a body as the provider gets it
  const fromMicrosoft = (sent: any): NewEntry => ({
    title: sent.subject,
    key: sent.singleValueExtendedProperties[0].value,
    isPrivate: sent.sensitivity === "private",
    isFree: sent.showAs !== "busy",
    start: instant(sent.start.dateTime),
    end: instant(sent.end.dateTime)
  })
  const transactions = new Map<string, string>()
  const microsoft = async (request: Request, url: URL) => {
    const path = url.pathname.replace("/v1.0", "")
    if (path === "/me/calendars") {
      const at = Number(url.searchParams.get("$skip") ?? 0)
      const id = at === 0 ? "main" : `other${at}`
      const value = [{ id, name: calendars[at], isDefaultCalendar: at === 0, owner: { address: ACCOUNT } }]
      const next = { "@odata.nextLink": `${url.origin}${url.pathname}?$skip=${at + 1}` }
      return Response.json({ value, ...(at + 1 < calendars.length && next) })
    }
    if (path === "/subscriptions") {
      const { notificationUrl, expirationDateTime } = await request.json()
      const proof = await fetch(`${notificationUrl}?validationToken=proof`, { method: "POST" })
      if ((await proof.text()) !== "proof") return new Response(null, { status: 400 })
      const id = crypto.randomUUID()
      channels.set(id, notificationUrl)
      return Response.json({ id, expirationDateTime }, { status: 201 })
    }
    if (path.startsWith("/subscriptions/"))
      return new Response(null, { status: channels.delete(path.split("/").at(-1) ?? "") ? 204 : 404 })
    if (path.endsWith("/calendarView/delta")) {
      const token = url.searchParams.get("$deltatoken")
      if (token !== null && isTokenLost) return lost()
      const value = since(token).map((one) => {
        const entry = entries.get(one)
        return entry === undefined ? { id: one, "@removed": { reason: "deleted" } } : asMicrosoft(entry)
      })
      const next = new URL(url.href)
      next.search = new URLSearchParams({ $deltatoken: String(log.length) }).toString()
      return Response.json({ value, "@odata.deltaLink": next.href })
    }
    if (path.endsWith("/events") && request.method === "GET") {
      const [, key] = /ep\/value eq '(\w+)'/.exec(url.searchParams.get("$filter") ?? "") ?? []
      return Response.json({ value: [...entries.values()].filter((one) => one.key === key).map(({ id }) => ({ id })) })
    }
    if (request.method === "POST") {
      const sent = await request.json()
      const known = entries.get(transactions.get(sent.transactionId) ?? "")
      const entry = known ?? set(fromMicrosoft(sent))
      transactions.set(sent.transactionId, entry.id)
      return Response.json(asMicrosoft(entry), { status: 201 })
    }
    const found = entries.get(decodeURIComponent(path.split("/").at(-1) ?? ""))
    if (found === undefined) return missing()
    if (request.method === "PATCH")
      return Response.json(asMicrosoft(set({ ...found, ...fromMicrosoft(await request.json()) })))
    remove(found.id)
    return new Response(null, { status: 204 })
  }

  /** The calendar as a page: what its owner sees and does. */
  const page = () => {
    const time = (seconds: number) =>
      new Date(seconds * 1000).toLocaleString("de-DE", {
        timeZone: "Europe/Berlin",
        dateStyle: "full",
        timeStyle: "short"
      })
    const rows = [...entries.values()]
      .toSorted((a, b) => a.start - b.start)
      .map(
        ({
          id,
          title,
          start,
          key
        }) => `<li><b>${Bun.escapeHTML(title)}</b> ${time(start)}${key === null ? "" : " (Sprechstunde)"}
          <form method="post" action="/move"><input type="hidden" name="id" value="${id}"><button>+1 h</button></form>
          <form method="post" action="/remove"><input type="hidden" name="id" value="${id}"><button>Löschen</button></form></li>`
      )
    const html = `<!doctype html><html lang="de"><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Kalender von Ada</title>
      <style>body{font:1rem sans-serif;max-width:40rem;margin:2rem auto}form{display:inline}</style><h1>Kalender von Ada</h1>
      <p>Ein Kalender nur für die Probe: Was hier steht, ist im anderen Programm belegt, und dessen Termine stehen hier.</p>
      <form method="post" action="/add"><label>Beginn <input type="datetime-local" name="start" required></label> <button>Belegen (1 Stunde)</button></form>
      <ul>${rows.join("")}</ul></html>`
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } })
  }
  const pressed = async (request: Request, path: string) => {
    const form = new URLSearchParams(await request.text())
    const entry = entries.get(form.get("id") ?? "")
    if (path === "/add") {
      const start = Math.floor(Date.parse(form.get("start") ?? "") / 1000)
      if (Number.isFinite(start)) set({ start, end: start + 3600 })
    } else if (entry !== undefined && path === "/remove") remove(entry.id)
    else if (entry !== undefined) set({ ...entry, start: entry.start + 3600, end: entry.end + 3600 })
    return Response.redirect("/", 303)
  }

  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const url = new URL(request.url)
      const path = url.pathname
      if (path === "/") return page()
      if (/^\/(add|move|remove)$/.test(path) && request.method === "POST") return pressed(request, path)
      if (path.endsWith("/auth") || path.endsWith("/authorize"))
        return asks && request.method === "GET" ? question(url) : authorize(url)
      requests.push({ method: request.method, path, token: request.headers.get("authorization") })
      const other = instead.shift()
      if (other !== undefined) return other()
      if (path.endsWith("/token")) return toToken(request)
      if (path === "/revoke") {
        revoked.push(new URLSearchParams(await request.text()).get("token") ?? "")
        return new Response(null, { status: 200 })
      }
      if (!isGranted || !request.headers.get("authorization")?.startsWith("Bearer access"))
        return new Response(null, { status: 401 })
      return path.startsWith("/calendar/v3") ? google(request, url) : microsoft(request, url)
    }
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    /** The service's settings with which it uses this calendar. */
    settings: {
      GOOGLE_CLIENT_ID: "stand-in",
      GOOGLE_CLIENT_SECRET: "stand-in",
      GOOGLE_ACCOUNTS_URL: url,
      GOOGLE_TOKEN_URL: `${url}/token`,
      GOOGLE_API_URL: url,
      MICROSOFT_CLIENT_ID: "stand-in",
      MICROSOFT_CLIENT_SECRET: "stand-in",
      MICROSOFT_LOGIN_URL: url,
      MICROSOFT_GRAPH_URL: url
    },
    entries,
    calendars,
    channels,
    requests,
    revoked,
    instead,
    set,
    remove,
    withdraw: () => {
      isGranted = false
    },
    loseTokens: () => {
      isTokenLost = true
    },
    settled: () => Promise.all(pushed.splice(0)),
    stop: () => server.stop(true)
  }
}

if (import.meta.main) {
  const { url } = calendarStandIn({ port: Number(Bun.env.CALENDAR_STAND_IN_PORT ?? 0), asks: true })
  console.log(`A calendar for trying both ways: ${url}`)
  // the server that it was started with
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(), 2_000)
}
