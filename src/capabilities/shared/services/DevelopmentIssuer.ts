import { FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Option, Random, Schema } from "effect"
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT
} from "jose"
import { Settings } from "../../../config.ts"
import type { Role } from "../../../schemas/access/Actor.ts"
import type { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import { NotFoundError } from "../../../schemas/DomainError.ts"
import { verifyAccessToken } from "../../../services/access/accessTokens.ts"
import { IdentityRefused, type Verify } from "../../../services/access/Identity.ts"
import { realNow } from "../../../services/DomainClock.ts"

/** The built-in issuer: its two discovery documents, and its tokens. */
export interface Issuer {
  readonly verify: Verify
  readonly configuration: { readonly issuer: string; readonly jwks_uri: string } & Readonly<Record<string, unknown>>
  readonly jwks: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
  /** Issues tokens to a person chosen on the issuer's page, for the client and the nonce of a sign-in attempt. */
  readonly issue: (
    person: IssuedPerson,
    attempt: { readonly client_id: string; readonly nonce: string }
  ) => Effect.Effect<{ readonly access_token: string; readonly id_token: string }>
}

/**
 * A subject of the built-in issuer: a doctor or an administrator of an organisation, staff of a pharmacy or its group, or an operator.
 */
export interface IssuedPerson {
  readonly role: Role | PracticeRole
  readonly organisation_uid?: string | undefined
  readonly doctor_uid?: string | undefined
  readonly pharmacy_uid?: string | undefined
  readonly pharmacy_group_uid?: string | undefined
}

/** The issuer; none where there is another identity provider, or staff sign in by mail. */
export class DevelopmentIssuer extends Context.Tag("access/DevelopmentIssuer")<
  DevelopmentIssuer,
  Option.Option<Issuer>
>() {}

const ALGORITHM = "ES256"
const PATH = "/dev-idp"

const StoredKey = Schema.parseJson(
  Schema.Struct({
    kty: Schema.String,
    crv: Schema.String,
    x: Schema.String,
    y: Schema.String,
    d: Schema.String,
    kid: Schema.String
  })
)
type StoredKey = typeof StoredKey.Type

const generateStoredKey = Effect.promise(async () => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk) }
})

/**
 * The issuer's key, generated once and stored in the data directory. Server and CLI may create it concurrently, so it is
 * written to a temporary file and hard-linked into place; the second one uses the first one's key.
 */
const loadKey = Effect.fn("DevelopmentIssuer.loadKey")(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(dataDir, "development-issuer.json")
  if (!(yield* files.exists(file))) {
    yield* files.makeDirectory(dataDir, { recursive: true })
    const aside = `${file}.${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
    yield* files.writeFileString(aside, JSON.stringify(yield* generateStoredKey), { mode: 0o600 })
    yield* files.link(aside, file).pipe(Effect.catchIf(isAlreadyThere, () => Effect.void))
    yield* files.remove(aside)
  }
  return yield* Effect.flatMap(files.readFileString(file), Schema.decode(StoredKey))
}, Effect.orDie)

const isAlreadyThere = (error: { readonly _tag: string; readonly reason?: string }) =>
  error._tag === "SystemError" && error.reason === "AlreadyExists"

const publicPart = ({ d: _private, ...jwk }: StoredKey): JWK => ({ ...jwk, alg: ALGORITHM, use: "sig" })

const configurationOf = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/jwks`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  end_session_endpoint: `${issuer}/end-session`,
  response_types_supported: ["code"],
  grant_types_supported: ["authorization_code"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: [ALGORITHM]
})

/** Accepts any host and port in `iss`, since the CLI may mint tokens with another BASE_URL; the key is what is verified. */
const issuerOf = (token: string) =>
  Effect.try({ try: () => decodeJwt(token).iss ?? "", catch: () => new IdentityRefused({ reason: "no JWT" }) }).pipe(
    Effect.filterOrFail(
      (issuer) => URL.parse(issuer)?.pathname === PATH,
      (issuer) => new IdentityRefused({ reason: `unknown issuer ${issuer}` })
    )
  )

export interface DevelopmentIssuerOptions {
  readonly dataDir: string
  readonly baseUrl: string
  readonly audience: string
}

/**
 * The built-in identity provider for development: anyone who can read the data directory can act as any doctor. Dies at
 * start-up with `production` (`NODE_ENV=production`).
 */
export const layer = ({ production, ...options }: DevelopmentIssuerOptions & { readonly production: boolean }) =>
  Layer.effect(
    DevelopmentIssuer,
    Effect.gen(function* () {
      if (production) {
        return yield* Effect.dieMessage(
          "OIDC_ISSUER must be set in production: the development issuer trusts this machine"
        )
      }
      const key = yield* loadKey(options.dataDir)
      const documents: Omit<Issuer, "verify"> = {
        configuration: configurationOf(`${options.baseUrl}${PATH}`),
        jwks: { keys: [{ ...publicPart(key) }] },
        issue: (person, { client_id, nonce }) =>
          Effect.all({
            access_token: sign(key, options, { ...person, ttlSeconds: ISSUED_SECONDS }, { client_id }),
            id_token: sign(
              key,
              { ...options, audience: client_id },
              { ...person, ttlSeconds: ISSUED_SECONDS },
              { nonce, typ: "JWT" }
            )
          })
      }
      const keyOf = createLocalJWKSet({ keys: [publicPart(key)] })
      const verify = (token: string) =>
        Effect.flatMap(issuerOf(token), (issuer) =>
          verifyAccessToken(token, keyOf, { issuer, audience: options.audience })
        )
      return Option.some({ ...documents, verify })
    })
  )

export interface Person extends IssuedPerson {
  readonly ttlSeconds: number
}

/** Lifetime of tokens from the sign-in page, seconds; a session reads the claims only once. */
const ISSUED_SECONDS = 300

/** Signs a token for a person; `more` are additional claims, `typ` is the header's. */
const sign = Effect.fnUntraced(function* (
  key: StoredKey,
  { baseUrl, audience }: DevelopmentIssuerOptions,
  person: Person,
  { typ = "at+jwt", ...more }: Readonly<Record<string, string>> = {}
) {
  const now = yield* realNow
  const { role, ttlSeconds, ...owners } = person
  const { doctor_uid, organisation_uid, pharmacy_uid, pharmacy_group_uid } = owners
  const place = organisation_uid ?? pharmacy_uid ?? pharmacy_group_uid ?? "sprechstunde"
  return yield* Effect.promise(async () =>
    new SignJWT({ roles: [role], ...owners, ...more })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ })
      .setIssuer(`${baseUrl}${PATH}`)
      .setAudience(audience)
      .setSubject(doctor_uid ?? `${role}@${place}`)
      .setIssuedAt(now)
      .setExpirationTime(now + ttlSeconds)
      .sign(await importJWK({ ...key }, ALGORITHM))
  )
})

/** Mints an access token, as the development issuer. */
export const mint = Effect.fn("DevelopmentIssuer.mint")(function* (options: DevelopmentIssuerOptions, person: Person) {
  return yield* sign(yield* loadKey(options.dataDir), options, person)
})

/** By the settings. */
export const DevelopmentIssuerLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ oidc, dataDir, baseUrl, production, staffSignIn }) =>
    oidc.issuer === undefined && staffSignIn !== "mail"
      ? layer({ dataDir, baseUrl, audience: oidc.audience, production })
      : Layer.succeed(DevelopmentIssuer, Option.none())
  )
)

export class DevelopmentIssuerNotFound extends NotFoundError("DevelopmentIssuerNotFound", "Development issuer") {}
