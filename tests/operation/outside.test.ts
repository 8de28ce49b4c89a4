/** Outside of development, demo keys, development tokens and embedded payments are disabled, since they are public in the source. */
import { expect, test } from "bun:test"
import { ConfigProvider, Effect } from "effect"
import { Settings, SettingsLive } from "../../src/config.ts"
import { demoWorld } from "../../src/layers/demo/world.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { Payments } from "../../src/services/pharmacy/Payments.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { freshDatabase } from "../support/postgres.ts"
import { isLong } from "../support/scale.ts"
import { migrated, startServer, type TestServer } from "../support/server.ts"
import { CONSULTATION, makeWorld, random } from "../support/world.ts"

const settings = (environment: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    Settings.pipe(
      Effect.provide(SettingsLive),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.either
    )
  )

const PUBLIC = { BASE_URL: "https://clinic.example", OIDC_ISSUER: "https://id.example" }

test.each([
  [{}, true],
  [{ HOST: "localhost", BASE_URL: "http://127.0.0.2:1" }, true],
  [{ HOST: "::1", BASE_URL: "http://[::1]:8080" }, true],
  [{ HOST: "0.0.0.0", OIDC_ISSUER: "https://id.example" }, false],
  [{ HOST: "127.0.0.1.example", OIDC_ISSUER: "https://id.example" }, false],
  [PUBLIC, false],
  [{ ...PUBLIC, DEMO: "true" }, true],
  [{ NODE_ENV: "production", OIDC_ISSUER: "https://id.example" }, false],
  [{ ...PUBLIC, NODE_ENV: "production", DEMO: "true" }, false]
])("%o is development: %p", async (environment, development) => {
  expect(await settings(environment)).toMatchObject({ _tag: "Right", right: { development } })
})

// Shows: SSRF through webhook URLs
test("webhooks may go to private addresses in local development, but not from a public demonstration", async () => {
  const isAllowed = async (environment: Readonly<Record<string, string>>) =>
    Object(await settings(environment)).right.webhookAllowPrivate
  expect(await isAllowed({})).toBe(true)
  for (const open of [{ HOST: "0.0.0.0", DEMO: "true" }, { ...PUBLIC, DEMO: "true" }, PUBLIC])
    expect([open, await isAllowed(open)]).toEqual([open, false])
  expect(await isAllowed({ ...PUBLIC, WEBHOOK_ALLOW_PRIVATE: "true" })).toBe(true)
})

test("without an identity provider the service does not start outside of development, and says what to set", async () => {
  const refused = await settings({ HOST: "0.0.0.0" })
  expect(refused).toMatchObject({ _tag: "Left", left: { path: ["OIDC_ISSUER"] } })
  expect(String(Object(refused).left.message)).toContain("DEMO=true")
  expect((await settings({ HOST: "0.0.0.0", DEMO: "true" }))._tag).toBe("Right")
  for (const demo of ["", "true"])
    expect(await settings({ NODE_ENV: "production", DEMO: demo })).toMatchObject({
      _tag: "Left",
      left: { path: ["OIDC_ISSUER"] }
    })
})

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

test("the service starts on an empty database without creating a demo world", async () => {
  const { url } = await freshDatabase(migrated)
  const server = await startServer({ ...PUBLIC, PROVISION_FILE: "", HOST: "127.0.0.1" }, url)
  expect(await server.sql`SELECT FROM organisations`).toEqual([])
  expect(
    (await fetch(`http://127.0.0.1:${portOf(await server.run(Settings))}/demo`, { redirect: "manual" })).status
  ).toBe(404)
  await server.stop()
})

const portOf = ({ port }: typeof Settings.Service) => port

// Shows: caching and content sniffing by proxies and browsers
// Shows: caches, downgrades and sniffing
test("when the public address is https, every answer has HSTS", async () => {
  const { url } = await freshDatabase(migrated)
  const server = await startServer({ ...PUBLIC, HOST: "127.0.0.1" }, url)
  const port = portOf(await server.run(Settings))
  const pinned = async (path: string, method = "GET") =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: "manual" })).headers.get(
      "strict-transport-security"
    )
  for (const path of [
    "/healthz",
    "/v1/none",
    "/v1/management/patients",
    "/meet/booking/none",
    "/booking-widget.js",
    "/docs"
  ])
    expect([path, await pinned(path)]).toEqual([path, "max-age=31536000"])
  expect(await pinned("/v1/scheduling/slots/search", "POST")).toBe("max-age=31536000")
  await server.stop()
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
  const port = portOf(await server.run(Settings))
  const { paths } = await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()
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
    const type = {
      uid: random("aty"),
      organisation_uid: one.uid,
      name: "Consultation",
      ...CONSULTATION
    }
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
  const { url } = await freshDatabase(migrated)
  const server: TestServer = await startServer({ ...PUBLIC }, url)
  await makeWorld(server)
  const mail = { message_id: "1", to: { name: "A", address: "a@example.org" }, subject: "", text: "", html: "" }
  const mailed = await server.run(Effect.flip(Effect.flatMap(Mailer, ({ send }) => send(mail))))
  expect(mailed.message).toContain("SMTP_URL")
  const request = {
    payment_id: "tr_1",
    payment_account: "org_1",
    amount: 1,
    currency: "EUR",
    description: "",
    idempotency_key: "1"
  }
  const routed = await server.run(Effect.flip(Effect.flatMap(Payments, ({ route }) => route(request))))
  expect(routed.message).toContain("MOLLIE_API_KEY")
  const { port } = await server.run(Settings)
  for (const method of ["GET", "POST"])
    expect(
      (await fetch(`http://127.0.0.1:${port}/storefront/checkout/x${method === "POST" ? "/pay" : ""}`, { method }))
        .status
    ).toBe(404)
  await server.stop()
})
