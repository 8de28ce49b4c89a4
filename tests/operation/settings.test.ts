/** Settings as read from the environment: what is refused at the start, and what follows from where the service is reached. */
import { expect, test } from "bun:test"
import { ConfigProvider, Effect } from "effect"
import { Settings, SettingsLive } from "../../src/config.ts"

type Environment = Readonly<Record<string, string>>

const read = (environment: Environment) =>
  Effect.runPromise(
    Settings.pipe(
      Effect.provide(SettingsLive),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.either
    )
  )
/** The setting that is refused, and why. */
const refusal = async (environment: Environment) => {
  const { path, message } = Object(Object(await read(environment)).left)
  return [path, message]
}

const PUBLIC = { BASE_URL: "https://clinic.example", OIDC_ISSUER: "https://id.example" }
const PRODUCTION = { NODE_ENV: "production", OIDC_ISSUER: "https://id.example" }

const ANY = ""
const SMTP = "must be smtp://user:password@host:port"
const POSTGRES = "must be postgresql://user:password@host:port/database"
const KEY = "must be 32 bytes, base64"
test.each<[setting: string, environment: Environment, why: string]>([
  ["PORT", { PORT: "65536" }, ANY],
  ["PORT", { PORT: "-1" }, ANY],
  ["DATABASE_POOL_SIZE", { DATABASE_POOL_SIZE: "0" }, ANY],
  ["RATE_LIMIT_PER_SECOND", { RATE_LIMIT_PER_SECOND: "-1" }, ANY],
  ["OIDC_TOKEN_TYPE", { OIDC_TOKEN_TYPE: "JWT" }, ANY],
  ["SMTP_URL", { SMTP_URL: "mail.example:587" }, SMTP],
  ["SMTP_URL", { SMTP_URL: "http://mail.example" }, SMTP],
  ["DATABASE_URL", { DATABASE_URL: "localhost:5432/sprechstunde" }, POSTGRES],
  ["DATABASE_URL_DIRECT", { DATABASE_URL_DIRECT: "mysql://localhost/x" }, POSTGRES],
  ["MASTER_KEY", { MASTER_KEY: "secret" }, KEY],
  ["MASTER_KEY_NEXT", { MASTER_KEY_NEXT: "c2hvcnQ=" }, KEY],
  ["MASTER_KEY", { DATABASE_URL: "postgresql://db/x" }, "required when DATABASE_URL is set"],
  ["DATABASE_URL", { DATABASE_URL: "postgresql://db/x?target_session_attrs=any" }, "read-write or primary"],
  ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "10.0.0.0/8, proxy" }, "CIDR ranges"],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }, "one of all, trace"],
  ["VAULT_TRANSIT_KEY", { VAULT_TRANSIT_KEY: "a/b/c" }, "mount/name"],
  ["VAULT_ADDR", { VAULT_TRANSIT_KEY: "key" }, "required"],
  ["VAULT_ADDR", { ...PRODUCTION, VAULT_TRANSIT_KEY: "key", VAULT_ADDR: "http://vault.example" }, "https"],
  ["SANDBOX", { ...PRODUCTION, SANDBOX: "true" }, "NODE_ENV=production"],
  // without an identity provider outside of development, or with one that does not use https
  ["OIDC_ISSUER", { HOST: "0.0.0.0" }, "DEMO=true"],
  ["OIDC_ISSUER", { NODE_ENV: "production", STAFF_SIGN_IN: "oidc" }, ANY],
  ["OIDC_ISSUER", { NODE_ENV: "production", STAFF_SIGN_IN: "oidc", DEMO: "true" }, ANY],
  ["STAFF_SIGN_IN", { STAFF_SIGN_IN: "password" }, ANY],
  ["OIDC_ISSUER", { NODE_ENV: "production", OIDC_ISSUER: "http://id.example" }, ANY]
])("%s is refused by its name: %o", async (setting, environment, why) => {
  expect(await refusal(environment)).toEqual([[setting], expect.stringContaining(why)])
})

test.each<[environment: Environment, read: object]>([
  [
    { PORT: "65535", DATABASE_POOL_SIZE: "1", RATE_LIMIT_PER_SECOND: "0", OIDC_TOKEN_TYPE: "at+jwt" },
    { port: 65_535, databasePoolSize: 1, rateLimitPerSecond: 0 }
  ],
  // an empty setting counts as unset
  [
    { PORT: "", SMTP_URL: " ", MASTER_KEY: "", DATABASE_URL: "", ROLE: "", S3_REGION: "", AWS_REGION: "eu-central-1" },
    {
      port: 8080,
      role: "all",
      embeddedDatabase: true,
      s3: { region: "eu-central-1" },
      smtpUrl: undefined,
      masterKey: undefined
    }
  ],
  [{}, { development: true, shutdownGraceSeconds: 0 }],
  [{ HOST: "localhost", BASE_URL: "http://127.0.0.2:1" }, { development: true }],
  [{ HOST: "::1", BASE_URL: "http://[::1]:8080" }, { development: true }],
  [{ OIDC_ISSUER: "http://id.example" }, { development: true }],
  [{}, { staffSignIn: "oidc" }],
  [{ NODE_ENV: "production" }, { staffSignIn: "mail" }],
  [{ NODE_ENV: "production", OIDC_ISSUER: "https://id.example" }, { staffSignIn: "oidc" }],
  [
    { HOST: "0.0.0.0", STAFF_SIGN_IN: "mail" },
    { staffSignIn: "mail", development: false }
  ],
  [{ HOST: "0.0.0.0", OIDC_ISSUER: "https://id.example" }, { development: false }],
  [{ HOST: "127.0.0.1.example", OIDC_ISSUER: "https://id.example" }, { development: false }],
  [PUBLIC, { development: false }],
  [{ HOST: "0.0.0.0", DEMO: "true" }, { development: true }],
  [{ ...PUBLIC, DEMO: "true" }, { development: true }],
  [{ ...PUBLIC, NODE_ENV: "production", DEMO: "true" }, { development: false }],
  // in production requests are still accepted for a while after SIGTERM, as a proxy needs; not by workers
  [PRODUCTION, { development: false, shutdownGraceSeconds: 5 }],
  [{ ...PRODUCTION, ROLE: "http" }, { shutdownGraceSeconds: 5 }],
  [{ ...PRODUCTION, ROLE: "worker" }, { shutdownGraceSeconds: 0 }],
  [{ ...PRODUCTION, SHUTDOWN_GRACE_SECONDS: "0" }, { shutdownGraceSeconds: 0 }],
  [{ ...PRODUCTION, SHUTDOWN_GRACE_SECONDS: "30" }, { shutdownGraceSeconds: 30 }]
])("%o is read as %o", async (environment, expected) => {
  expect(await read(environment)).toMatchObject({ _tag: "Right", right: expected })
})

// Shows: SSRF through webhook URLs
test("webhooks may go to private addresses in local development, but not from a public demonstration", async () => {
  const isAllowed = async (environment: Environment) => Object(await read(environment)).right.webhookAllowPrivate
  expect(await isAllowed({})).toBe(true)
  for (const open of [{ HOST: "0.0.0.0", DEMO: "true" }, { ...PUBLIC, DEMO: "true" }, PUBLIC])
    expect([open, await isAllowed(open)]).toEqual([open, false])
  expect(await isAllowed({ ...PUBLIC, WEBHOOK_ALLOW_PRIVATE: "true" })).toBe(true)
})
