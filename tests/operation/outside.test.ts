/** Outside of development, demo keys, development tokens and embedded payments are disabled, since they are public in the source. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { demoWorld } from "../../src/capabilities/sandbox/services/demo/world.ts"
import { Provisioning } from "../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { Settings } from "../../src/config.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { Payments } from "../../src/services/pharmacy/Payments.ts"
import { freshDatabase } from "../support/postgres.ts"
import { isLong } from "../support/scale.ts"
import { migrated, ownServer, startServer, type TestServer } from "../support/server.ts"
import { CONSULTATION, random } from "../support/world.ts"

const PUBLIC = { BASE_URL: "https://clinic.example", OIDC_ISSUER: "https://id.example" }

const starting = async (databaseUrl: string, environment: Readonly<Record<string, string>> = {}) => {
  const outcome = await startServer({ ...PUBLIC, ...environment }, databaseUrl).catch(String)
  if (typeof outcome === "string") return outcome
  await outcome.stop()
  return "started"
}

const provisioned = async (...files: ReadonlyArray<unknown>) => {
  const { url } = await freshDatabase(migrated)
  const inside = await startServer({}, url)
  for (const file of files)
    await inside.run(
      Effect.flatMap(Provisioning, ({ apply }) => apply(file)).pipe(Effect.provide(Provisioning.Default))
    )
  await inside.stop()
  return url
}

/** A service with a public address, on an empty database; a test reaches it by its own port. */
const open = ownServer({ ...PUBLIC, PROVISION_FILE: "", HOST: "127.0.0.1" })
const reach = async (path: string, method = "GET", { run }: TestServer = open.current) =>
  fetch(`http://127.0.0.1:${portOf(await run(Settings))}${path}`, { method, redirect: "manual" })

test("the service starts on an empty database without creating a demo world", async () => {
  expect(await open.current.sql`SELECT FROM organisations`).toEqual([])
  expect((await reach("/demo")).status).toBe(404)
})

const portOf = ({ port }: typeof Settings.Service) => port

// Shows: caching and content sniffing by proxies and browsers
// Shows: caches, downgrades and sniffing
test("when the public address is https, every answer has HSTS", async () => {
  for (const [path, method] of [
    ["/healthz"],
    ["/v1/none"],
    ["/v1/management/patients"],
    ["/meet/booking/none"],
    ["/booking-widget.js"],
    ["/docs"],
    ["/v1/scheduling/slots/search", "POST"]
  ] as const)
    expect([path, (await reach(path, method)).headers.get("strict-transport-security")]).toEqual([
      path,
      "max-age=31536000"
    ])
})

// Shows: demo keys, the development issuer or embedded payments in production
// Shows: a publicly reachable demo installation
test("the demo world's keys are refused with instructions to remove them", async () => {
  const url = await provisioned(demoWorld())
  const refused = await starting(url)
  expect(refused).toContain("demo world")
  expect(refused).toContain("keys revoke")
  const named = /DELETE (\S+)\/bts_demo/.exec(refused)?.[1]
  const server = await startServer({ ...PUBLIC, DEMO: "true", HOST: "127.0.0.1" }, url)
  const { paths } = await (await reach("/openapi.json", "GET", server)).json()
  const operations = Object.entries(paths).filter(([path]) => path.replace(/\/\{\w+\}$/, "") === named)
  expect(operations.some(([, methods]) => Object.hasOwn(Object(methods), "delete"))).toBe(true)
  await server.stop()
})

const organisation = (fields: object = {}) => ({ uid: random("org"), name: "Praxis", ...fields })

if (isLong)
  // Shows: a publicly reachable demo installation
  test("due mails need SMTP, text messages a gateway, payments a provider", async () => {
    const mailing = await provisioned({ organisations: [organisation({ messages: ["confirmation"] })] })
    expect(await starting(mailing)).toContain("SMTP_URL")
    expect(await starting(mailing, { SMTP_URL: "smtp://127.0.0.1:9" })).toBe("started")

    const paying = await provisioned({
      pharmacies: [{ uid: random("pha"), name: "Apotheke", payout_terms: { payment_account: "org_1" } }]
    })
    expect(await starting(paying)).toContain("MOLLIE_API_KEY")
    expect(await starting(paying, { MOLLIE_API_KEY: "test_key" })).toBe("started")

    const one = organisation()
    const type = { uid: random("aty"), organisation_uid: one.uid, name: "Consultation", ...CONSULTATION }
    const reminder = {
      uid: random("rem"),
      appointment_type_uid: type.uid,
      recipient_role: "patient",
      minutes_before: 60
    }
    const texting = await provisioned({
      organisations: [one],
      appointment_types: [type],
      reminders: [{ ...reminder, send_email: true, send_sms: true }]
    })
    const refused = await starting(texting)
    expect(refused).toContain("SMTP_URL")
    expect(refused).toContain("SMS_URL")
  })

// Shows: demo keys, the development issuer or embedded payments in production
// Shows: a publicly reachable demo installation
test("nothing goes to the outbox, no payout route is simulated, and the embedded shop sells nothing", async () => {
  const { run } = open.current
  const mail = { message_id: "1", to: { name: "A", address: "a@example.org" }, subject: "", text: "", html: "" }
  const mailed = await run(Effect.flip(Effect.flatMap(Mailer, ({ send }) => send(mail))))
  expect(mailed.message).toContain("SMTP_URL")
  const payment = { payment_id: "tr_1", payment_account: "org_1", amount: 1, currency: "EUR" }
  const request = { ...payment, description: "", idempotency_key: "1" }
  const routed = await run(Effect.flip(Effect.flatMap(Payments, ({ route }) => route(request))))
  expect(routed.message).toContain("MOLLIE_API_KEY")
  expect((await reach("/storefront/checkout/x")).status).toBe(404)
  expect((await reach("/storefront/checkout/x/pay", "POST")).status).toBe(404)
})
