/** Who an access token names: with a real OpenID provider, and with the issuer of development. Section 1.9. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createSecretKey } from "node:crypto"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Clock, type Duration, Effect, Exit, Layer, ManagedRuntime, Option } from "effect"
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from "jose"
import * as DevelopmentIssuer from "../../src/capabilities/shared/services/DevelopmentIssuer.ts"
import * as Oidc from "../../src/layers/identity/Oidc.ts"
import { Identity } from "../../src/services/access/Identity.ts"
import { oidcProvider } from "../support/oidcProvider.ts"

const audience = "https://api.example.test"
const claims = { organisation_uid: "org_1", roles: ["doctor"], doctor_uid: "doc_1" }

const clockAhead = (seconds: number): Clock.Clock => {
  const real = Clock.make()
  const later = { currentTimeMillis: Effect.map(real.currentTimeMillis, (millis) => millis + seconds * 1000) }
  return Object.assign(Object.create(real), later)
}
/** A provider of one test, and what relies on it. */
const relied = async (
  algorithm?: Parameters<typeof oidcProvider>[0],
  cooldown: Duration.DurationInput = 0,
  production = false
) => {
  const own = await oidcProvider(algorithm)
  const settings = { issuer: own.issuer, audience, cooldown, production }
  const relying = ManagedRuntime.make(Oidc.layer(settings).pipe(Layer.provide(FetchHttpClient.layer)))
  started.push(own, { stop: () => relying.dispose() })
  return { own, relying }
}
const started: Array<{ readonly stop: () => Promise<unknown> }> = []
afterAll(() => Promise.all(started.map((one) => one.stop())))

const verdict = (runtime: ManagedRuntime.ManagedRuntime<Identity, never>, token: string, secondsLater = 0) =>
  runtime.runPromise(
    Effect.flatMap(Identity, (identity) => identity.verify(token)).pipe(
      Effect.withClock(clockAhead(secondsLater)),
      Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "accepted" })
    )
  )

const identify = (runtime: ManagedRuntime.ManagedRuntime<Identity, never>, token: string) =>
  runtime.runPromise(Effect.flatMap(Identity, ({ verify }) => verify(token)))

test.each(["RS256", "ES256", "EdDSA"] as const)(
  "an access token of a real provider, signed with %s, identifies the doctor; its keys are fetched once for many",
  async (algorithm) => {
    const { own, relying } = await relied(algorithm)
    const token = await own.token({ audience, claims })
    expect(await identify(relying, token)).toMatchObject({
      organisation_uid: Option.some("org_1"),
      doctor_uid: Option.some("doc_1"),
      roles: ["doctor"]
    })
    for (let i = 0; i < 5; i++) expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
    for (const path of ["/jwks", "/.well-known"])
      expect(own.asked.filter((url) => url.startsWith(path))).toHaveLength(1)
  }
)

test("a rotated key is found, and tokens signed with the old key are refused", async () => {
  const { own, relying } = await relied()
  const before = await own.token({ audience, claims })
  expect(await verdict(relying, before)).toBe("accepted")
  await own.rotate()
  expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
  expect(await verdict(relying, before)).toBe("IdentityRefused")
})

test("tokens of another issuer, which name unknown keys, are refused and do not cause a request each", async () => {
  const { own, relying } = await relied("RS256", "1 minute")
  const { own: stranger } = await relied()
  expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
  for (let i = 0; i < 5; i++)
    expect(await verdict(relying, await stranger.token({ audience, claims }))).toBe("IdentityRefused")
  expect(own.asked.filter((url) => url === "/jwks")).toHaveLength(1)
})

test("roles of an unknown shape are ignored; another audience and an expired token are refused", async () => {
  const { own, relying } = await relied()
  const odd = await own.token({ audience, claims: { ...claims, roles: "admin", doctor_uid: 7 } })
  expect(await identify(relying, odd)).toMatchObject({ roles: [], doctor_uid: Option.none() })
  const elsewhere = await own.token({ audience: "https://other.test", claims })
  expect(await verdict(relying, elsewhere)).toBe("IdentityRefused")
  const token = await own.token({ audience, claims, ttlSeconds: 60 })
  expect([await verdict(relying, token), await verdict(relying, token, 181)]).toEqual(["accepted", "IdentityRefused"])
})

test("in production, keys are fetched over https only", async () => {
  const { own, relying } = await relied("RS256", 0, true)
  expect(await verdict(relying, await own.token({ audience, claims }))).toBe("IdentityUnavailable")
  expect(own.asked.filter((url) => url === "/jwks")).toEqual([])
})

test("an unreachable provider does not make the token invalid, and is asked again", async () => {
  const { own, relying } = await relied()
  own.falter()
  expect(await verdict(relying, "any.token.here")).toBe("IdentityUnavailable")
  await own.rotate()
  expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
})

// Shows: forged tokens
test("tokens are refused with HS256 under the published key, with alg none, and by another key under a known kid", async () => {
  const { own, relying } = await relied()
  const { keys } = (await (await fetch(`${own.issuer}/jwks`)).json()) as { keys: [JWK] } // as the provider publishes them
  const [jwk] = keys
  const kid = jwk.kid ?? ""
  const fresh = { ...claims, iss: own.issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 60 }
  const signed = (header: JWTHeaderParameters, key: Parameters<SignJWT["sign"]>[0]) =>
    new SignJWT(fresh).setProtectedHeader(header).sign(key)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const pem = await exportSPKI((await importJWK(jwk, "RS256", { extractable: true })) as CryptoKey) // not a symmetric one
  const other = await generateKeyPair("ES256", { extractable: true })
  const forged = [
    await signed({ alg: "HS256", kid }, createSecretKey(Buffer.from(pem))),
    `${part({ alg: "none", kid })}.${part(fresh)}.`,
    await signed({ alg: "ES256", kid, jwk: await exportJWK(other.publicKey) }, other.privateKey)
  ]
  for (const token of forged) expect(await verdict(relying, token)).toBe("IdentityRefused")
})

describe("the development issuer", () => {
  let dataDir: string
  let runtime: ReturnType<typeof running>
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "issuer-"))
    runtime = running()
  })
  afterAll(async () => {
    await runtime.dispose()
    await rm(dataDir, { recursive: true })
  })
  const options = () => ({ dataDir, baseUrl: "http://127.0.0.1:8080", audience })
  const running = (production = false) =>
    ManagedRuntime.make(
      Layer.effect(Identity, Effect.map(DevelopmentIssuer.DevelopmentIssuer, Option.getOrThrow)).pipe(
        Layer.provideMerge(DevelopmentIssuer.layer({ ...options(), production })),
        Layer.provide(BunContext.layer)
      )
    )
  const mint = (person: Partial<DevelopmentIssuer.Person> = {}, changes = {}) =>
    Effect.runPromise(
      DevelopmentIssuer.mint(
        { ...options(), ...changes },
        { organisation_uid: "org_1", role: "admin", ttlSeconds: 60, ...person }
      ).pipe(Effect.provide(BunContext.layer))
    )

  test("concurrent first uses of its key create one key; its token names organisation and role", async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => mint()))
    for (const token of tokens)
      expect(await identify(runtime, token)).toMatchObject({
        roles: ["admin"],
        organisation_uid: Option.some("org_1")
      })
    expect((await stat(join(dataDir, "development-issuer.json"))).mode & 0o077).toBe(0)
  })

  test("a token is valid at any address of the issuer, but not for another audience, path or time", async () => {
    expect(await verdict(runtime, await mint({}, { baseUrl: "http://localhost:41234" }))).toBe("accepted")
    const refused = [
      await mint({}, { baseUrl: "http://localhost:41234/other" }),
      await mint({}, { audience: "another" }),
      await mint({ ttlSeconds: -120 }),
      "junk"
    ]
    for (const token of refused) expect(await verdict(runtime, token)).toBe("IdentityRefused")
  })

  test("publishes only its public key", async () => {
    const { configuration, jwks } = await runtime.runPromise(
      Effect.map(DevelopmentIssuer.DevelopmentIssuer, Option.getOrThrow)
    )
    expect(configuration.jwks_uri).toBe("http://127.0.0.1:8080/dev-idp/jwks")
    expect(jwks.keys[0]).toMatchObject({ kty: "EC", alg: "ES256" })
    expect(jwks.keys[0]).not.toHaveProperty("d")
  })

  test("refuses to start in production", async () => {
    const exit = await running(true).runPromiseExit(Identity)
    expect(String(exit)).toContain("OIDC_ISSUER")
    expect(Exit.isFailure(exit)).toBe(true)
  })
})
