import { afterAll, beforeAll, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Effect, type Layer, Layer as Layers, ManagedRuntime } from "effect"
import type { YieldWrap } from "effect/Utils"
import { installed } from "../../src/capabilities/index.ts"
import { Settings, SettingsLive } from "../../src/config.ts"
import { appOf, foundation } from "../../src/layers/App.ts"
import { DatabaseLive } from "../../src/layers/Database.ts"
import { TelemetryLive } from "../../src/layers/Telemetry.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { acrossTenants, type CurrentTenant, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import type { Body } from "./body.ts"
import { citusNodes, type Template } from "./citus.ts"
import { freePort } from "./ports.ts"
import { freshDatabase, runFolder } from "./postgres.ts"
import { TestedServices } from "./services.ts"

/** Every service that tests call, on its ports and database, without HTTP and jobs. */
const WithoutHttp = Layers.provideMerge(TestedServices, foundation(installed, DatabaseLive, TelemetryLive))
const Whole = Layers.provideMerge(TestedServices, appOf(installed))
export type Services = Layer.Layer.Success<typeof WithoutHttp> | Settings | CurrentTenant

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  SettingsLive.pipe(
    Layers.provide(Layers.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))))
  )

const common = (url: string, dataDir: string) => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  DATABASE_POOL_SIZE: "8",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PROVISION_FILE: join(import.meta.dir, "nothing.json"),
  PORT: String(freePort()),
  RATE_LIMIT_PER_SECOND: "0",
  RATE_LIMIT_KEY_PER_SECOND: "0",
  WEBHOOK_ALLOW_PRIVATE: "true",
  LOG_FORMAT: "json",
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "none"
})

/** A template database with every table and queue of the service; copied for each test file. */
export const migrated: Template = {
  name: "sprechstunde_migrated",
  prepare: async (url) => {
    const dataDir = mkdtempSync(join(runFolder(), "template-"))
    const runtime = ManagedRuntime.make(
      Layers.provide(
        foundation(installed, DatabaseLive, TelemetryLive),
        settingsOf({ ...common(url, dataDir), ROLE: "http" })
      )
    )
    await runtime.runPromise(Effect.void) // builds its layers, which migrate
    if (citusNodes.length > 0) {
      const { distribute } = await import("../../src/capabilities/cluster/layers/distribute.ts")
      await runtime.runPromise(distribute)
    }
    await runtime.dispose()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As sent, for what is not JSON. */
  readonly text: string
  readonly body: Body
}

export interface Ask {
  readonly key?: string
  readonly token?: string
  readonly bearer?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The services on a database of the tests, without HTTP. */
export interface TestLayers {
  readonly databaseUrl: string
  readonly dataDir: string
  /** Runs a program with these services, or those of the running app. */
  readonly run: <A, E>(program: Effect.Effect<A, E, Services>) => Promise<A>
  /** Runs one statement as the running app does: a template. */
  readonly sql: <Row extends object = Record<string, unknown>>(
    text: TemplateStringsArray,
    ...values: ReadonlyArray<unknown>
  ) => Promise<ReadonlyArray<Row>>
  /** The same for a text with `$1`. */
  readonly query: <Row extends object = Record<string, unknown>>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Promise<ReadonlyArray<Row>>
  /** Domain time, Unix seconds. */
  readonly now: () => Promise<number>
  /** Moves domain time, seconds. */
  readonly advance: (seconds: number) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export interface TestServer extends TestLayers {
  readonly url: string
  /** Sends a request; a body is sent as JSON, unless it is text, bytes or a form. */
  readonly api: (method: string, path: string, ask?: Ask) => Promise<Answer>
}

const isSentAsIs = (body: unknown): body is string | Uint8Array<ArrayBuffer> | URLSearchParams =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof URLSearchParams

const headersOf = ({ key, token, bearer, body, headers }: Ask): Record<string, string> => ({
  ...(key === undefined ? {} : { "x-api-key": key }),
  ...(token === undefined ? {} : { "x-service-booking-token": token }),
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  ...(body === undefined || body instanceof URLSearchParams ? {} : { "content-type": "application/json" }),
  ...headers
})

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const startLayers = async <R, E>(
  layers: Layer.Layer<R | Layer.Layer.Success<typeof WithoutHttp>, E, Settings>,
  environment: Readonly<Record<string, string>>,
  databaseUrl?: string
): Promise<TestLayers> => {
  const database = databaseUrl ?? (await freshDatabase(migrated)).url
  const dataDir = mkdtempSync(join(runFolder(), "data-"))
  const runtime = ManagedRuntime.make(
    Layers.provideMerge(layers, settingsOf({ ...common(database, dataDir), ...environment }))
  )
  await runtime.runPromise(Effect.void)
  const run: TestLayers["run"] = (program) => runtime.runPromise(withoutOwner(acrossTenants(program)))
  return {
    databaseUrl: database,
    dataDir,
    run,
    sql: (text, ...values) => run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql(text, ...values))),
    query: (text, values) => run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text, values))),
    now: () => run(Effect.flatMap(DomainClock, (clock) => clock.now)),
    advance: (seconds) => run(Effect.flatMap(DomainClock, (clock) => clock.advance(seconds))),
    stop: async () => {
      await runtime.dispose()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

/** Sends requests to the service at this address. */
export const apiAt =
  (url: string): TestServer["api"] =>
  async (method, path, ask = {}) => {
    const { body } = ask
    const response = await fetch(url + path, {
      method,
      headers: headersOf(ask),
      redirect: "manual",
      ...(body === undefined ? {} : { body: isSentAsIs(body) ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

/** The whole service with its own database (or `databaseUrl`), listening on a free port. */
export const startServer = async (
  environment: Readonly<Record<string, string>> = {},
  databaseUrl?: string
): Promise<TestServer> => {
  const layers = await startLayers(Whole, environment, databaseUrl)
  const { baseUrl } = await layers.run(Settings)
  return { ...layers, url: baseUrl, api: apiAt(baseUrl) }
}

/** Starts once for each environment, and runs until its process ends; its folder is removed with the run's database server. */
const once = <A>(start: (environment: Readonly<Record<string, string>>) => Promise<A>) => {
  const started = new Map<string, Promise<A>>()
  return (environment: Readonly<Record<string, string>>) => {
    const settings = JSON.stringify(environment)
    const one = started.get(settings) ?? start(environment)
    started.set(settings, one)
    return one
  }
}
const sharedServer = once((environment) => startServer(environment))
const sharedLayers = once((environment) => startLayers(WithoutHttp, { ROLE: "http", ...environment }))

type Program = () => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, unknown, never>

/** With `test`, whose tests are programs of these services. */
const withPrograms = (layers: { readonly current: TestLayers }) => ({
  get current() {
    return layers.current
  },
  test: (title: string, program: Program, timeout?: number) =>
    test(title, () => layers.current.run(Effect.gen(program)), timeout)
})

/** The services without HTTP and jobs, shared by all files of this test process: for rules of the domain. */
export const testLayers = () => withPrograms(whileTesting(() => sharedLayers({})))

const realTime = ({ run }: TestLayers) => run(Effect.flatMap(DomainClock, ({ restore }) => restore))

/** The same with SANDBOX=true. After each file domain time is real time again. */
export const sandboxLayers = () => withPrograms(whileTesting(() => sharedLayers({ SANDBOX: "true" }), realTime))

/**
 * The server with these settings, shared by all files of this test process. A file that counts, changes or kills anything
 * outside of its own organisation uses `ownServer`.
 */
export const testServer = (environment: Readonly<Record<string, string>> = {}) =>
  whileTesting(() => sharedServer(environment))

/** The server with SANDBOX=true, shared as by `testServer`. After each file domain time is real time again. */
export const sandboxServer = (environment: Readonly<Record<string, string>> = {}) =>
  whileTesting(() => sharedServer({ SANDBOX: "true", ...environment }), realTime)

/** A server and a database for the tests of one file. */
export const ownServer = (environment: Readonly<Record<string, string>> = {}) =>
  whileTesting(
    () => startServer(environment),
    (server) => server.stop()
  )

/** What the tests of one file need, from before the first to after the last. */
export const whileTesting = <A>(
  start: () => Promise<A>,
  end?: (started: A) => Promise<unknown>
): { readonly current: A } => {
  let started: A | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    if (started !== undefined) await end?.(started)
  })
  return {
    get current() {
      if (started === undefined) throw new Error("it runs only while tests do")
      return started
    }
  }
}
