import { FileSystem, Path } from "@effect/platform"
import { Clock, Effect, Layer, Option, Random, Schema } from "effect"
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
import type { Role } from "../../schemas/access/Actor.ts"
import { Identity, IdentityRefused, type IssuerDocuments } from "../../services/access/Identity.ts"
import { verifyAccessToken } from "./accessToken.ts"

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
 * The issuer's key: made once and kept in the data directory. Server and command line may both be the first to need
 * it, so it is written aside and linked into place: whoever comes second finds, and uses, the first one's.
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

const documentsOf = (key: StoredKey, issuer: string): IssuerDocuments => ({
  configuration: {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM]
  },
  jwks: { keys: [{ ...publicPart(key) }] }
})

/** The key alone vouches here, so a token stands whatever host and port its minter took the service to be on. */
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
 * The built-in identity provider of a development machine: anyone who can read the data directory can be any doctor.
 * `production` (a database of its own and `NODE_ENV=production`) makes it refuse to start.
 */
export const layer = ({ production, ...options }: DevelopmentIssuerOptions & { readonly production: boolean }) =>
  Layer.effect(
    Identity,
    Effect.gen(function* () {
      if (production) {
        return yield* Effect.dieMessage(
          "OIDC_ISSUER must be set in production: the development issuer trusts this machine"
        )
      }
      const key = yield* loadKey(options.dataDir)
      const documents = documentsOf(key, `${options.baseUrl}${PATH}`)
      const keyOf = createLocalJWKSet({ keys: [publicPart(key)] })
      const verify = (token: string) =>
        Effect.flatMap(issuerOf(token), (issuer) =>
          verifyAccessToken(token, keyOf, { issuer, audience: options.audience })
        )
      return { verify, documents: Option.some(documents) }
    })
  )

/** Whom a token is for: a doctor or an administrator of an organisation, a pharmacy's or its group's staff, or an operator. */
export interface Person {
  readonly role: Role
  readonly organisation_uid?: string | undefined
  readonly doctor_uid?: string | undefined
  readonly pharmacy_uid?: string | undefined
  readonly pharmacy_group_uid?: string | undefined
  readonly ttlSeconds: number
}

/** Mints an access token, as the development issuer. */
export const mint = Effect.fn("DevelopmentIssuer.mint")(function* (options: DevelopmentIssuerOptions, person: Person) {
  const stored = yield* loadKey(options.dataDir)
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const { role, ttlSeconds, ...owners } = person
  const { doctor_uid, organisation_uid, pharmacy_uid, pharmacy_group_uid } = owners
  const place = organisation_uid ?? pharmacy_uid ?? pharmacy_group_uid ?? "sprechstunde"
  return yield* Effect.promise(async () =>
    new SignJWT({ roles: [role], ...owners })
      .setProtectedHeader({ alg: ALGORITHM, kid: stored.kid, typ: "at+jwt" })
      .setIssuer(`${options.baseUrl}${PATH}`)
      .setAudience(options.audience)
      .setSubject(doctor_uid ?? `${role}@${place}`)
      .setIssuedAt(now)
      .setExpirationTime(now + ttlSeconds)
      .sign(await importJWK({ ...stored }, ALGORITHM))
  )
})
