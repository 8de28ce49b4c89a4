/** HTTP Digest (RFC 7616) with `qop=auth` and SHA-256 or MD5: what servers for calendars ask for instead of Basic. */
import { createHash, randomBytes } from "node:crypto"

interface DigestCall {
  readonly method: string
  readonly url: string
  readonly username: string
  readonly password: string
}

const HASHES = new Map([
  ["SHA-256", "sha256"],
  ["MD5", "md5"]
])
const PARAMETER = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi

/** The parameters of each Digest challenge; those of a scheme that follows it come after its own. */
const challengesIn = (header: string) =>
  header
    .split(/(?:^|,)\s*digest\s+/i)
    .slice(1)
    .map((text) => {
      const found = new Map<string, string>()
      for (const [, name = "", quoted, plain] of text.matchAll(PARAMETER))
        if (!found.has(name.toLowerCase()))
          found.set(name.toLowerCase(), (quoted ?? plain ?? "").replace(/\\(.)/g, "$1"))
      return found
    })

/** The `Authorization` for a `WWW-Authenticate`; undefined if that has no Digest of these kinds. */
export const digestFor = (header: string, { method, url, username, password }: DigestCall): string | undefined => {
  const named = challengesIn(header).map((challenge) => ({
    challenge,
    algorithm: (challenge.get("algorithm") ?? "MD5").toUpperCase().replace(/-SESS$/, "")
  }))
  const chosen = [...HASHES.keys()].flatMap((name) => named.find(({ algorithm }) => algorithm === name) ?? [])[0]
  if (chosen === undefined) return undefined
  const { challenge, algorithm } = chosen
  const isQop = (challenge.get("qop") ?? "").split(/\s*,\s*/).includes("auth")
  const [realm, nonce] = [challenge.get("realm"), challenge.get("nonce")]
  if (realm === undefined || nonce === undefined || (challenge.has("qop") && !isQop)) return undefined
  const hash = (...parts: ReadonlyArray<string>) =>
    createHash(HASHES.get(algorithm) ?? "md5")
      .update(parts.join(":"), "utf8")
      .digest("hex")
  const { pathname, search } = new URL(url)
  const [uri, cnonce, nc] = [pathname + search, randomBytes(16).toString("hex"), "00000001"]
  const secret = hash(username, realm, password)
  const isSession = /-sess$/i.test(challenge.get("algorithm") ?? "")
  const own = isSession ? hash(secret, nonce, cnonce) : secret
  const call = hash(method, uri)
  const response = isQop ? hash(own, nonce, nc, cnonce, "auth", call) : hash(own, nonce, call)
  const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`
  return [
    `Digest username=${quoted(username)}, realm=${quoted(realm)}, nonce=${quoted(nonce)}, uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(challenge.has("algorithm") ? [`algorithm=${challenge.get("algorithm")}`] : []),
    ...(challenge.has("opaque") ? [`opaque=${quoted(challenge.get("opaque") ?? "")}`] : []),
    ...(isQop || isSession ? [`qop=auth, nc=${nc}, cnonce="${cnonce}"`] : [])
  ].join(", ")
}
