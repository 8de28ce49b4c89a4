import { afterAll, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Either, Fiber, Layer, TestClock, TestContext } from "effect"
import { Webhook } from "standardwebhooks"
import { layer, type WebhookSettings } from "../../src/layers/webhooks/HttpWebhooks.ts"
import { newWebhookSecret, webhookHeaders } from "../../src/services/events/signature.ts"
import { WebhookSender } from "../../src/services/events/WebhookSender.ts"

interface Received {
  readonly path: string
  readonly host: string | undefined
  readonly headers: Record<string, string>
  readonly body: string
}
const received: Array<Received> = []

const answers: Record<string, (response: ServerResponse) => void> = {
  "/ok": (response) => response.writeHead(204).end(),
  "/busy": (response) => response.writeHead(503, { "retry-after": "77" }).end("later"),
  "/moved": (response) => response.writeHead(302, { location: "/ok" }).end(),
  "/silent": () => undefined,
  "/endless": (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(16_384)));
    }
    response.on("drain", more)
    more()
  },
  "/dripping": (response) => {
    response.writeHead(200)
    response.write("x")
  },
  "/hangs-up": (response) => response.destroy()
}

const listen = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const path = request.url ?? ""
    const headers = request.headers as Record<string, string>
    received.push({ path, host: request.headers.host, headers, body: Buffer.concat(chunks).toString() })
    answers[path]?.(response)
  })
}
const receiver = createServer(listen)
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const port = (receiver.address() as AddressInfo).port
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const using = <A>(settings: WebhookSettings, use: (sender: typeof WebhookSender.Service) => Effect.Effect<A>) =>
  Effect.runPromise(Effect.flatMap(WebhookSender, use).pipe(Effect.provide(layer(settings))))
const post = (path: string, settings: Partial<WebhookSettings> = {}, headers = {}, body = "{}") =>
  using({ allowPrivate: true, ...settings }, (sender) =>
    sender.send({ url: `http://127.0.0.1:${port}${path}`, headers, body })
  )
const examine = (url: string, settings: WebhookSettings) =>
  using(settings, (sender) => Effect.either(sender.examine(url)))

test("a receiver can verify every delivery with the library and from the signed text itself", async () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
  const body = JSON.stringify({ id: "evt_1", text: "Grüße 🩺" })
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = webhookHeaders({ message_id: "evt_1", timestamp, body }, [current, previous])
  expect(await post("/ok", {}, signed, body)).toMatchObject({ status_code: 204, error: null })
  const last = received.at(-1)
  if (last === undefined) throw new Error("nothing arrived")
  for (const secret of [current, previous]) {
    expect(new Webhook(secret).verify(last.body, last.headers)).toEqual(JSON.parse(body))
    const key = Buffer.from(secret.slice("whsec_".length), "base64")
    const own = createHmac("sha256", key).update(`evt_1.${timestamp}.${last.body}`).digest("base64")
    expect(last.headers["webhook-signature"]?.split(" ")).toContain(`v1,${own}`)
  }
  expect(() => new Webhook(newWebhookSecret()).verify(last.body, last.headers)).toThrow()
  expect(() => new Webhook(current).verify(`${last.body} `, last.headers)).toThrow()
})

test("answers are reported as they are: retry-after is read, a redirect is not followed", async () => {
  expect(await post("/busy")).toMatchObject({ status_code: 503, error: "status 503", retry_after_seconds: 77 })
  expect(await post("/moved")).toMatchObject({ status_code: 302, error: "status 302" })
  expect(received.at(-1)?.path).toBe("/moved")
})

test("a timeout, a refused connection and a closed one are reported as errors", async () => {
  expect(await post("/silent", { seconds: 0.05 })).toMatchObject({ status_code: null, error: "timeout" })
  expect(await post("/hangs-up")).toMatchObject({ status_code: null, error: expect.any(String) })
  const refused = await using({ allowPrivate: true }, (sender) =>
    sender.send({ url: "http://127.0.0.1:1/", headers: {}, body: "{}" })
  )
  expect(refused).toMatchObject({ status_code: null, error: "ECONNREFUSED" })
})

test("an endless answer is read up to a limit: its status counts", async () => {
  expect(await post("/endless")).toMatchObject({ status_code: 200, error: null })
  expect(await post("/dripping")).toMatchObject({ status_code: 200, error: null })
})

const secure: WebhookSettings = { allowPrivate: false }

test("a DNS query times out after five seconds, and its name is refused like one that does not resolve", async () => {
  const silent: WebhookSettings = { ...secure, resolve: () => new Promise(() => undefined) }
  const examined = Effect.gen(function* () {
    const sender = yield* WebhookSender
    const examining = yield* Effect.fork(Effect.flip(sender.examine("https://hooks.example.com/")))
    yield* TestClock.adjust("5 seconds")
    return yield* Fiber.join(examining)
  })
  const refused = await Effect.runPromise(
    Effect.provide(examined, Layer.mergeAll(layer(silent), TestContext.TestContext))
  )
  expect(refused).toMatchObject({ reason: "must lead to a public address" })
})

// Shows: SSRF
test("private, loopback, link-local and translated addresses are refused in every notation", async () => {
  const hosts = [
    "localhost",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "localhost.",
    "some.localhost",
    "[::1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:1::]"
  ]
  for (const host of hosts) {
    const examined = await examine(`http://${host}/hook`, secure)
    expect([host, Either.isLeft(examined)]).toEqual([host, true])
    const sent = await using(secure, (sender) => sender.send({ url: `http://${host}/hook`, headers: {}, body: "{}" }))
    expect(sent).toMatchObject({ status_code: null, error: "must lead to a public address" })
  }
  expect(Either.isRight(await examine("https://93.184.216.34/hook", secure))).toBe(true)
  expect(Either.isRight(await examine("https://[2606:4700::1111]/hook", secure))).toBe(true)
})

test("a name is refused when any of its addresses is private, even when it changes between check and delivery", async () => {
  let lookups = 0
  const rebinding: WebhookSettings = {
    allowPrivate: false,
    resolve: async () => {
      lookups += 1
      return [{ address: lookups === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }]
    }
  }
  const before = received.length
  const answer = await using(rebinding, (sender) =>
    Effect.zipRight(
      Effect.orDie(sender.examine("http://rebinding.example/")),
      sender.send({ url: `http://rebinding.example:${port}/ok`, headers: {}, body: "{}" })
    )
  )
  expect(answer).toMatchObject({ status_code: null, error: "must lead to a public address" })
  const both = [
    { address: "93.184.216.34", family: 4 },
    { address: "10.0.0.1", family: 4 }
  ]
  const mixed = await examine("http://mixed.example/", { allowPrivate: false, resolve: async () => both })
  expect(Either.isLeft(mixed)).toBe(true)
  expect(received.length).toBe(before)
})

test("the connection goes to the checked address: the name is resolved once per delivery", async () => {
  const requested: Array<string> = []
  const settings: WebhookSettings = {
    allowPrivate: true,
    resolve: async (host) => {
      requested.push(host)
      return [{ address: "127.0.0.1", family: 4 }]
    }
  }
  const url = `http://hooks.example:${port}/ok`
  const answer = await using(settings, (sender) => sender.send({ url, headers: {}, body: "{}" }))
  expect(answer.status_code).toBe(204)
  expect(requested).toEqual(["hooks.example"])
  expect(received.at(-1)?.host).toBe(`hooks.example:${port}`)
})

test("an address that is not http, contains a password or is too long is refused", async () => {
  const faulty = ["", "hook", "ftp://example.org/", "javascript:alert(1)", "http://", "http://user:pw@example.org/"]
  const long = `https://example.org/${"x".repeat(2048)}`
  for (const url of [...faulty, long])
    expect([url, Either.isLeft(await examine(url, { allowPrivate: true }))]).toEqual([url, true])
})
