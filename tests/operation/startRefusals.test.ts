/** A process that cannot work as configured refuses to start: it names the setting, and changes nothing. */
import { beforeAll, describe, expect, test } from "bun:test"
import { ConfigProvider, Effect, Fiber, Layer, Option, Redacted, TestClock, TestContext } from "effect"
import { type Settings, SettingsLive } from "../../src/config.ts"
import { Capabilities } from "../../src/declarations.ts"
import { FilesLive } from "../../src/layers/files/Files.ts"
import { KeyWrappingLive } from "../../src/layers/keys/KeyWrappingLive.ts"
import { SecretBoxLive } from "../../src/layers/MasterKey.ts"
import { PaymentsLive } from "../../src/layers/payments/Payments.ts"
import { firstConnection } from "../../src/layers/postgres/connecting.ts"
import { TelemetryLive } from "../../src/layers/Telemetry.ts"
import { grantLogin } from "../../src/services/tenancy/LoginRole.ts"
import { isSkippedFor } from "../support/citus.ts"
import { freePort } from "../support/ports.ts"
import { freshDatabase, rowsAt, using } from "../support/postgres.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { someOf } from "../support/scale.ts"
import { ownServer, startServer } from "../support/server.ts"
import { random } from "../support/world.ts"

/** What a start says that fails. */
const refusal = (environment: Record<string, string>, url?: string) =>
  startServer(environment, url).then((server) => server.stop().then(() => "started"), String)

describe("a database that does not take the connection", () => {
  const tables = (url: string) =>
    rowsAt(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")

  test("a closed port, after ten seconds in which the server may come up", async () => {
    const url = Redacted.make(`postgresql://sprechstunde:secret@127.0.0.1:${freePort()}/sprechstunde`)
    const [said, seconds] = await Effect.runPromise(
      Effect.gen(function* () {
        const refused = yield* Effect.fork(Effect.flip(firstConnection("DATABASE_URL", url, async () => undefined)))
        for (let passed = 0; ; passed++) {
          if (Option.isSome(yield* Fiber.poll(refused))) return [String(yield* Fiber.join(refused)), passed] as const
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => Bun.sleep(1))
        }
      }).pipe(Effect.provide(TestContext.TestContext))
    )
    expect(said).toMatch(/DATABASE_URL \(sprechstunde at 127\.0\.0\.1:\d+, database sprechstunde\): no server listens/)
    expect(said).not.toContain("secret")
    expect(seconds).toBeGreaterThanOrEqual(10)
  })

  test("a database that does not exist, by either setting, before a migration runs", async () => {
    const { url } = await freshDatabase()
    const missing = new URL(url)
    missing.pathname = "/missing_database"
    missing.password = "secret"
    const said = await refusal({}, missing.href)
    expect(said).toMatch(/DATABASE_URL \(.*database missing_database\): the database does not exist/)
    expect(said).not.toContain("secret")
    expect(await refusal({ DATABASE_URL_DIRECT: missing.href }, url)).toMatch(/DATABASE_URL_DIRECT \(.*does not exist/)
    expect(await tables(url)).toEqual([])
  })

  test("a statement that the server refuses, with the server's reason", async () => {
    const { url } = await freshDatabase()
    await rowsAt(url, "CREATE TABLE sprechstunde_migrations (another text)")
    const data = temporaryFolder()
    const said = await startService({ DATABASE_URL: url, DATA_DIR: data.path }).then(() => "started", String)
    data.remove()
    expect(said).toMatch(/Sprechstunde stopped: .*column "name" does not exist/)
  })

  test.skipIf(isSkippedFor("its server has a user of its own"))("an owner who may not create roles", async () => {
    const { url } = await freshDatabase()
    const name = random("sprechstunde_plain")
    await using(url, async (client) => {
      await client.query(`CREATE ROLE ${name} LOGIN`)
      await client.query(`GRANT ALL ON SCHEMA public TO ${name}`)
    })
    const own = new URL(url)
    own.username = name
    const said = await refusal({}, own.href)
    expect(said).toContain(`DATABASE_URL: the database user ${name} may not create the roles`)
    expect(said).toContain("CREATEROLE")
    expect(await tables(url)).toEqual([])
  })
})

describe("a login that does not fit ROLE", () => {
  const owner = ownServer({ ROLE: "http" })
  const isCluster = isSkippedFor("there the service logs in as the tables' owner")
  const http = random("sprechstunde_http")
  let url: URL

  beforeAll(async () => {
    if (isCluster) return
    await owner.current.run(grantLogin(http, { jobs: false, operator: false }))
    url = new URL(owner.current.databaseUrl)
    url.username = http
  })

  test.skipIf(isCluster).each(someOf(["worker", "all"], 2))("of requests, for ROLE=%s", async (role) => {
    const said = await refusal({ ROLE: role }, url.href)
    expect(said).toContain(`the database user ${http} does not fit ROLE=${role}: it may not set sprechstunde_worker`)
    expect(said).toContain(`cli database-login ${http}`)
  })
  test.skipIf(isCluster)("of requests, for requests", async () => {
    expect(await refusal({ ROLE: "http" }, url.href)).toBe("started")
  })
})

test("a setting whose capability this build does not have", async () => {
  const settings = {
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    MOLLIE_API_KEY: "test_1",
    VAULT_TRANSIT_KEY: "some",
    VAULT_ADDR: "http://127.0.0.1:8200",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    FILE_STORE: "s3://bucket"
  }
  const Configured = SettingsLive.pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
  )
  const Given = Layer.merge(Configured, Layer.succeed(Capabilities, { installed: [], on: [] }))
  const saidBy = (layer: Layer.Layer<never, unknown, Settings | Capabilities>) =>
    Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(Layer.provide(layer, Given)))).pipe(Effect.map(String)))
  const Keys = Layer.provide(KeyWrappingLive, SecretBoxLive)
  const said = await Promise.all([PaymentsLive, Keys, TelemetryLive, FilesLive].map((layer) => saidBy(layer as never)))
  const names = ["MOLLIE_API_KEY", "VAULT_TRANSIT_KEY", "OTEL_EXPORTER_OTLP_ENDPOINT", "FILE_STORE"]
  expect(said.map((text, at) => text.includes(names[at] ?? "?"))).toEqual([true, true, true, true])
})
