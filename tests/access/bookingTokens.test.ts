/** What a booking token must contain, and the profile that it brings. Sections 1.5 and 1.6. */
import { expect, test } from "bun:test"
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

/** Without the library, which refuses to write it. */
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const written = (header: object, signature?: string) => {
  const input = `${part({ alg: "HS256", kid: "key-1", ...header })}.${part(standardClaims())}`
  return `${input}.${signature ?? createHmac("sha256", secret).update(input).digest("base64url")}`
}

const verify = (token: string) =>
  Effect.runPromise(
    Effect.either(verifyBookingToken(token, (kid) => Effect.succeed(Option.fromNullable(secrets.get(kid)))))
  )

/** The names of the tokens that are accepted. */
const acceptedOf = async (tokens: Readonly<Record<string, Minting | string>>) => {
  const names: Array<string> = []
  for (const [name, token] of Object.entries(tokens))
    if (Either.isRight(await verify(typeof token === "string" ? token : await mint(token)))) names.push(name)
  return names
}

/** The error that a refused token has. */
const refusalOf = async (token: Minting | string) => {
  const outcome = await verify(typeof token === "string" ? token : await mint(token))
  return Either.isLeft(outcome) ? outcome.left._tag : "accepted"
}

/** The profile of a token that verifies with the ignored fields, or what is wrong with it. */
const sent = async (patient_profile_fields?: unknown) => {
  const claims = patient_profile_fields === undefined ? {} : { patient_profile_fields }
  const verified = Either.getOrThrow(await verify(await mint({ claims })))
  const read = await Effect.runPromise(Effect.either(profileOf(verified)))
  return Either.getOrElse(read, ({ message }) => message)
}
const field = (name: string, value: unknown, source = "shop") => ({ field: name, value, source })

test("a token minted by a partner is accepted, and its profile is normalised", async () => {
  const { shop_customer_id, secret: own } = Either.getOrThrow(await verify(await mint()))
  expect({ shop_customer_id, organisation_uid: own.organisation_uid }).toEqual({
    shop_customer_id: "customer-7",
    organisation_uid: "org_1"
  })
  expect(await sent()).toEqual({ profile: { first_name: "Ada" }, ignored: [] })
})

// Shows: a stolen booking token or code
test("a token may have two minutes of clock skew and a lifetime of one hour", async () => {
  const tokens = {
    "expired 110 seconds ago": { claims: { exp: now() - 110, iat: now() - 400, nbf: now() - 400 } },
    "of a clock 110 seconds ahead": { claims: { iat: now() + 110, nbf: now() + 110, exp: now() + 400 } },
    "of one hour": { claims: { iat: now(), exp: now() + 3600 } }
  }
  expect(await acceptedOf(tokens)).toEqual(Object.keys(tokens))
})

test("aud may be a list with the audience in it, and times may be fractions; Rule 1.5.4", async () => {
  const tokens = {
    "a list of one audience": { claims: { aud: ["service-scheduling"] } },
    "a list of several": { claims: { aud: ["another", "service-scheduling"] } },
    "fractions of seconds": { claims: { iat: now() - 0.5, nbf: now() - 0.5, exp: now() + 299.25 } }
  }
  expect(await acceptedOf(tokens)).toEqual(Object.keys(tokens))
})

test("a refused token names the rule that it breaks; Rule 1.5.10", async () => {
  const refused: ReadonlyArray<readonly [name: string, token: Minting | string]> = [
    ["TokenExpired", { claims: { iat: now() - 400, nbf: now() - 400, exp: now() - 125 } }],
    ["TokenNotYetValid", { claims: { nbf: now() + 135 } }],
    ["TokenNotYetValid", { claims: { iat: now() + 135, exp: now() + 300 } }],
    ["TokenTooLong", { claims: { iat: now(), exp: now() + 3601 } }],
    ["TokenAudience", { claims: { aud: "another-service" } }],
    ["TokenAudience", { claims: { aud: undefined } }],
    ["TokenKeyUnknown", { header: { kid: "key-2" } }],
    ["TokenSignature", { key: new TextEncoder().encode(`${secret}x`) }],
    ["TokenMalformed", { header: { kid: undefined } }],
    ["TokenMalformed", { header: { alg: "HS512" } }],
    ["TokenMalformed", { claims: { exp: undefined } }],
    ["TokenMalformed", { claims: { shop_customer_id: "" } }],
    ["TokenMalformed", written({ alg: "none" }, "")],
    ["TokenMalformed", "a.b.c"]
  ]
  for (const [name, token] of refused) expect([name, await refusalOf(token)]).toEqual([name, name])
})

// Shows: forged tokens
test("a token is refused that is forged, incomplete, for others, or not of this time", async () => {
  const [header, , signature] = (await mint()).split(".")
  const payload = part({ ...standardClaims(), shop_customer_id: "customer-8" })
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const pem = Buffer.from(publicKey.export({ type: "spki", format: "pem" }))
  const refused: Readonly<Record<string, Minting | string>> = {
    "of another audience": { claims: { aud: "another-service" } },
    "with a list of other audiences": { claims: { aud: ["another"] } },
    "without an audience": { claims: { aud: undefined } },
    "without exp": { claims: { exp: undefined } },
    "without nbf": { claims: { nbf: undefined } },
    "without iat": { claims: { iat: undefined } },
    "that has expired": { claims: { iat: now() - 400, nbf: now() - 400, exp: now() - 121 } },
    "not yet valid": { claims: { nbf: now() + 135 } },
    "issued in the future": { claims: { iat: now() + 135, exp: now() + 300 } },
    "that lives over an hour": { claims: { exp: now() + 3601, iat: now() } },
    "that expires before it was issued": { claims: { iat: now(), exp: now() - 1 } },
    "without a shop": { claims: { shop_identifier: "" } },
    "without a customer": { claims: { shop_customer_id: undefined } },
    "with an empty customer": { claims: { shop_customer_id: "" } },
    "whose customer cannot be stored": { claims: { shop_customer_id: "a\0b" } },
    "without profile fields": { claims: { patient_profile_fields: undefined } },
    "of an unknown kid": { header: { kid: "key-2" } },
    "without kid": { header: { kid: undefined } },
    "signed by another key": { key: new TextEncoder().encode(`${secret}x`) },
    "signed by HS512 with the right key": { header: { alg: "HS512" } },
    "signed with HS256 under a public key": { key: createSecretKey(pem) },
    "with an unknown critical header": written({ crit: ["policy"], policy: 1 }),
    "whose payload was replaced": `${header}.${payload}.${signature}`,
    "without a signature": `${header}.${payload}`,
    ...Object.fromEntries(["none", "None", "NONE"].map((alg) => [`with alg ${alg}`, written({ alg }, "")])),
    ...Object.fromEntries(["", "abc", "a.b.c"].map((text) => [`"${text}"`, text]))
  }
  expect(await acceptedOf({ ...refused, "as it should be": written({}) })).toEqual(["as it should be"])
})

test("the reason of a refusal does not quote the token's contents", async () => {
  const outcome = await verify(await mint({ claims: { shop_customer_id: { name: "ada.lovelace" } } }))
  expect(Either.isLeft(outcome) && outcome.left.reason).toBe("claims: shop_customer_id")
})

test("a profile value that cannot be used is left out, and named; Rule 1.6.5", async () => {
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
  const profile = { first_name: "Ada" }
  for (const [name, value] of values)
    expect([value, await sent([field(name, value), field("first_name", "Ada")])]).toEqual([
      value,
      { profile, ignored: [name] }
    ])
})

test("known fields are normalised, and may be empty; others are stored as they are", async () => {
  const values: ReadonlyArray<readonly [name: string, value: unknown, stored: unknown]> = [
    ["gender", "Diverse", "divers"],
    ["gender", "FEMALE", "female"],
    ["date_of_birth", 641_520_000, "1990-05-01"],
    ["date_of_birth", -86_400, "1969-12-31"],
    ["date_of_birth", "1990-05-01", "1990-05-01"],
    ["date_of_birth", null, null],
    ["country_code", "de", "DE"],
    ["phone", "(030)\u00a0123456", "(030) 123456"],
    ["phone", "  ", null],
    ["insurance_plan", { tier: "gold", since: 2020 }, { tier: "gold", since: 2020 }]
  ]
  for (const [name, value, stored] of values)
    expect([value, await sent([field(name, value)])]).toEqual([value, { profile: { [name]: stored }, ignored: [] }])
})

test("a profile that is no list of fields, or too large, is named, not quoted; Rules 1.5.7 and 1.6.4", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ field: `field_${i}`, value: i }))
  const cases: ReadonlyArray<readonly [fields: unknown, fault: string]> = [
    [[field("First-Name", "canary")], "[0].field: must be a lower-case name"],
    [[field("first_name", "canary", "patient")], "[0].source: must be"],
    [[{ field: "email" }], "[0].value: is required"],
    ["canary", ": must be"],
    [many(65), ": must have at most 64 entries"],
    [[field("note", `canary${"x".repeat(65_536)}`)], ": must be at most 64 KiB of JSON"]
  ]
  for (const [fields, fault] of cases) {
    const read = await sent(fields)
    expect(read).toStartWith(`patient_profile_fields${fault}`)
    expect(read).not.toContain("canary")
  }
  expect(await sent(many(64))).toMatchObject({ ignored: [] })
})
