/** Request heads that are invalid or too large: Bun responds without calling the service (Rule 2.4.14). */
import { describe, expect, test } from "bun:test"
import { createConnection } from "node:net"
import { testServer } from "../support/server.ts"

const server = testServer()

/** The answer to these bytes until the connection closes, or until it contains this text. */
const raw = (bytes: string, until?: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(server.current.url)
    const socket = createConnection({ host: hostname, port: Number(port) })
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
      if (until !== undefined && text.includes(until)) socket.destroy()
    })
    socket.on("close", () => resolve(text))
    socket.on("error", reject)
    socket.write(bytes, "latin1")
  })

const search = "POST /v1/scheduling/slots/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
const health = "GET /healthz HTTP/1.1\r\nHost: x\r\n"

describe("a malformed head is refused with a status and no body, and the connection is closed", () => {
  test.each([
    ["a header of 17 KB", 431, `${health}X-A: ${"a".repeat(17_000)}\r\n\r\n`],
    ["an address of 20 KB", 431, `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["250 headers", 431, `${health}${"X-A: a\r\n".repeat(250)}\r\n`],
    ["two lengths", 400, `${search}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`],
    ["a length and chunks", 400, `${search}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a length below zero", 400, `${search}Content-Length: -5\r\n\r\n{}`],
    ["a length with a sign", 400, `${search}Content-Length: +2\r\n\r\n{}`],
    ["a length beyond all numbers", 400, `${search}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ["another transfer encoding", 400, `${search}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["chunks that are not last", 400, `${search}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ["a chunk without a size", 400, `${search}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    ["a space before the colon", 400, "GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n"],
    ["a folded header", 400, `${health}X: a\r\n b\r\n\r\n`],
    ["a zero byte in a header", 400, `${health}X: a\u0000b\r\n\r\n`],
    ["no host", 400, "GET /healthz HTTP/1.1\r\n\r\n"],
    ["a greeting of TLS", 400, "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"],
    ["another version", 505, "GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n"],
    ["lines that end in LF alone", 505, "GET /healthz HTTP/1.1\nHost: x\n\n"]
  ])("%s is %i", async (_, status, bytes) => {
    const [head = "", body] = (await raw(bytes)).split("\r\n\r\n")
    expect(head).toStartWith(`HTTP/1.1 ${status} `)
    expect(head.toLowerCase()).toContain("connection: close")
    expect(body).toBe("")
  })
})

// Shows: malformed request heads, request smuggling
// Shows: malformed request heads
test("bytes after a refused head are not parsed as another request", async () => {
  const smuggled = `${health}\r\n`
  const answer = await raw(`${search}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

const chunked = `${search}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

describe("a chunked or oversized body (Rule 2.8.2)", () => {
  // Shows: a body with two lengths, or in a million chunks; thousands of pipelined requests on one connection
  test("with two equal Content-Length headers is refused before it arrives", async () => {
    const length = "Content-Length: 2000000\r\n"
    const answer = await raw(`${search}Connection: close\r\n${length}${length}\r\n`, "body_too_large")
    expect(answer).toStartWith("HTTP/1.1 413 ")
  })

  // Shows: a body with two lengths, or in a million chunks; thousands of pipelined requests on one connection
  test("in chunks of one byte is refused after a few thousand chunks", async () => {
    const answer = await raw(chunked + piece("1").repeat(100_000), "body_too_large")
    expect(answer).toStartWith("HTTP/1.1 413 ")
    expect(answer).toContain("too many chunks")
  })

  test("in some thousand small chunks within the limit is accepted", async () => {
    const json = JSON.stringify({ text: "x".repeat(9_000) })
    const pieces = (json.match(/.{1,3}/g) ?? []).map(piece).join("")
    expect(await raw(`${chunked}${pieces}0\r\n\r\n`)).toContain('"invalid_request"')
  })
})

describe("pipelined requests on one connection (Rule 2.4.15)", () => {
  const probe = `${health}\r\n`
  const last = `${health}Connection: close\r\n\r\n`
  const answersTo = async (count: number) => (await raw(probe.repeat(count - 1) + last)).match(/HTTP\/1\.1 200/g) ?? []

  test("are answered if they are few", async () => {
    expect(await answersTo(3)).toHaveLength(3)
  })

  // Shows: a body with two lengths, or in a million chunks; thousands of pipelined requests on one connection
  test("close it if they are thousands, so that other connections are served", async () => {
    expect((await answersTo(3_000)).length).toBeLessThan(1_500)
  })
})
