import { afterAll, expect, test } from "bun:test"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Effect, Either, Layer, Redacted } from "effect"
import { layer as httpSms } from "../../src/layers/sms/HttpSms.ts"
import { layer as outbox } from "../../src/layers/sms/OutboxFolder.ts"
import { SmsGateway } from "../../src/services/notifications/SmsGateway.ts"

const requests: Array<{ authorization: string | null; key: string | null; body: unknown }> = []
const gateway = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { headers } = request
    requests.push({
      authorization: headers.get("authorization"),
      key: headers.get("idempotency-key"),
      body: await request.json()
    })
    return new Response(null, { status: Number(new URL(request.url).pathname.slice(1)) })
  }
})
const folder = await mkdtemp(join(tmpdir(), "sprechstunde-sms-"))
afterAll(async () => {
  await gateway.stop(true)
  await rm(folder, { recursive: true })
})

const message = { to: "+4915100000000", text: "Erinnerung: Grüße" }
const sms = { message_id: "msg_1", ...message }
const sendBy = (layer: Layer.Layer<SmsGateway>) =>
  Effect.runPromise(Effect.flatMap(SmsGateway, (port) => port.send(sms)).pipe(Effect.either, Effect.provide(layer)))
const answering = (status: number) =>
  httpSms({ url: `http://127.0.0.1:${gateway.port}/${status}`, token: Redacted.make("secret") }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )

test("the gateway gets number, text and bearer token, and the message's uid as a key against duplicates", async () => {
  expect(await sendBy(answering(202))).toEqual(Either.right(undefined))
  expect(requests.at(-1)).toEqual({ authorization: "Bearer secret", key: "msg_1", body: message })
})

test("a refusal is permanent, a busy, failing or absent gateway is transient", async () => {
  const tagOf = async (layer: Layer.Layer<SmsGateway>) => Either.flip(await sendBy(layer))
  expect(await tagOf(answering(422))).toMatchObject({ right: { _tag: "SmsRefused" } })
  for (const status of [401, 429, 500, 503])
    expect(await tagOf(answering(status))).toMatchObject({ right: { _tag: "SmsDelayed" } })
  const absent = httpSms({ url: "http://127.0.0.1:1/" }).pipe(Layer.provide(FetchHttpClient.layer))
  expect(await tagOf(absent)).toMatchObject({ right: { _tag: "SmsDelayed" } })
})

test("without a gateway the message is written to the outbox folder", async () => {
  await sendBy(outbox(folder).pipe(Layer.provide(BunContext.layer)))
  const [name = ""] = await readdir(folder)
  // Nobody else on the machine reads it
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  expect(name).toBe("msg_1.json")
  expect(JSON.parse(await readFile(join(folder, name), "utf8"))).toEqual(message)
})
