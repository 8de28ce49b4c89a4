/** A client that knows the specification alone: paths, headers, bodies and statuses; and what it was answered. */
import { SignJWT } from "jose"
import type { Body } from "../../tests/support/body.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface Ask {
  readonly body?: unknown
  /** Fields of a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that the specification names for this act here. */
  readonly named?: ReadonlyArray<number>
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Counts the acts of a crowd. */
export class Tally {
  requests = 0
  /** Requests that were sent again, as their answer said. */
  repeated = 0
  /** Milliseconds of the slowest answer. */
  slowest = 0
  /** Refusals that the specification does not name, by what was refused. */
  readonly refused = new Map<string, number>()

  refuse(what: string) {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1)
  }
}

const withoutCodes = (path: string) => path.replace(/\?.*/, "").replace(/[a-z]{3,}_[\w-]{8,}/g, "…")

/** Times that a client sends a request again. */
const REPEATS = 20

/** Requests a second of one caller: a key may send 200 (`RATE_LIMIT_KEY_PER_SECOND`), and a crowd acts as fast as its machine. */
const PER_SECOND = 150

export class Caller {
  constructor(
    readonly url: string,
    readonly tally: Tally,
    /** The address that its requests come from. */
    readonly address: () => string,
    readonly headers: Readonly<Record<string, string>> = {}
  ) {}

  async send(method: string, path: string, { body, form, headers }: Ask = {}): Promise<Answer> {
    const since = performance.now()
    const content =
      form === undefined ? (body === undefined ? undefined : JSON.stringify(body)) : new URLSearchParams(form)
    const answer = await fetch(new URL(path, this.url), {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": this.address(),
        ...(typeof content === "string" && { "content-type": "application/json" }),
        ...this.headers,
        ...headers
      },
      ...(content !== undefined && { body: content })
    })
    const text = await answer.text()
    this.tally.requests += 1
    this.tally.slowest = Math.max(this.tally.slowest, performance.now() - since)
    return { status: answer.status, headers: answer.headers, body: parsed(text) }
  }

  /** When the next request may be sent, in milliseconds. */
  private next = 0

  private async turn() {
    const now = performance.now()
    const turn = Math.max(this.next, now)
    this.next = turn + 1_000 / PER_SECOND
    await Bun.sleep(turn - now)
  }

  /**
   * Sends a request that must succeed, or be answered with a status that is named. 503 with `Retry-After`, from a machine that is
   * too slow for the crowd, is repeated as told, and counted.
   */
  async ask(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    await this.turn()
    let answer = await this.send(method, path, ask)
    for (let times = 0; answer.status === 503 && times < REPEATS; times++) {
      const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN)
      if (!(seconds > 0)) break
      this.tally.repeated += 1
      await Bun.sleep(1_000 * seconds * (1 + Math.random()))
      answer = await this.send(method, path, ask)
    }
    const { status, body } = answer
    if (status >= 400 && !(ask.named ?? []).includes(status))
      this.tally.refuse(
        `${status} ${body?.code ?? body?.issue?.[0]?.code ?? "page"} ${method} ${withoutCodes(path)} ${body?.error ?? body?.issue?.[0]?.diagnostics ?? ""}`.trim()
      )
    return answer
  }

  /** The same, but sends it again after 429 and 5xx, as `Retry-After` says. */
  async askAgain(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    for (let times = 0; ; times++) {
      const answer = await this.send(method, path, ask)
      if (answer.status !== 429 && answer.status < 500) return answer
      const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN)
      if (times === REPEATS || !(seconds > 0)) {
        this.tally.refuse(`${answer.status} ${method} ${withoutCodes(path)} after ${times} repetitions`)
        return answer
      }
      this.tally.repeated += 1
      // spread, as clients do
      await Bun.sleep(1_000 * seconds * (1 + Math.random()))
    }
  }
}

/** What a partner knows of its installation. */
export interface Partner {
  readonly shop_uid: string
  readonly shop_identifier: string
  readonly type_uid: string
  readonly key: string
  readonly key_id: string
  readonly secret: string
  readonly doctors: ReadonlyArray<string>
}

export interface TokenChoices {
  /** Seconds by which the partner's clock is fast. */
  readonly clock?: number
  readonly fields?: Readonly<Record<string, unknown>>
}

/** A booking token, as the partner's back end mints it. */
export const bookingToken = (partner: Partner, customer: unknown, { clock = 0, fields = {} }: TokenChoices = {}) => {
  const now = Math.floor(Date.now() / 1000) + clock
  const profile = { first_name: "Eva", last_name: "Muster", email: "eva@example.org", ...fields }
  return new SignJWT({
    aud: "service-scheduling",
    iat: now,
    nbf: now,
    exp: now + 300,
    shop_identifier: partner.shop_identifier,
    shop_customer_id: customer,
    patient_profile_fields: Object.entries(profile).map(([field, value]) => ({ field, value, source: "shop" }))
  })
    .setProtectedHeader({ alg: "HS256", kid: partner.key_id })
    .sign(new TextEncoder().encode(partner.secret))
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Times that a client searches again because another took its slot: 409, as the specification says. */
const SEARCHES = 8

/** Searches, opens a session, holds and confirms, as a partner's back end does for one patient. Returns its launch code. */
export const book = async (caller: Caller, partner: Partner, token: string, { from, to }: Range) => {
  const range = { appointment_type_uid: partner.type_uid, from, to }
  const session = await caller.ask("POST", "/v1/scheduling/booking-sessions", {
    body: { mode: "booking", ...range, return_url: "https://somewhere.example/thanks" },
    headers: { "x-service-booking-token": token }
  })
  if (session.status !== 200) return
  const code: string = session.body.booking_launch_code
  const path = `/v1/scheduling/booking-sessions/${code}`
  await caller.ask("GET", path)
  for (let search = 0; search < SEARCHES; search++) {
    const found = await caller.ask("POST", "/v1/scheduling/slots/search", {
      body: { shop_uid: partner.shop_uid, ...range },
      headers: { "x-service-booking-token": token }
    })
    const slots: ReadonlyArray<{ doctor_uid: string; start_date: number }> = found.body.slots ?? []
    const slot = slots[Math.floor(Math.random() * slots.length)]
    if (slot === undefined) return caller.tally.refuse("a search without a slot")
    const { doctor_uid, start_date } = slot
    const held = await caller.ask("POST", `${path}/holds`, {
      body: { doctor_uid, start_date, appointment_type_uid: partner.type_uid, visit_reason: "Cough" },
      headers: { "idempotency-key": crypto.randomUUID() },
      named: [409]
    })
    if (held.status === 409) continue
    const confirmed = await caller.ask("POST", `${path}/holds/${held.body.hold_uid}/confirm`, { named: [409] })
    if (confirmed.status === 200) return code
  }
  return caller.tally.refuse("no slot in eight searches")
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&").replaceAll("&#39;", "'")

/** The forms of a page whose fields include this one: their hidden fields, and the values of their buttons of that name. */
const formsOf = (html: string, field: string) =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = "", inner = ""]) => {
    if (!inner.includes(`name="${field}"`)) return []
    const tags = [...inner.matchAll(/<(input|button|select|textarea)\b[^>]*>/g)].map(([tag]) => tag)
    const hidden = tags.filter((tag) => attribute(tag, "type") === "hidden")
    return [
      {
        action: attribute(head, "action") ?? "",
        fields: Object.fromEntries(hidden.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""])),
        values: tags.filter((tag) => attribute(tag, "name") === field).map((tag) => attribute(tag, "value") ?? "")
      }
    ]
  })

/** People read a page before they send its form. */
const thinking = () => Bun.sleep(500)

/** Books on the hosted page without scripts: chooses a time, and confirms it. */
export const bookOnPage = async (caller: Caller, address: string) => {
  let page = await caller.ask("GET", address)
  for (let tries = 0; tries < SEARCHES; tries++) {
    const forms = formsOf(String(page.body), "slot")
    const slots = forms.flatMap(({ values }) => values)
    const [times] = forms
    if (times === undefined) return caller.tally.refuse("a page without times")
    const slot = slots[Math.floor(Math.random() * slots.length)] ?? ""
    await thinking()
    const held = await caller.ask("POST", times.action, { form: { ...times.fields, slot } })
    const location = held.headers.get("location") ?? ""
    const details = await caller.ask("GET", location)
    // another person was faster: the page says so and shows the times that are left
    if (location.includes("notice=taken")) {
      page = details
      continue
    }
    const [form] = formsOf(String(details.body), "visit_reason")
    if (form === undefined) return caller.tally.refuse("a page without a form of details")
    await thinking()
    const confirmed = await caller.ask("POST", form.action, { form: { ...form.fields, visit_reason: "Husten" } })
    const done = await caller.ask("GET", confirmed.headers.get("location") ?? "")
    if (!String(done.body).includes(".ics")) caller.tally.refuse("no appointment after the confirmation")
    return
  }
  caller.tally.refuse("no time in eight tries")
}

/** Books on the practice's public page: the form, the code from the mail, a time. */
export const bookPublicly = async (
  caller: Caller,
  partner: Partner,
  email: string,
  codeMailedTo: (email: string) => Promise<string>
) => {
  const address = `/meet/book/${partner.shop_identifier}`
  await caller.ask("GET", address)
  await thinking()
  const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-02-29", email }
  const begun = await caller.ask("POST", address, {
    form: { appointment_type_uid: partner.type_uid, meeting_format: "DIGITAL", ...person }
  })
  const location = begun.headers.get("location")
  if (location === null) return
  await caller.ask("GET", location)
  await thinking()
  const token = new URL(location, caller.url).searchParams.get("token") ?? ""
  const entered = await caller.ask("POST", `${address}/code`, { form: { token, code: await codeMailedTo(email) } })
  await bookOnPage(caller, entered.headers.get("location") ?? address)
}
