/** Every form of the workspaces, refused: the page of its record shows what was typed, and no change elsewhere replaces it. Rule 17.2.12. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, asOperator, asPharmacy, type ConsoleVisitor, unescaped } from "../../support/console.ts"
import { pharmacyWithOrder } from "../../support/pharmacyWithOrder.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer()
const PAGES_MAX = 60

interface Form {
  readonly page: string
  readonly action: string
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  /** The typed values by their fields. */
  readonly typed: ReadonlyMap<string, string>
}

/** No field of the interface takes any of these. */
const odd: Readonly<Record<string, string>> = {
  text: "z".repeat(6_000),
  email: "no-address",
  tel: "z".repeat(6_000),
  url: "no-address",
  number: "-987654",
  time: "98:76",
  date: "9876-54-32",
  textarea: "z".repeat(20_000)
}

const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

const formsIn = (page: string, html: string): ReadonlyArray<Form> =>
  [...html.matchAll(/<form[^>]*method="post"[^>]*>.*?<\/form>/gs)].flatMap(([form]) => {
    const typed = new Map<string, string>()
    const fields: Array<readonly [string, string]> = []
    for (const [tag, kind] of form.matchAll(/<(input|textarea)[^>]*>/g)) {
      const name = attribute(tag, "name")
      const type = kind === "textarea" ? "textarea" : (attribute(tag, "type") ?? "text")
      if (name === undefined || type === "file" || type === "password") continue
      const value = odd[type]
      if (value === undefined && !(type === "hidden")) continue
      if (value !== undefined && !typed.has(name)) typed.set(name, value)
      fields.push([name, value ?? attribute(tag, "value") ?? ""])
    }
    const action = attribute(form.slice(0, form.indexOf(">") + 1), "action") ?? page
    return typed.size === 0 ? [] : [{ page, action, fields, typed }]
  })

/** The pages that links lead to, and their forms, each operation's once. */
const formsOf = async (visitor: ConsoleVisitor, home: string) => {
  const [seen, kinds, forms] = [new Set([home]), new Set<string>(), new Map<string, Form>()]
  for (const page of seen) {
    const { status, text } = await visitor.ask(page)
    if (status !== 200) continue
    for (const form of formsIn(page, text)) {
      const operation = new Map(form.fields).get("@operation") ?? form.action
      forms.set(`${page.split("?")[0]} ${operation}`.replaceAll(/_[\w-]{8,}/g, ""), form)
    }
    for (const [, link = ""] of text.matchAll(/href="(\/console\/[^"#]*)"/g)) {
      const address = unescaped(link)
      const { pathname, searchParams } = new URL(address, server.current.url)
      const kind = `${pathname.replaceAll(/[a-z]+_[\w-]+/g, "*")} ${[...searchParams.keys()].filter((name) => /search|move|type$|uid|day$/.test(name))}`
      const isPage = address.startsWith(home) && !/sign-out|lang=|export|\.csv|\.ics|\.pdf/.test(address)
      if (!isPage || kinds.has(kind) || seen.size >= PAGES_MAX) continue
      kinds.add(kind)
      seen.add(address)
    }
  }
  return [...forms]
}

const shownIn = (html: string) => unescaped(html).replaceAll("&lt;", "<")

const examine = async (visitor: ConsoleVisitor, home: string) => {
  let refused = 0
  for (const [operation, { page, action, fields, typed }] of await formsOf(visitor, home)) {
    const sent = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
    const answer = await fetch(new URL(action, server.current.url), {
      method: "POST",
      redirect: "manual",
      headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      body: sent
    })
    const location = answer.headers.get("location") ?? ""
    if (!location.includes("refused=")) continue
    refused += 1
    const own = sent.get("@page") ?? sent.get("@back") ?? page
    const shown = await visitor.ask(location)
    const text = shownIn(shown.text)
    // the page of the same record, with what was typed, and never replaced by what changes elsewhere
    if (action.endsWith("/do") && !own.includes("{uid}"))
      expect([operation, location.split("?")[0]]).toEqual([operation, own.split("?")[0]])
    expect([operation, shown.status >= 400, text.includes("data-live")]).toEqual([operation, true, false])
    const lost = [...typed].filter(([, value]) => !text.includes(value)).map(([name]) => name)
    expect([operation, lost]).toEqual([operation, []])
  }
  return refused
}

test("a refused form of a practice is shown again as it was typed; Rule 17.2.12", async () => {
  const world = await makeWorld(server.current)
  await world.booked(inDays(1, 9))
  expect(await examine(await asAdmin(server.current, world), "/console/practice")).toBeGreaterThan(20)
})

test("so are those of doctors, pharmacies and operators; Rule 17.2.12", async () => {
  const world = await makeWorld(server.current)
  await world.booked(inDays(1, 9))
  const { pharmacy_uid } = await pharmacyWithOrder(world)
  expect(await examine(await asDoctor(server.current, world), "/console/doctor")).toBeGreaterThan(1)
  expect(await examine(await asPharmacy(server.current, pharmacy_uid), "/console/pharmacy")).toBeGreaterThan(1)
  await examine(await asOperator(server.current), "/console/operator")
})
