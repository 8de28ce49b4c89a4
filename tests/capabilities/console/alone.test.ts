/** The console without any other capability. Rule 14.1.7. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, asOperator, type ConsoleVisitor, unescaped } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"
import { startService } from "../../support/processes.ts"
import { apiAt, migrated, startServer, whileTesting } from "../../support/server.ts"
import { inDays, makeWorld, SENDS_MAIL } from "../../support/world.ts"

const ORGANISATION = "/v1/management/organisation"
const textOf = (kind: string) => ({ kind, language: "de", opening: "es gibt etwas Neues." })

/** A practice with an appointment, made by the whole service, and then served by the console alone. */
const alone = whileTesting(
  async () => {
    const whole = await startServer({ ROLE: "http" }, (await freshDatabase(migrated)).url)
    const world = await makeWorld(whole, SENDS_MAIL)
    await world.booked(inDays(3, 9))
    const answers = [
      await world.api("PATCH", ORGANISATION, { message_texts: [textOf("times_offered")] }),
      await world.api("POST", "/v1/management/notification-subscriptions", {
        notification_types: ["TIMES_OFFERED"],
        url: "https://partner.example/webhooks"
      })
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 201])
    // its confirmation becomes a message of a capability that was turned off afterwards
    await whole.sql`UPDATE messages SET kind = 'times_offered', next_attempt_at = to_timestamp(0)
      WHERE organisation_uid = ${world.organisation_uid} AND kind = 'confirmation'`
    const service = await startService({
      CAPABILITIES: "console",
      DATABASE_URL: whole.databaseUrl,
      DATA_DIR: whole.dataDir
    })
    return { ...service, whole, world }
  },
  async ({ stop, whole }) => {
    await stop()
    await whole.stop()
  }
)

test("no page of another capability is there", async () => {
  const ask = (path: string) => fetch(alone.current.url + path, { redirect: "manual" })
  expect((await (await ask("/version")).json()).capabilities).toEqual(["console"])
  for (const page of ["calendars", "recalls", "waitlist", "statistics", "fhir"])
    expect([page, (await ask(`/console/practice/${page}`)).status]).toEqual([page, 404])
})

/** Every page that the workspace's pages link to. */
const walk = async (browser: ConsoleVisitor, workspace: string) => {
  const start = `/console/${workspace}`
  const seen = new Set<string>()
  for (const due = [start]; due.length > 0; ) {
    const address = due.pop() ?? ""
    if (seen.has(address)) continue
    seen.add(address)
    const { status, text } = await browser.open(address)
    expect([address, status]).toEqual([address, 200])
    const links = [...text.matchAll(/href="([^"#?]+)"/g)].map(([, href]) => unescaped(href))
    due.push(...links.filter((href) => href === start || href.startsWith(`${start}/`)))
  }
  return seen.size
}

test("every page opens", async () => {
  const { world } = alone.current
  expect(await walk(await asAdmin(alone.current, world), "practice")).toBeGreaterThan(15)
  expect(await walk(await asDoctor(alone.current, world), "doctor")).toBeGreaterThan(2)
  expect(await walk(await asOperator(alone.current), "operator")).toBeGreaterThan(2)
})

test("a message of a kind whose capability is off is skipped, and listed", async () => {
  const { world, whole } = alone.current
  const messages = await eventually(
    () =>
      rowsAt<{ kind: string; status: string }>(
        whole.databaseUrl,
        "SELECT kind, status FROM messages WHERE organisation_uid = $1 ORDER BY kind",
        [world.organisation_uid]
      ),
    (all) => all.every(({ status }) => status !== "pending")
  )
  expect(messages.find(({ kind }) => kind === "times_offered")?.status).toBe("skipped")
  const { text } = await (await asAdmin(alone.current, world)).open("/console/practice/messages")
  expect(text).toContain("times_offered")
})

test("own texts of such a kind are unknown, and stay stored", async () => {
  const { world, whole, url } = alone.current
  const kinds = (texts: ReadonlyArray<{ readonly kind: string }>) => texts.map(({ kind }) => kind)
  const changed = await apiAt(url)("PATCH", ORGANISATION, {
    key: world.key,
    body: { message_texts: [textOf("reminder")] }
  })
  expect([changed.status, kinds(changed.body.message_texts)]).toEqual([200, ["reminder"]])
  expect(kinds((await world.api("GET", ORGANISATION)).body.message_texts)).toEqual(["reminder", "times_offered"])
  await world.api("PATCH", ORGANISATION, { message_texts: [] })
  const [stored] =
    await whole.sql`SELECT message_texts FROM organisations WHERE organisation_uid = ${world.organisation_uid}`
  expect(stored).toEqual({ message_texts: [] })
})
