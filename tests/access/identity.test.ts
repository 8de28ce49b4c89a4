import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createSecretKey } from "node:crypto"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { type Cause, Clock, type Duration, Effect, Exit, Layer, ManagedRuntime, Option } from "effect"
import { exportJWK, exportSPKI, importJWK, type JWK, SignJWT } from "jose"
import * as DevelopmentIssuer from "../../src/layers/identity/DevelopmentIssuer.ts"
import * as Oidc from "../../src/layers/identity/Oidc.ts"
import { Identity } from "../../src/services/access/Identity.ts"
import { oidcProvider } from "../support/oidcProvider.ts"

const audience = "https://api.example.test"
const claims = { organisation_uid: "org_1", roles: ["doctor"], doctor_uid: "doc_1" }

type Running = Awaited<ReturnType<typeof oidcProvider>>
const relyingOn = (issuer: string, cooldown: Duration.DurationInput = 0) =>
  ManagedRuntime.make(Oidc.layer({ issuer, audience, cooldown }).pipe(Layer.provide(FetchHttpClient.layer)))
const clockAhead = (seconds: number): Clock.Clock => {
  const real = Clock.make()
  const later = { currentTimeMillis: Effect.map(real.currentTimeMillis, (millis) => millis + seconds * 1000) }
  return Object.assign(Object.create(real), later)
}
/** A provider of one test, and what relies on it. */
const relied = async (algorithm?: Parameters<typeof oidcProvider>[0], cooldown: Duration.DurationInput = 0) => {
  const own = await oidcProvider(algorithm)
  const relying = relyingOn(own.issuer, cooldown)
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

describe("with a real OpenID provider", () => {
  let provider: Running
  let runtime: ReturnType<typeof relyingOn>
  beforeAll(async () => {
    ;({ own: provider, relying: runtime } = await relied())
  })

  test("its access token identifies the doctor", async () => {
    const token = await provider.token({ audience, claims })
    const identity = await runtime.runPromise(Effect.flatMap(Identity, ({ verify }) => verify(token)))
    expect(identity.organisation_uid).toEqual(Option.some("org_1"))
    expect(identity.doctor_uid).toEqual(Option.some("doc_1"))
    expect(identity.roles).toEqual(["doctor"])
  })

  for (const algorithm of ["ES256", "EdDSA"] as const) {
    test(`an access token signed with ${algorithm} is accepted`, async () => {
      const { own, relying } = await relied(algorithm)
      expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
    })
  }

  test("its keys are fetched once for many tokens", async () => {
    const { own, relying } = await relied()
    for (let i = 0; i < 5; i++) await verdict(relying, await own.token({ audience, claims }))
    expect(own.asked.filter((url) => url === "/jwks")).toHaveLength(1)
    expect(own.asked.filter((url) => url.startsWith("/.well-known"))).toHaveLength(1)
  })

  test("a rotated key is found, and tokens signed with the old key are refused", async () => {
    const { own, relying } = await relied()
    const before = await own.token({ audience, claims })
    expect(await verdict(relying, before)).toBe("accepted")
    await own.rotate()
    expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
    expect(await verdict(relying, before)).toBe("IdentityRefused")
  })

  test("tokens that name unknown keys do not cause a request each", async () => {
    const { own, relying } = await relied("RS256", "1 minute")
    const { own: stranger } = await relied()
    expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
    for (let i = 0; i < 5; i++)
      expect(await verdict(relying, await stranger.token({ audience, claims }))).toBe("IdentityRefused")
    expect(own.asked.filter((url) => url === "/jwks")).toHaveLength(1)
  })

  test("another audience, another issuer and an expired token are refused", async () => {
    expect(await verdict(runtime, await provider.token({ audience: "https://other.test", claims }))).toBe(
      "IdentityRefused"
    )
    const { own: stranger } = await relied()
    expect(await verdict(runtime, await stranger.token({ audience, claims }))).toBe("IdentityRefused")
    const token = await provider.token({ audience, claims, ttlSeconds: 60 })
    expect(await verdict(runtime, token)).toBe("accepted")
    expect(await verdict(runtime, token, 61)).toBe("IdentityRefused")
  })

  test("roles of an unknown shape are ignored", async () => {
    const token = await provider.token({ audience, claims: { ...claims, roles: "admin", doctor_uid: 7 } })
    const identity = await runtime.runPromise(Effect.flatMap(Identity, ({ verify }) => verify(token)))
    expect(identity.roles).toEqual([])
    expect(identity.doctor_uid).toEqual(Option.none())
  })

  test("in production, keys are fetched over https only", async () => {
    const { own } = await relied()
    const relying = ManagedRuntime.make(
      Oidc.layer({ issuer: own.issuer, audience, production: true }).pipe(Layer.provide(FetchHttpClient.layer))
    )
    expect(await verdict(relying, await own.token({ audience, claims }))).toBe("IdentityUnavailable")
    expect(own.asked.filter((url) => url === "/jwks")).toEqual([])
    await relying.dispose()
  })

  test("an unreachable provider does not make the token invalid, and is asked again", async () => {
    const { own, relying } = await relied()
    own.falter()
    expect(await verdict(relying, "any.token.here")).toBe("IdentityUnavailable")
    await own.rotate()
    expect(await verdict(relying, await own.token({ audience, claims }))).toBe("accepted")
  })
})

describe("forged tokens", () => {
  const forged = async (mutate: (jwk: JWK, kid: string) => Promise<string>) => {
    const { own, relying } = await relied()
    const published = (await (await fetch(`${own.issuer}/jwks`)).json()) as { keys: [JWK] }
    return verdict(relying, await mutate(published.keys[0], own.issuer))
  }
  const fresh = (issuer: string) => ({
    ...claims,
    iss: issuer,
    aud: audience,
    exp: Math.floor(Date.now() / 1000) + 60
  })

  test("HS256 under the published key", async () => {
    const outcome = await forged(async (jwk, issuer) => {
      const pem = await exportSPKI((await importJWK(jwk, "RS256", { extractable: true })) as CryptoKey)
      const header = { alg: "HS256", kid: jwk.kid ?? "" }
      return new SignJWT(fresh(issuer)).setProtectedHeader(header).sign(createSecretKey(Buffer.from(pem)))
    })
    expect(outcome).toBe("IdentityRefused")
  })

  test("alg none", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const outcome = await forged(
      async (jwk, issuer) => `${part({ alg: "none", kid: jwk.kid })}.${part(fresh(issuer))}.`
    )
    expect(outcome).toBe("IdentityRefused")
  })

  test("another key under a known kid, and a key embedded in the header", async () => {
    const outcome = await forged(async (jwk, issuer) => {
      const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
      const header = { alg: "ES256", kid: jwk.kid ?? "", jwk: await exportJWK(pair.publicKey) }
      return new SignJWT(fresh(issuer)).setProtectedHeader(header).sign(pair.privateKey)
    })
    expect(outcome).toBe("IdentityRefused")
  })
})

describe("the development issuer", () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "issuer-"))
  })
  afterAll(() => rm(dataDir, { recursive: true }))
  const options = () => ({ dataDir, baseUrl: "http://127.0.0.1:8080", audience })
  const running = (changes = {}) =>
    ManagedRuntime.make(
      DevelopmentIssuer.layer({ ...options(), production: false, ...changes }).pipe(Layer.provide(BunContext.layer))
    )
  const mint = (person: Partial<DevelopmentIssuer.Person> = {}, changes = {}) =>
    Effect.runPromise(
      DevelopmentIssuer.mint(
        { ...options(), ...changes },
        { organisation_uid: "org_1", role: "doctor", doctor_uid: "doc_1", ttlSeconds: 60, ...person }
      ).pipe(Effect.provide(BunContext.layer))
    )

  test("concurrent first uses of its key create one key", async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => mint()))
    const runtime = running()
    for (const token of tokens) expect(await verdict(runtime, token)).toBe("accepted")
    expect((await stat(join(dataDir, "development-issuer.json"))).mode & 0o077).toBe(0)
    await runtime.dispose()
  })

  test("its token names organisation, role and doctor", async () => {
    const runtime = running()
    const token = await mint({ role: "admin" })
    const identity = await runtime.runPromise(Effect.flatMap(Identity, ({ verify }) => verify(token)))
    expect(identity).toMatchObject({ roles: ["admin"], organisation_uid: Option.some("org_1") })
    await runtime.dispose()
  })

  test("a token is valid at any address of the issuer, but not for another audience, path or time", async () => {
    const runtime = running()
    expect(await verdict(runtime, await mint({}, { baseUrl: "http://localhost:41234" }))).toBe("accepted")
    expect(await verdict(runtime, await mint({}, { baseUrl: "http://localhost:41234/other" }))).toBe("IdentityRefused")
    expect(await verdict(runtime, await mint({}, { audience: "another" }))).toBe("IdentityRefused")
    expect(await verdict(runtime, await mint({ ttlSeconds: 0 }))).toBe("IdentityRefused")
    expect(await verdict(runtime, "junk")).toBe("IdentityRefused")
    await runtime.dispose()
  })

  test("publishes only its public key", async () => {
    const runtime = running()
    const documents = await runtime.runPromise(
      Effect.map(Identity, (identity) => Option.getOrThrow(identity.documents))
    )
    expect(documents.configuration.jwks_uri).toBe("http://127.0.0.1:8080/dev-idp/jwks")
    expect(documents.jwks.keys[0]).toMatchObject({ kty: "EC", alg: "ES256" })
    expect(documents.jwks.keys[0]).not.toHaveProperty("d")
    await runtime.dispose()
  })

  test("refuses to start in production", async () => {
    const exit = await running({ production: true }).runPromiseExit(Identity)
    expect(Exit.isFailure(exit)).toBe(true)
    const message = Exit.match(exit, { onSuccess: () => "", onFailure: (cause: Cause.Cause<unknown>) => String(cause) })
    expect(message).toContain("OIDC_ISSUER")
  })
})
