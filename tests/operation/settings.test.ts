import { expect, test } from "bun:test"
import { ConfigProvider, Effect, Layer } from "effect"
import { Settings, SettingsLive } from "../../src/config.ts"

const read = (environment: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    Settings.pipe(
      Effect.provide(
        SettingsLive.pipe(
          Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))))
        )
      ),
      Effect.either
    )
  )

test.each([
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["DATABASE_POOL_SIZE", "0"],
  ["RATE_LIMIT_PER_SECOND", "-1"]
])("%s=%s is refused, naming the setting", async (name, value) => {
  const refused = await read({ [name]: value })
  expect(refused).toMatchObject({ _tag: "Left", left: { path: [name] } })
})

test("the bounds themselves are accepted", async () => {
  const { port, databasePoolSize, rateLimitPerSecond } = Object(
    await read({ PORT: "65535", DATABASE_POOL_SIZE: "1", RATE_LIMIT_PER_SECOND: "0" })
  ).right
  expect([port, databasePoolSize, rateLimitPerSecond]).toEqual([65_535, 1, 0])
})

test("in production the identity provider must use https", async () => {
  const production = { NODE_ENV: "production" }
  const refused = await read({ ...production, OIDC_ISSUER: "http://id.example" })
  expect(refused).toMatchObject({ _tag: "Left", left: { path: ["OIDC_ISSUER"] } })
  expect((await read({ OIDC_ISSUER: "http://id.example" }))._tag).toBe("Right")
  expect((await read({ ...production, OIDC_ISSUER: "https://id.example" }))._tag).toBe("Right")
})

test("in production requests are still accepted for a while after SIGTERM, as a proxy needs; not by workers", async () => {
  const grace = async (environment: Readonly<Record<string, string>>) =>
    Object(await read(environment)).right.shutdownGraceSeconds
  const production = { NODE_ENV: "production", OIDC_ISSUER: "https://id.example" }
  expect(await grace(production)).toBe(5)
  expect(await grace({ ...production, ROLE: "http" })).toBe(5)
  expect(await grace({ ...production, ROLE: "worker" })).toBe(0)
  expect(await grace({})).toBe(0)
  for (const environment of [{}, production, { ...production, ROLE: "worker" }])
    expect(await grace({ ...environment, SHUTDOWN_GRACE_SECONDS: "0" })).toBe(0)
  expect(await grace({ ...production, SHUTDOWN_GRACE_SECONDS: "30" })).toBe(30)
})

test("OIDC_TOKEN_TYPE has one allowed value", async () => {
  expect(await read({ OIDC_TOKEN_TYPE: "JWT" })).toMatchObject({ _tag: "Left", left: { path: ["OIDC_TOKEN_TYPE"] } })
  expect((await read({ OIDC_TOKEN_TYPE: "at+jwt" }))._tag).toBe("Right")
})

test("an empty setting counts as unset", async () => {
  const empty = {
    PORT: "",
    SMTP_URL: " ",
    MASTER_KEY: "",
    DATABASE_URL: "",
    ROLE: "",
    S3_REGION: "",
    WEBHOOK_PORTS: ""
  }
  const settings = Object(await read({ ...empty, AWS_REGION: "eu-central-1" })).right
  expect(settings).toMatchObject({ port: 8080, role: "all", embeddedDatabase: true, s3: { region: "eu-central-1" } })
  expect([settings.smtpUrl, settings.masterKey, settings.databaseUrl]).toEqual([undefined, undefined, undefined])
})
