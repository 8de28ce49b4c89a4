/** Calendars over HTTP: line ends, encodings and sign-ins of servers (Rule 3.12.4 and Rule 3.12.10). */
import { afterAll, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { Effect, Either, Layer, ManagedRuntime } from "effect"
import { CalendarServersLive } from "../../../../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import {
  type CalendarRequest,
  CalendarServers
} from "../../../../src/capabilities/calendars/services/CalendarServers.ts"
import { configuredAddresses } from "../../../../src/layers/outgoing/ConfiguredAddressesLive.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const answers = new Map<string, Answer>()
const web = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost")
  request.resume()
  request.on("end", () => answers.get(pathname)?.(request, response))
})
await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve))
const { port } = web.address() as AddressInfo // a TCP server's
const runtime = ManagedRuntime.make(Layer.provide(CalendarServersLive, configuredAddresses({ allowPrivate: true })))
afterAll(async () => {
  await runtime.dispose()
  web.close()
})

const at = (iso: string) => Date.parse(iso) / 1000
let paths = 0
/** What a reading finds: ranges and a notice, or why it failed. */
const reading = async (answer: Answer, changes: Partial<CalendarRequest> = {}) => {
  const path = `/calendar-${paths++}`
  answers.set(path, answer)
  const request: CalendarRequest = {
    ...({ kind: "ics", url: `http://127.0.0.1:${port}${path}`, username: null, password: null, tag: null } as const),
    ...{ timezone: "Europe/Berlin", from: at("2026-12-01T00:00Z"), to: at("2027-02-01T00:00Z") },
    ...{ now: at("2026-12-01T00:00Z"), all_day_blocks: true },
    ...changes
  }
  const read = Effect.flatMap(CalendarServers, (reader) => Effect.either(reader.read(request)))
  return Either.match(await runtime.runPromise(read), {
    onLeft: ({ fault }) => fault,
    onRight: (content) => (content === "unchanged" ? content : content.ranges)
  })
}
const clinic = (lineEnd: string) =>
  [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:clinic", "DTSTART;TZID=Europe/Berlin:20261214T080000"],
    ...["DTEND;TZID=Europe/Berlin:20261214T120000", "SUMMARY:clinic", "END:VEVENT", "END:VCALENDAR", ""]
  ].join(lineEnd)
const BUSY = [at("2026-12-14T07:00Z"), at("2026-12-14T11:00Z")]

/** A collection whose calendars stand so in the XML. */
const collection =
  (...calendars: ReadonlyArray<string>): Answer =>
  ({ method }, response) => {
    const objects = calendars.map(
      (text) =>
        `<d:response><d:href>/x</d:href><d:propstat><d:prop><c:calendar-data>${text}</c:calendar-data></d:prop></d:propstat></d:response>`
    )
    const content = method === "PROPFIND" ? "<d:response/>" : objects.join("")
    response.writeHead(207, { "content-type": "application/xml" })
    response.end(
      `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}</d:multistatus>`
    )
  }

test("a collection's line ends may be escaped, in either form, or stand in CDATA", async () => {
  for (const lineEnd of ["&#13;\n", "&#xD;\n", "&#13;&#10;", "\r\n", "\n"])
    expect([lineEnd, await reading(collection(clinic(lineEnd)), { kind: "caldav" })]).toEqual([lineEnd, BUSY])
  expect(await reading(collection(`<![CDATA[${clinic("\r\n")}]]>`), { kind: "caldav" })).toEqual(BUSY)
})

test("a zone's definition counts for its own object of a collection alone", async () => {
  const fixed = (offset: string) =>
    [
      ...["BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000"],
      ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, "END:STANDARD", "END:VTIMEZONE", ""]
    ].join("\r\n")
  const object = (offset: string, day: string) =>
    clinic("\r\n")
      .replace("BEGIN:VEVENT", `${fixed(offset)}BEGIN:VEVENT`)
      .replaceAll("20261214", day)
  expect(
    await reading(collection(object("+0500", "20261210"), object("+0100", "20261214")), { kind: "caldav" })
  ).toEqual([...[at("2026-12-10T03:00Z"), at("2026-12-10T07:00Z")], ...BUSY])
})

test("a collection of which the server leaves some out is too large", async () => {
  const part = `${clinic("\r\n")}</c:calendar-data></d:prop></d:propstat></d:response><d:response><d:href>/</d:href>
    <d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:propstat><d:prop><c:calendar-data>`
  expect(await reading(collection(part), { kind: "caldav" })).toBe("too_large")
})

const encoded =
  (encoding: string, body: Uint8Array): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(body)

test("an answer that is always compressed is read, within the bounds of one that is not", async () => {
  const text = clinic("\r\n")
  const forms = { gzip: gzipSync, "x-gzip": gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [name, compress] of Object.entries(forms))
    expect([name, await reading(encoded(name, compress(text)))]).toEqual([name, BUSY])
  expect(await reading(encoded("deflate", deflateRawSync(text)))).toEqual(BUSY)
  expect(await reading(encoded("GZIP", gzipSync(text)))).toEqual(BUSY)
  expect(await reading(encoded("identity", Buffer.from(text)))).toEqual(BUSY)
  const enormous = clinic(`\r\nDESCRIPTION:${"x".repeat(1_500_000)}\r\n`)
  for (const [name, compress] of Object.entries(forms))
    expect([name, await reading(encoded(name, compress(enormous)))]).toEqual([name, "too_large"])
  expect(await reading(encoded("gzip", gzipSync(text).subarray(0, 60)))).toBe("cut_short")
  expect(await reading(encoded("gzip", Buffer.from(text)))).toBe("encoding")
  expect(await reading(encoded("zstd", Buffer.from(text)))).toBe("encoding")
})

test("UTF-16 with its mark is read", async () => {
  const body = Buffer.from(`\uFEFF${clinic("\r\n")}`, "utf16le")
  expect(await reading(encoded("identity", body))).toEqual(BUSY)
  expect(await reading(encoded("identity", Buffer.from(body).swap16()))).toEqual(BUSY)
})

/** A server that takes Digest alone, and counts the calls that it refuses. */
const digestServer = (algorithm: "MD5" | "SHA-256" | "MD5-sess", challenge: string) => {
  const hash = (...parts: ReadonlyArray<string>) =>
    createHash(algorithm === "SHA-256" ? "sha256" : "md5")
      .update(parts.join(":"))
      .digest("hex")
  let refused = 0
  const answer: Answer = (request, response) => {
    const given = request.headers.authorization ?? ""
    const part = (name: string) => new RegExp(`\\b${name}="?([^",]+)"?`).exec(given)?.[1] ?? ""
    const [nonce, cnonce, nc] = [part("nonce"), part("cnonce"), part("nc")]
    const secret = hash("ada", "BaikalDAV", "correct horse")
    const own = algorithm === "MD5-sess" ? hash(secret, nonce, cnonce) : secret
    const expected = hash(own, nonce, nc, cnonce, "auth", hash(request.method ?? "", request.url ?? ""))
    const isRight = given.startsWith("Digest ") && part("response") === expected && part("uri") === request.url
    if (isRight && nonce === "abc" && part("opaque") === "def" && part("username") === "ada")
      return response.writeHead(200).end(clinic("\r\n"))
    refused++
    return response.writeHead(401, { "www-authenticate": challenge }).end()
  }
  return { answer, refused: () => refused }
}
const own = 'realm="BaikalDAV",qop="auth",nonce="abc",opaque="def"'

test("a server that takes Digest alone is read, with MD5 and SHA-256", async () => {
  const user = { username: "ada", password: "correct horse" }
  const servers = [
    digestServer("MD5", `Digest ${own}`),
    digestServer("MD5", `Negotiate, Digest ${own}, algorithm=MD5, Basic realm="other"`),
    digestServer("MD5-sess", `Digest ${own}, algorithm=MD5-sess`),
    digestServer("SHA-256", `Digest ${own}, algorithm=SHA-256, Digest ${own}, algorithm=MD5`),
    digestServer("SHA-256", `Digest ${own}, algorithm=MD5, Digest ${own}, algorithm=SHA-256`)
  ]
  for (const { answer, refused } of servers) {
    expect(await reading(answer, user)).toEqual(BUSY)
    expect(refused()).toBe(1)
  }
  const wrong = digestServer("MD5", `Digest ${own}`)
  expect(await reading(wrong.answer, { ...user, password: "wrong" })).toBe("unauthorised")
  expect(wrong.refused()).toBe(2)
  expect(await reading(wrong.answer)).toBe("unauthorised")
})

test("the server of the test above is one that curl signs in to", async () => {
  const path = `/calendar-${paths++}`
  answers.set(path, digestServer("MD5", `Digest ${own}`).answer)
  const url = `http://127.0.0.1:${port}${path}`
  const curl = Bun.spawn(["curl", "--silent", "--fail", "--digest", "--user", "ada:correct horse", url])
  expect(await new Response(curl.stdout).text()).toBe(clinic("\r\n"))
  expect(await curl.exited).toBe(0)
})

test("another sign-in than Basic and Digest is no wrong password", async () => {
  const wants =
    (challenge: string): Answer =>
    (_request, response) =>
      response.writeHead(401, { "www-authenticate": challenge }).end()
  const user = { username: "ada", password: "correct horse" }
  for (const challenge of ['Bearer realm="x"', "Negotiate", `Digest ${own}, algorithm=SHA-512-256`])
    expect([challenge, await reading(wants(challenge), user)]).toEqual([challenge, "sign_in"])
  expect(await reading(wants('Basic realm="x"'), user)).toBe("unauthorised")
})
