import { beforeAll, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose"
import { type AccessTokenPolicy, verifyAccessToken } from "../../src/services/access/accessTokens.ts"

const policy = { issuer: "https://id.example.test", audience: "sprechstunde" }
const now = () => Math.floor(Date.now() / 1000)
const DAY = 86_400

let keys: ReturnType<typeof createLocalJWKSet>
let privateKey: CryptoKey
beforeAll(async () => {
  const pair = await generateKeyPair("ES256")
  privateKey = pair.privateKey
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), alg: "ES256" }] })
})

interface Token {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly typ?: unknown
  readonly policy?: Partial<AccessTokenPolicy>
}

/** "accepted", or the reason that goes to the log. */
const verdict = async ({ claims = {}, typ, policy: changes = {} }: Token) => {
  const standard = { iss: policy.issuer, aud: policy.audience, sub: "user-7", iat: now(), exp: now() + 300 }
  const token = await new SignJWT({ ...standard, ...claims })
    .setProtectedHeader({ alg: "ES256", ...(typ !== undefined && Object({ typ })) })
    .sign(privateKey)
  const outcome = await Effect.runPromise(Effect.either(verifyAccessToken(token, keys, { ...policy, ...changes })))
  return Either.match(outcome, {
    onLeft: (error) => (error._tag === "IdentityRefused" ? error.reason : error._tag),
    onRight: () => "accepted"
  })
}

const client = { clientId: "portal" }
const only = { tokenType: "at+jwt" } as const

// Shows: ID tokens, logout tokens and ten-year tokens as access tokens
test("an access token is accepted in every form that the settings allow", async () => {
  const tokens: Readonly<Record<string, Token>> = {
    "without typ": {},
    "as JWT": { typ: "JWT" },
    "as at+jwt, in any case": { typ: "AT+jwt" },
    "as application/at+jwt": { typ: "application/at+jwt" },
    "as at+jwt where nothing else is accepted": { typ: "at+jwt", policy: only },
    "for 24 hours": { claims: { iat: now(), exp: now() + DAY } },
    "by a clock 110 seconds ahead": { claims: { iat: now() + 110, nbf: now() + 110 } },
    "by a clock 110 seconds behind": { claims: { iat: now() - 400, exp: now() - 110 } },
    "of our client by azp": { claims: { azp: "portal" }, policy: client },
    "of our client by client_id": { claims: { client_id: "portal" }, policy: client },
    "without a client": { policy: client },
    "with a nonce as at+jwt": { typ: "at+jwt", claims: { nonce: "n" } },
    "with a nonce where the setting allows it": { claims: { nonce: "n" }, policy: { nonceAllowed: true } },
    "of any client where none is set": { claims: { azp: "somebody" } }
  }
  for (const [what, token] of Object.entries(tokens)) expect([what, await verdict(token)]).toEqual([what, "accepted"])
})

// Shows: forged tokens
// Shows: ID tokens, logout tokens and ten-year tokens as access tokens
test("an access token is refused, with the reason; Rules 1.9.3 to 1.9.6", async () => {
  const refused: ReadonlyArray<readonly [what: string, token: Token, reason: string]> = [
    ["without exp", { claims: { exp: undefined } }, "exp"],
    ["without iat", { claims: { iat: undefined } }, "iat"],
    ["without sub", { claims: { sub: undefined } }, "sub"],
    ["with an empty sub", { claims: { sub: "" } }, "no sub"],
    ["with a sub that cannot be stored", { claims: { sub: "a\0" } }, "no sub"],
    ["with half a surrogate pair in its sub", { claims: { sub: "\ud800" } }, "no sub"],
    ["expired", { claims: { iat: now() - 400, exp: now() - 125 } }, "exp"],
    ["not yet valid", { claims: { nbf: now() + 135 } }, "nbf"],
    ["for more than 24 hours", { claims: { iat: now(), exp: now() + DAY + 1 } }, "24 hours"],
    ["for ten years", { claims: { exp: now() + 3650 * DAY } }, "24 hours"],
    ["issued in the future", { claims: { iat: now() + 135 } }, "future"],
    ["as an ID token, by its nonce", { typ: "JWT", claims: { nonce: "n" } }, "nonce"],
    ["as a logout token, by its events", { claims: { events: {} } }, "events"],
    ["as logout+jwt", { typ: "logout+jwt" }, "typ"],
    ["as application/logout+jwt", { typ: "application/logout+jwt" }, "typ"],
    ["with a typ that is no text", { typ: ["logout+jwt"] }, "typ"],
    ["with typ null", { typ: null }, "typ"],
    ["as dpop+jwt", { typ: "dpop+jwt" }, "typ"],
    ["as secevent+jwt", { typ: "secevent+jwt" }, "typ"],
    ["as JWT where only at+jwt is accepted", { typ: "JWT", policy: only }, "typ"],
    ["without typ where only at+jwt is accepted", { policy: only }, "typ"],
    ["of another client by azp", { claims: { azp: "x" }, policy: client }, "client"],
    ["of another client by client_id", { claims: { client_id: "x" }, policy: client }, "client"],
    ["of another client beside ours", { claims: { azp: "portal", client_id: "x" }, policy: client }, "client"],
    ["with a client of another shape", { claims: { azp: ["portal"] }, policy: client }, "client"]
  ]
  for (const [what, token, reason] of refused) {
    const outcome = await verdict(token)
    expect([what, outcome]).not.toEqual([what, "accepted"])
    expect([what, outcome]).toEqual([what, expect.stringContaining(reason)])
  }
})
