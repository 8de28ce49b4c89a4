/**
 * JSON Web Tokens signed and verified with one shared key (HS256): booking tokens, join tokens, resume tokens, file URLs. Their times are
 * real time, because other parties check them, unless `now` is given.
 */
import { Data, Effect, ParseResult, Schema } from "effect"
import { type JWTHeaderParameters, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from "jose"
import { UnixSeconds } from "../../schemas/fields.ts"
import { realNow } from "../DomainClock.ts"
import type { DerivedKeys } from "../sealing/SecretBox.ts"

/** The token is invalid. `reason` is for logs: it names claims, never their values; callers do not see it. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{
  readonly reason: string
  readonly cause?: unknown
}> {}

/** How far clocks of other parties may differ from ours, in `exp`, `nbf` and `iat` of their tokens; seconds. Rule 1.5.6. */
export const LEEWAY_SECONDS = 120

/** One key, or several: the first one signs, and a token of any of them is valid. */
export type SigningKey = Uint8Array | DerivedKeys
const keysOf = (key: SigningKey): DerivedKeys => (key instanceof Uint8Array ? [key] : key)

export interface TokenOptions {
  /** Seconds from now to `exp`. */
  readonly lifetime: number
  /** Seconds from now to `nbf`; no `nbf` if omitted. */
  readonly notBefore?: number
  readonly header?: Omit<JWTHeaderParameters, "alg">
  /** The time of signing, in Unix seconds; default: real time. */
  readonly now?: number
}

/** Signs the claims and adds `iat`, `exp` and optionally `nbf`. */
export const signToken = Effect.fn("signedTokens.sign")(function* (
  key: SigningKey,
  claims: JWTPayload,
  { lifetime, notBefore, header, ...options }: TokenOptions
) {
  const now = options.now ?? (yield* realNow)
  const expires_at = UnixSeconds.make(now + lifetime)
  const times = { iat: now, exp: expires_at, ...(notBefore !== undefined && { nbf: now + notBefore }) }
  const token = yield* Effect.promise(() =>
    new SignJWT({ ...claims, ...times }).setProtectedHeader({ ...header, alg: "HS256" }).sign(keysOf(key)[0])
  )
  return { token, expires_at }
})

const fieldsOf = (error: ParseResult.ParseError) =>
  [...new Set(ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")))].join(", ")

/**
 * The claims of a valid token: HS256 with one of these keys, `exp` and `nbf` against `now` in Unix seconds (default: real time), and the checks of
 * `options`. Fails with `TokenRefused`.
 */
export const verifyToken = <A, I>(claims: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(claims)
  return Effect.fn("signedTokens.verify")(function* (
    key: SigningKey,
    token: string,
    { now: given, ...options }: JWTVerifyOptions & { readonly now?: number } = {}
  ) {
    const now = given ?? (yield* realNow)
    const verified = (by: Uint8Array) =>
      Effect.tryPromise({
        try: () =>
          jwtVerify(token, by, {
            requiredClaims: ["exp"],
            ...options,
            algorithms: ["HS256"],
            currentDate: new Date(now * 1000)
          }),
        catch: (cause) => new TokenRefused({ reason: String(cause), cause })
      })
    const { payload } = yield* Effect.firstSuccessOf(keysOf(key).map(verified))
    return yield* Effect.mapError(
      decode(payload),
      (error) => new TokenRefused({ reason: `claims: ${fieldsOf(error)}` })
    )
  })
}
