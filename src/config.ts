/** All settings, read once from the environment. docs/settings.md documents them. */
import {
  Array,
  Config,
  ConfigError,
  ConfigProvider,
  Context,
  Effect,
  Either,
  Layer,
  LogLevel,
  Option,
  Redacted
} from "effect"
import ipaddr from "ipaddr.js"
import { isMailAddress } from "./schemas/fields.ts"

const optional = <A>(config: Config.Config<A>) => Config.option(config).pipe(Config.map(Option.getOrUndefined))

/** Refuses other values, with what is expected. */
const only = <A>(name: string, accepts: (value: A) => boolean, expected: string) =>
  Config.mapOrFail(Either.liftPredicate(accepts, () => ConfigError.InvalidData([name], expected)))

/** An integer within bounds. */
const whole = (name: string, fallback: number | undefined, minimum: number, maximum: number) =>
  (fallback === undefined ? Config.integer(name) : Config.withDefault(Config.integer(name), fallback)).pipe(
    only(name, (n) => n >= minimum && n <= maximum, `a whole number from ${minimum} to ${maximum}`)
  )

/** Accepts `info` for Effect's `Info`. */
const toLogLevel = (text: string): Either.Either<LogLevel.LogLevel, ConfigError.ConfigError> =>
  Either.fromOption(
    Array.findFirst(LogLevel.allLevels, (level) => level._tag.toLowerCase() === text.toLowerCase()),
    () => ConfigError.InvalidData(["LOG_LEVEL"], "one of all, trace, debug, info, warning, error, fatal, none")
  )

/** A secret of a form. */
const secret = (name: string, accepts: (value: string) => boolean, expected: string) =>
  Config.redacted(name).pipe(only(name, (value) => accepts(Redacted.value(value)), expected))

/** A database URL. The service writes, so `target_session_attrs` may only be read-write or primary. */
const databaseAddress = (name: string) =>
  optional(
    secret(
      name,
      (url) => /^postgres(ql)?:\/\/./.test(url),
      "must be postgresql://user:password@host:port/database"
    ).pipe(
      only(
        name,
        (url) => !/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(Redacted.value(url)),
        "target_session_attrs is read-write or primary, or is left out"
      )
    )
  )

const MASTER_KEY_BYTES = 32

const masterKey = (name: string) =>
  secret(
    name,
    (key) => Buffer.from(key, "base64").length === MASTER_KEY_BYTES,
    "must be 32 bytes, base64 (openssl rand -base64 32)"
  )

/** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
const mailServer = (name: string) =>
  secret(
    name,
    (url) => /^smtps?:$/.test(URL.parse(url)?.protocol ?? "") && URL.parse(url)?.hostname !== "",
    "must be smtp://user:password@host:port, or smtps://… (special characters percent-encoded)"
  )

/** An address of ClamAV's daemon. */
const scanner = (name: string) =>
  Config.string(name).pipe(
    Config.validate({
      message: "must be tcp://host:port",
      validation: (text) => /^tcp:\/\/[^/?#@]+$/.test(text) && URL.canParse(text)
    }),
    Config.map((text) => new URL(text))
  )

/** IP addresses and CIDR ranges, separated by commas. */
const toNetworks = (text: string) =>
  Either.try({
    try: () =>
      text
        .split(",")
        .map((range) => range.trim())
        .filter((range) => range !== "")
        .map((range) =>
          ipaddr.parseCIDR(range.includes("/") ? range : `${range}/${ipaddr.parse(range).kind() === "ipv4" ? 32 : 128}`)
        ),
    catch: () => ConfigError.InvalidData(["TRUSTED_PROXIES"], "addresses or CIDR ranges, separated by commas")
  })

/** `a=1,b=2`, OpenTelemetry's format of lists of pairs. */
const pairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=")
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]]
    })
  )

/** OpenTelemetry's standard variables. */
const otel = Config.all({
  disabled: Config.boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  endpoint: optional(Config.string("OTEL_EXPORTER_OTLP_ENDPOINT")),
  // Encoding protobuf takes thirty times as long as JSON: 69 ms against 2 ms for 1,000 spans
  protocol: Config.literal(
    "http/protobuf",
    "http/json"
  )("OTEL_EXPORTER_OTLP_PROTOCOL").pipe(Config.withDefault("http/json" as const)),
  headers: Config.string("OTEL_EXPORTER_OTLP_HEADERS").pipe(Config.withDefault(""), Config.map(pairs)),
  timeoutMillis: Config.integer("OTEL_EXPORTER_OTLP_TIMEOUT").pipe(Config.withDefault(2_000)),
  resourceAttributes: Config.string("OTEL_RESOURCE_ATTRIBUTES").pipe(Config.withDefault(""), Config.map(pairs)),
  serviceName: Config.string("OTEL_SERVICE_NAME").pipe(Config.withDefault("sprechstunde")),
  tracesRatio: Config.number("OTEL_TRACES_SAMPLER_ARG").pipe(Config.withDefault(1)),
  tracesIntervalMillis: Config.integer("OTEL_BSP_SCHEDULE_DELAY").pipe(Config.withDefault(5_000)),
  metricsIntervalMillis: Config.integer("OTEL_METRIC_EXPORT_INTERVAL").pipe(Config.withDefault(60_000))
})

/** Variables of S3 clients and AWS tools; the first one that is set is used. */
const setting = (...names: ReadonlyArray<string>) =>
  optional(names.map((name) => Config.string(name)).reduceRight((later, first) => Config.orElse(first, () => later)))

const s3 = Config.all({
  endpoint: setting("S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
  region: setting("S3_REGION", "AWS_REGION", "AWS_DEFAULT_REGION"),
  accessKeyId: setting("S3_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID"),
  secretAccessKey: setting("S3_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"),
  sessionToken: setting("S3_SESSION_TOKEN", "AWS_SESSION_TOKEN")
})

/** The address of a provider; another one is a stand-in. An origin, unless `isWhole`. */
const provider = (name: string, fallback: string, isWhole = false) =>
  Config.url(name).pipe(
    Config.withDefault(new URL(fallback)),
    Config.map((url) => (isWhole ? url.href : url.origin))
  )

/** Providers of doctors' calendars. One without its client's id and secret is not offered. */
const calendarProviders = Config.all({
  microsoft: Config.all({
    clientId: optional(Config.string("MICROSOFT_CLIENT_ID")),
    clientSecret: optional(Config.redacted("MICROSOFT_CLIENT_SECRET")),
    tenant: Config.string("MICROSOFT_TENANT").pipe(Config.withDefault("common")),
    loginUrl: provider("MICROSOFT_LOGIN_URL", "https://login.microsoftonline.com"),
    apiUrl: provider("MICROSOFT_GRAPH_URL", "https://graph.microsoft.com")
  }),
  google: Config.all({
    clientId: optional(Config.string("GOOGLE_CLIENT_ID")),
    clientSecret: optional(Config.redacted("GOOGLE_CLIENT_SECRET")),
    accountsUrl: provider("GOOGLE_ACCOUNTS_URL", "https://accounts.google.com"),
    tokenUrl: provider("GOOGLE_TOKEN_URL", "https://oauth2.googleapis.com/token", true),
    apiUrl: provider("GOOGLE_API_URL", "https://www.googleapis.com")
  })
})
/** A mail address, or a URI as RFC 9116 takes them. */
const toContact = (text: string) => {
  if (isMailAddress(text)) return Either.right(`mailto:${text}`)
  return /^(?:https:\/\/|mailto:|tel:)\S+$/.test(text)
    ? Either.right(text)
    : Either.left(
        ConfigError.InvalidData([], "must be a mail address, or a URI that begins with https:, mailto: or tel:")
      )
}

const raw = Config.all({
  host: Config.string("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: whole("PORT", 8080, 0, 65_535),
  baseUrl: optional(Config.url("BASE_URL")),
  meetingsUrl: optional(Config.url("MEETINGS_URL")),
  databaseUrl: databaseAddress("DATABASE_URL"),
  databaseUrlDirect: databaseAddress("DATABASE_URL_DIRECT"),
  databaseUrlRead: optional(Config.redacted("DATABASE_URL_READ")),
  databaseReadLagSeconds: whole("DATABASE_READ_LAG_SECONDS", 2, 0, 300),
  databasePoolSize: whole("DATABASE_POOL_SIZE", 16, 1, 1_000),
  databaseWaitingMax: whole("DATABASE_WAITING_MAX", 256, 1, 100_000),
  databasePreparedStatements: Config.boolean("DATABASE_PREPARED_STATEMENTS").pipe(Config.withDefault(true)),
  shutdownGraceSeconds: optional(whole("SHUTDOWN_GRACE_SECONDS", undefined, 0, 300)),
  outgoingTimeoutSeconds: optional(whole("OUTGOING_TIMEOUT_SECONDS", undefined, 1, 3_600)),
  metricsPort: optional(Config.integer("METRICS_PORT")),
  dataDir: Config.string("DATA_DIR").pipe(Config.withDefault(".data")),
  masterKey: optional(masterKey("MASTER_KEY")),
  previousMasterKeys: optional(Config.redacted("MASTER_KEY_PREVIOUS")),
  nextMasterKey: optional(masterKey("MASTER_KEY_NEXT")),
  vaultAddress: optional(Config.url("VAULT_ADDR")),
  vaultToken: optional(Config.redacted("VAULT_TOKEN")),
  vaultNamespace: optional(Config.string("VAULT_NAMESPACE")),
  vaultTransitKey: optional(Config.string("VAULT_TRANSIT_KEY")),
  provisionFile: optional(Config.string("PROVISION_FILE")),
  role: Config.literal("all", "http", "worker")("ROLE").pipe(Config.withDefault("all" as const)),
  rateLimitPerSecond: whole("RATE_LIMIT_PER_SECOND", 10, 0, 1_000_000),
  rateLimitKeyPerSecond: whole("RATE_LIMIT_KEY_PER_SECOND", 200, 0, 1_000_000),
  trustedProxies: Config.string("TRUSTED_PROXIES").pipe(Config.withDefault(""), Config.mapOrFail(toNetworks)),
  oidc: Config.all({
    issuer: optional(Config.string("OIDC_ISSUER")),
    audience: Config.string("OIDC_AUDIENCE").pipe(Config.withDefault("sprechstunde")),
    clientId: optional(Config.string("OIDC_CLIENT_ID")),
    clientSecret: optional(Config.redacted("OIDC_CLIENT_SECRET")),
    tokenType: optional(Config.literal("at+jwt")("OIDC_TOKEN_TYPE")),
    nonceAllowed: Config.boolean("OIDC_ALLOW_NONCE").pipe(Config.withDefault(false))
  }),
  securityContact: optional(Config.string("SECURITY_CONTACT").pipe(Config.mapOrFail(toContact))),
  staffSignIn: optional(Config.literal("oidc", "mail")("STAFF_SIGN_IN")),
  fileStore: optional(Config.string("FILE_STORE")),
  fileArchive: optional(Config.string("FILE_ARCHIVE")),
  s3,
  smtpUrl: optional(mailServer("SMTP_URL")),
  mailFrom: Config.string("MAIL_FROM").pipe(Config.withDefault("Sprechstunde <noreply@localhost>")),
  smsUrl: optional(Config.string("SMS_URL")),
  clamavUrl: optional(scanner("CLAMAV_URL")),
  smsToken: optional(Config.redacted("SMS_TOKEN")),
  mollieApiKey: optional(Config.redacted("MOLLIE_API_KEY")),
  mollieApiEndpoint: optional(Config.string("MOLLIE_API_ENDPOINT")),
  otel,
  webhookAllowPrivate: optional(Config.boolean("WEBHOOK_ALLOW_PRIVATE")),
  webhookPorts: optional(Config.array(Config.integer(), "WEBHOOK_PORTS")),
  turnUrl: optional(Config.string("TURN_URL")),
  turnSecret: optional(Config.redacted("TURN_SECRET")),
  /** Whether domain time may be moved ahead of real time. */
  clockMoves: Config.boolean("SANDBOX").pipe(Config.withDefault(false)),
  /** Whether moving it needs a permission; otherwise any API key may. */
  clockPermission: Config.boolean("SANDBOX_PERMISSION").pipe(Config.withDefault(false)),
  // set to nothing: as not set
  capabilities: Config.string("CAPABILITIES").pipe(
    Config.withDefault("all"),
    Config.map((names) => names.trim() || "all")
  ),
  calendarProviders,
  demo: Config.boolean("DEMO").pipe(Config.withDefault(false)),
  production: Config.string("NODE_ENV").pipe(
    Config.withDefault("development"),
    Config.map((env) => env === "production")
  ),
  logFormat: optional(Config.literal("pretty", "json")("LOG_FORMAT")),
  logLevel: Config.string("LOG_LEVEL").pipe(Config.withDefault("info"), Config.mapOrFail(toLogLevel))
})

type Raw = Config.Config.Success<typeof raw>

export interface SettingsShape
  extends Omit<
    Raw,
    | `vault${string}`
    | "shutdownGraceSeconds"
    | "fileStore"
    | "webhookAllowPrivate"
    | "webhookPorts"
    | "baseUrl"
    | "meetingsUrl"
    | "staffSignIn"
  > {
  /** How staff sign in. Default: `mail` in production without OIDC_ISSUER, else `oidc`. */
  readonly staffSignIn: "oidc" | "mail"
  /** The transit engine's key that wraps data keys. Undefined: the master key wraps them. */
  readonly vault:
    | {
        readonly address: string
        readonly token: Redacted.Redacted | undefined
        readonly namespace: string | undefined
        readonly key: string
      }
    | undefined
  /** Seconds after SIGTERM for which requests are still answered. Default: 5 in production, for a proxy to notice; none for workers. */
  readonly shutdownGraceSeconds: number
  /** Public URLs, without a trailing slash. */
  readonly baseUrl: string
  readonly meetingsUrl: string
  readonly fileStore: string
  readonly webhookAllowPrivate: boolean
  /** Allowed ports of webhook URLs. Undefined: all. */
  readonly webhookPorts: ReadonlyArray<number> | undefined
  readonly embeddedDatabase: boolean
  /**
   * HOST and BASE_URL are loopback addresses, or DEMO=true; never with NODE_ENV=production. Required by the demo world, the development issuer, embedded
   * payments and storefronts, and the outbox of messages.
   */
  readonly development: boolean
  /** Whether the demo world is provisioned into an empty database. Never in production, since its keys are public. */
  readonly demoWorld: boolean
}

/** The settings, with dependent defaults resolved. */
export class Settings extends Context.Tag("Settings")<Settings, SettingsShape>() {}

const refuse = (path: string, message: string) => Effect.fail(ConfigError.InvalidData([path], message))

const addressOf = (url: URL | undefined) => url?.href.replace(/\/$/, "")

/** PORT=0: picks a free port before the server listens, since public URLs contain it. */
const freePort = (hostname: string) =>
  Effect.sync(() => {
    const probe = Bun.listen({ hostname, port: 0, socket: { data: () => {} } })
    probe.stop(true)
    return probe.port
  })

const isLoopback = (host: string) =>
  /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host.toLowerCase())

/** `VAULT_TRANSIT_KEY` is `key`, or `mount/key` if the engine is not mounted at `transit`. */
const vaultOf = ({ vaultAddress, vaultToken, vaultNamespace, vaultTransitKey, production }: Raw) =>
  Effect.gen(function* () {
    if (vaultTransitKey === undefined) return undefined
    const key = vaultTransitKey.includes("/") ? vaultTransitKey : `transit/${vaultTransitKey}`
    if (!/^[\w.-]+\/[\w.-]+$/.test(key)) return yield* refuse("VAULT_TRANSIT_KEY", "a key's name, or mount/name")
    if (vaultAddress === undefined) return yield* refuse("VAULT_ADDR", "required with VAULT_TRANSIT_KEY")
    if (production && vaultAddress.protocol !== "https:" && !isLoopback(vaultAddress.hostname))
      return yield* refuse("VAULT_ADDR", "must be an https or a loopback address with NODE_ENV=production")
    return { address: addressOf(vaultAddress) ?? "", token: vaultToken, namespace: vaultNamespace, key }
  })

const resolve = (settings: Raw) =>
  Effect.gen(function* () {
    if (settings.databaseUrl !== undefined && settings.masterKey === undefined)
      return yield* refuse(
        "MASTER_KEY",
        "required when DATABASE_URL is set: 32 bytes, base64 (openssl rand -base64 32)"
      )
    if (settings.clockMoves && settings.production) return yield* refuse("SANDBOX", "refused with NODE_ENV=production")
    if (settings.oidc.issuer?.startsWith("https://") === false && settings.production)
      return yield* refuse("OIDC_ISSUER", "must be an https address with NODE_ENV=production")
    const isWithoutProvider = settings.oidc.issuer === undefined
    const staffSignIn = settings.staffSignIn ?? (isWithoutProvider && settings.production ? "mail" : "oidc")
    if (isWithoutProvider && staffSignIn === "oidc" && settings.production)
      return yield* refuse(
        "OIDC_ISSUER",
        "required with NODE_ENV=production and STAFF_SIGN_IN=oidc: the development issuer must not run there"
      )
    const isLocal = isLoopback(settings.host) && isLoopback(settings.baseUrl?.hostname ?? settings.host)
    // a proxy on this machine makes a loopback address public, without any header that says so
    const development = !settings.production && (settings.demo || isLocal)
    if (isWithoutProvider && staffSignIn === "oidc" && !development)
      return yield* refuse(
        "OIDC_ISSUER",
        "required where HOST or BASE_URL is no loopback address: the development issuer does not work there. Set it, or STAFF_SIGN_IN=mail, or DEMO=true for a demonstration"
      )
    const vault = yield* vaultOf(settings)
    const port = settings.port === 0 ? yield* freePort(settings.host) : settings.port
    const baseUrl = addressOf(settings.baseUrl) ?? `http://${settings.host}:${port}`
    // A public demonstration has public keys, so its webhooks must not reach its private network
    const webhookAllowPrivate = settings.webhookAllowPrivate ?? (settings.databaseUrl === undefined && isLocal)
    return {
      ...settings,
      staffSignIn,
      vault,
      port,
      baseUrl,
      meetingsUrl: addressOf(settings.meetingsUrl) ?? `${baseUrl}/meet`,
      shutdownGraceSeconds:
        settings.shutdownGraceSeconds ?? (settings.production && settings.role !== "worker" ? 5 : 0),
      fileStore: settings.fileStore ?? `file:${settings.dataDir}/files`,
      webhookAllowPrivate,
      webhookPorts: settings.webhookPorts ?? (webhookAllowPrivate ? undefined : [80, 443]),
      embeddedDatabase: settings.databaseUrl === undefined,
      development,
      demoWorld: settings.provisionFile === undefined && development
    } satisfies SettingsShape
  })

/** Treats an empty variable as unset, since compose files and manifests pass on empty ones. */
const withoutEmpty = (provider: ConfigProvider.ConfigProvider) =>
  ConfigProvider.fromFlat({
    ...provider.flattened,
    load: (path, config, split) => {
      const missing = Either.left(ConfigError.MissingData([...path], `${path.join("_")} is empty`))
      const parse: typeof config.parse = (text) => (text.trim() === "" ? missing : config.parse(text))
      return provider.flattened.load(path, { ...config, parse }, split)
    }
  })

export const SettingsLive = Layer.effect(
  Settings,
  Effect.configProviderWith((provider) =>
    Effect.withConfigProvider(Effect.flatMap(raw, resolve), withoutEmpty(provider))
  )
)
