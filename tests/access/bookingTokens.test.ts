import { describe, expect, test } from "bun:test"
import { createHmac, createSecretKey, generateKeyPairSync } from "node:crypto"
import { Effect, Either, Option } from "effect"
import { SignJWT } from "jose"
import { profileOf, verifyBookingToken } from "../../src/services/access/BookingTokens.ts"

const secret = "c2VjcmV0LW9mLXRoZS1wYXJ0bmVyLWJhY2tlbmQ"
const secrets = new Map([["key-1", { secret, organisation_uid: "org_1" }]])
const now = () => Math.floor(Date.now() / 1000)

const standardClaims = () => ({
  aud: "service-scheduling",
  iat: now(),
  nbf: now(),
  exp: now() + 300,
  shop_identifier: "shop-berlin",
  shop_customer_id: "customer-7",
  patient_profile_fields: [{ field: "first_name", value: " Ada ", source: "shop" }]
})

interface Minting {
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly key?: Parameters<SignJWT["sign"]>[0]
}
const mint = ({ claims = {}, header = {}, key = new TextEncoder().encode(secret) }: Minting = {}) =>
  new SignJWT({ ...standardClaims(), ...claims })
    .setProtectedHeader({ alg: "HS256", kid: "key-1", ...header })
    .sign(key)

const verify = (token: string) =>
  Effect.runPromise(
    Effect.either(verifyBookingToken(token, (kid) => Effect.succeed(Option.fromNullable(secrets.get(kid)))))
  )

const refusal = async (minting: Minting) => {
  const outcome = await verify(await mint(minting))
  return Either.isLeft(outcome) ? outcome.left._tag : "accepted"
}

/** The profile of a token that verifies with the ignored fields, or what is wrong with it. */
const sent = async (minting: Minting = {}) => {
  const verified = Either.getOrThrow(await verify(await mint(minting)))
  const read = await Effect.runPromise(Effect.either(profileOf(verified)))
  return Either.getOrElse(read, ({ message }) => message)
}
const profile = async (minting: Minting = {}) => {
  const read = await sent(minting)
  return typeof read === "string" ? read : read.profile
}
const field = (name: string, value: unknown, source = "shop") => ({
  claims: { patient_profile_fields: [{ field: name, value, source }] }
})

describe("a booking token", () => {
  test("minted by a partner is accepted, and its profile is normalised", async () => {
    const outcome = Either.getOrThrow(await verify(await mint()))
    expect(outcome.shop_customer_id).toBe("customer-7")
    expect(await profile()).toEqual({ first_name: "Ada" })
    expect(outcome.secret.organisation_uid).toBe("org_1")
  })

  // Shows: a stolen booking token or code
  test("may have two minutes of clock skew and a lifetime of one hour", async () => {
    expect(await refusal({ claims: { exp: now() - 110, iat: now() - 400, nbf: now() - 400 } })).toBe("accepted")
    expect(await refusal({ claims: { iat: now() + 110, nbf: now() + 110, exp: now() + 400 } })).toBe("accepted")
    expect(await refusal({ claims: { iat: now(), exp: now() + 3600 } })).toBe("accepted")
  })

  test("keeps unknown profile fields", async () => {
    expect(await profile(field("insurance_plan", { tier: "gold", since: 2020 }))).toEqual({
      insurance_plan: { tier: "gold", since: 2020 }
    })
  })

  test("may have empty known fields", async () => {
    expect(await profile(field("phone", "  "))).toEqual({ phone: null })
    expect(await profile(field("date_of_birth", null))).toEqual({ date_of_birth: null })
  })
})

describe("a token is refused", () => {
  const attacks: ReadonlyArray<readonly [string, () => Minting]> = [
    ["of another audience", () => ({ claims: { aud: "another-service" } })],
    ["with a list of audiences", () => ({ claims: { aud: ["service-scheduling", "another"] } })],
    ["without an audience", () => ({ claims: { aud: undefined } })],
    ["without exp", () => ({ claims: { exp: undefined } })],
    ["without nbf", () => ({ claims: { nbf: undefined } })],
    ["without iat", () => ({ claims: { iat: undefined } })],
    ["that has expired", () => ({ claims: { iat: now() - 400, nbf: now() - 400, exp: now() - 121 } })],
    ["not yet valid", () => ({ claims: { nbf: now() + 135 } })],
    ["issued in the future", () => ({ claims: { iat: now() + 135, exp: now() + 300 } })],
    ["that lives over an hour", () => ({ claims: { exp: now() + 3601, iat: now() } })],
    ["that expires before it was issued", () => ({ claims: { iat: now(), exp: now() - 1 } })],
    ["without a shop", () => ({ claims: { shop_identifier: "" } })],
    ["without a customer", () => ({ claims: { shop_customer_id: undefined } })],
    ["whose customer cannot be stored", () => ({ claims: { shop_customer_id: "a\0b" } })],
    ["without profile fields", () => ({ claims: { patient_profile_fields: undefined } })],
    ["of an unknown kid", () => ({ header: { kid: "key-2" } })],
    ["without kid", () => ({ header: { kid: undefined } })],
    ["signed by another key", () => ({ key: new TextEncoder().encode(`${secret}x`) })],
    ["signed by HS512 with the right key", () => ({ header: { alg: "HS512" } })]
  ]
  for (const [what, minting] of attacks) {
    test(what, async () => expect(await refusal(minting())).toBe("TokenRefused"))
  }

  test("and the reason does not quote its contents", async () => {
    const outcome = await verify(await mint({ claims: { shop_customer_id: { name: "ada.lovelace" } } }))
    const reason = Either.isLeft(outcome) ? outcome.left.reason : ""
    expect(reason).toBe("claims: shop_customer_id")
  })

  // Shows: forged tokens
  test("with alg none", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const body = part(standardClaims())
    for (const alg of ["none", "None", "NONE"]) {
      const outcome = await verify(`${part({ alg, kid: "key-1" })}.${body}.`)
      expect(Either.isLeft(outcome)).toBe(true)
    }
  })

  test("with an unknown critical header", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const signed = (header: object) => {
      const input = `${part({ alg: "HS256", kid: "key-1", ...header })}.${part(standardClaims())}`
      return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`
    }
    expect(Either.isRight(await verify(signed({})))).toBe(true)
    expect(Either.isLeft(await verify(signed({ crit: ["policy"], policy: 1 })))).toBe(true)
  })

  // Shows: forged tokens
  test("signed with HS256 under a public key", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    const pem = publicKey.export({ type: "spki", format: "pem" })
    expect(await refusal({ key: createSecretKey(Buffer.from(pem)) })).toBe("TokenRefused")
  })

  test("whose payload was replaced, or that is not a token", async () => {
    const [header, , signature] = (await mint()).split(".")
    const payload = Buffer.from(JSON.stringify({ ...standardClaims(), shop_customer_id: "customer-8" })).toString(
      "base64url"
    )
    for (const token of [`${header}.${payload}.${signature}`, "", "abc", "a.b.c", `${header}.${payload}`]) {
      expect(Either.isLeft(await verify(token))).toBe(true)
    }
  })
})

describe("a profile value that cannot be used is left out, and named (Rule 1.6.5)", () => {
  const values: ReadonlyArray<readonly [string, unknown]> = [
    ["date_of_birth", "1990-02-30"],
    ["date_of_birth", "30.01.1990"],
    ["date_of_birth", 0.5],
    ["email", "canary"],
    ["phone", "n/a"],
    ["country_code", "Germany"],
    ["gender", "canary"],
    ["last_name", 7],
    ["last_name", "x".repeat(256)],
    ["note", "a\0b"]
  ]
  test.each(values)("%s %p", async (name, value) => {
    const token = field(name, value)
    const fields = [...Object(token).claims.patient_profile_fields, { field: "first_name", value: "Ada" }]
    expect(await sent({ claims: { patient_profile_fields: fields } })).toEqual({
      profile: { first_name: "Ada" },
      ignored: [name]
    })
  })

  test.each([
    ["gender", "Diverse", "divers"],
    ["gender", "FEMALE", "female"],
    ["date_of_birth", 641_520_000, "1990-05-01"],
    ["date_of_birth", -86_400, "1969-12-31"],
    ["date_of_birth", "1990-05-01", "1990-05-01"],
    ["country_code", "de", "DE"],
    ["phone", "(030)\u00a0123456", "(030) 123456"]
  ])("%s %p is %p", async (name, value, stored) =>
    expect(await profile(field(name, value))).toEqual({ [name]: stored })
  )
})

describe("a profile that is no list of fields, or too large, is named, not quoted (Rules 1.5.7 and 1.6.4)", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ field: `field_${i}`, value: i }))
  const cases: ReadonlyArray<readonly [string, Minting, string]> = [
    ["a field name in capitals", field("First-Name", "Ada"), "[0].field: must be a lower-case name"],
    ["another source", field("first_name", "Ada", "patient"), "[0].source: must be"],
    ["a field without a value", { claims: { patient_profile_fields: [{ field: "email" }] } }, "[0].value: is required"],
    ["no list", { claims: { patient_profile_fields: "canary" } }, ": must be"],
    ["65 fields", { claims: { patient_profile_fields: many(65) } }, ": must have at most 64 entries"],
    ["over 64 KiB", field("note", "x".repeat(65_536)), ": must be at most 64 KiB of JSON"]
  ]
  for (const [what, minting, fault] of cases) {
    test(what, async () => {
      const read = await profile(minting)
      expect(read).toStartWith(`patient_profile_fields${fault}`)
      expect(read).not.toContain("canary")
    })
  }

  test("a profile of 64 fields is accepted", async () => {
    expect(await profile({ claims: { patient_profile_fields: many(64) } })).toBeObject()
  })
})
