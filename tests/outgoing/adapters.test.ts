/** Every adapter against servers that never finish an answer: each call ends, whoever makes it, and its connection is closed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { ConfigProvider, Effect, Exit, Layer, Redacted, Stream } from "effect"
import { CalendarServersLive } from "../../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { CalendarServers } from "../../src/capabilities/calendars/services/CalendarServers.ts"
import { SignInLive } from "../../src/capabilities/console/layers/SignInLive.ts"
import { SignIn } from "../../src/capabilities/console/services/SignIn.ts"
import { ClientKeySets } from "../../src/capabilities/fhir/services/ClientKeySets.ts"
import { molliePayments } from "../../src/capabilities/mollie/layers/Mollie.ts"
import * as S3Files from "../../src/capabilities/s3/layers/S3Files.ts"
import { makeShopify } from "../../src/capabilities/shopify/services/Shopify.ts"
import { collectorClient } from "../../src/capabilities/telemetry-export/layers/collector.ts"
import { vaultTransit } from "../../src/capabilities/vault/layers/VaultTransit.ts"
import { SettingsLive } from "../../src/config.ts"
import * as Oidc from "../../src/layers/identity/Oidc.ts"
import * as Smtp from "../../src/layers/mail/Smtp.ts"
import { examineAddress } from "../../src/layers/outgoing/addresses.ts"
import { ConfiguredAddressesLive, configuredAddresses } from "../../src/layers/outgoing/ConfiguredAddressesLive.ts"
import { guardedClient } from "../../src/layers/outgoing/guardedClient.ts"
import * as HttpSms from "../../src/layers/sms/HttpSms.ts"
import * as HttpWebhooks from "../../src/layers/webhooks/HttpWebhooks.ts"
import { Identity } from "../../src/services/access/Identity.ts"
import { WebhookSender } from "../../src/services/events/WebhookSender.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { SmsGateway } from "../../src/services/notifications/SmsGateway.ts"
import { outgoingSecondsMax } from "../../src/services/outgoing.ts"
import { FileStore } from "../../src/services/prescriptions/FileStore.ts"
import { withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { type BrokenServer, brokenKinds, brokenServer } from "../support/brokenServers.ts"
import { eventually } from "../support/eventually.ts"

const settings = (environment: Readonly<Record<string, string>>) =>
  SettingsLive.pipe(
    Layer.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromMap(new Map(Object.entries({ WEBHOOK_ALLOW_PRIVATE: "true", ...environment })))
      )
    )
  )
const secret = Redacted.make("secret")
const files = (url: string) =>
  S3Files.layer({
    bucket: "files",
    prefix: "",
    endpoint: url,
    region: "us-east-1",
    accessKeyId: "id",
    secretAccessKey: "secret"
  })
const place = { area: "signed", name: "file.pdf" } as const
const inStore = <A, E>(url: string, use: (store: typeof FileStore.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(FileStore, use).pipe(by(files(url)))
const calendar = (kind: "ics" | "caldav", url: string) =>
  Effect.flatMap(CalendarServers, ({ read }) =>
    read({
      kind,
      url,
      username: null,
      password: null,
      tag: null,
      timezone: "Europe/Berlin",
      from: 0,
      to: 1,
      now: 0,
      all_day_blocks: true
    })
  ).pipe(by(Layer.provide(CalendarServersLive, configuredAddresses({ allowPrivate: true }))))
const shop = (url: string) =>
  makeShopify(guardedClient({ allowPrivate: true }), {
    shop_domain: url,
    admin_access_token: secret,
    storefront_access_token: secret
  })
const route = {
  payment_id: "tr_1",
  payment_account: "org_1",
  amount: 1,
  currency: "EUR",
  description: "one",
  idempotency_key: "one"
}
const payments = (url: string) => molliePayments({ apiKey: secret, apiEndpoint: url })
const token = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiJhIn0.AAAA"

/** A call of a port in an uninterruptible caller. */
const by =
  <ROut, E2, RIn>(layer: Layer.Layer<ROut, E2, RIn>) =>
  <A, E, R>(call: Effect.Effect<A, E, R>) =>
    Effect.provide(Effect.uninterruptible(call), layer)

type Call = (server: BrokenServer) => Effect.Effect<unknown, unknown, HttpClient.HttpClient>
const calls: Readonly<Record<string, Call>> = {
  "the keys of a FHIR client": ({ url }) =>
    Effect.flatMap(ClientKeySets, ({ read }) => read(url)).pipe(
      by(Layer.provide(Layer.provide(ClientKeySets.Default, ConfiguredAddressesLive), settings({})))
    ),
  "the identity provider's description": ({ url }) =>
    Effect.flatMap(Identity, ({ verify }) => verify(token)).pipe(by(Oidc.layer({ issuer: url, audience: "a" }))),
  "the identity provider's keys": ({ url }) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const server = Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          fetch: (request): Response => Response.json({ issuer: new URL(request.url).origin, jwks_uri: url })
        })
        return server
      }),
      (server) =>
        Effect.flatMap(Identity, ({ verify }) => verify(token)).pipe(
          by(Oidc.layer({ issuer: server.url.origin, audience: "a" }))
        ),
      (server) => Effect.promise(() => server.stop(true))
    ),
  "a sign-in": ({ url }) =>
    Effect.flatMap(SignIn, ({ start }) => start("https://a.example/callback")).pipe(
      by(Layer.provide(SignInLive, settings({ OIDC_ISSUER: url })))
    ),
  "a shop's cart": ({ url }) => Effect.uninterruptible(shop(url).lineGroups("gid://shopify/DraftOrder/1")),
  "a shop's draft order": ({ url }) =>
    withoutOwner(Effect.uninterruptible(shop(url).readDraftOrder("gid://shopify/DraftOrder/1"))),
  "an SMS": ({ url }) =>
    Effect.flatMap(SmsGateway, ({ send }) => send({ message_id: "one", to: "+491", text: "one" })).pipe(
      by(HttpSms.layer({ url }))
    ),
  "a mail": ({ mailUrl }) =>
    Effect.flatMap(Mailer, ({ send }) =>
      send({ message_id: "one", to: { name: "", address: "a@example.org" }, subject: "", text: "", html: "" })
    ).pipe(by(Smtp.layer({ url: Redacted.make(mailUrl), from: "a@example.org" }))),
  "a data key": ({ url }) =>
    Effect.flatMap(
      vaultTransit({ address: url, token: undefined, namespace: undefined, key: "transit/a" }),
      ({ unwrap }) => Effect.uninterruptible(unwrap({ owner: "one", id: "one" }, "vault:v1:a"))
    ),
  "a file to store": ({ url }) => inStore(url, ({ put }) => put(place, Buffer.alloc(100_000))),
  "a file to read": ({ url }) => inStore(url, ({ read }) => Stream.runDrain(read(place))),
  "a file to look for": ({ url }) => inStore(url, ({ stat }) => stat(place)),
  "a file to delete": ({ url }) => inStore(url, (store) => store.delete(place)),
  "a webhook": ({ url }) =>
    Effect.flatMap(WebhookSender, ({ send }) => send({ url, headers: {}, body: "{}" })).pipe(
      Effect.filterOrFail(({ status_code }) => status_code !== null),
      by(HttpWebhooks.layer({ allowPrivate: true }))
    ),
  "a calendar's file": ({ url }) => calendar("ics", url),
  "a CalDAV calendar": ({ url }) => calendar("caldav", url),
  "a payout": ({ url }) => Effect.flatMap(payments(url), ({ route: pay }) => Effect.uninterruptible(pay(route))),
  "a payout's search": ({ url }) => Effect.flatMap(payments(url), ({ find }) => Effect.uninterruptible(find(route))),
  "the collector": ({ url }) =>
    Effect.flatMap(HttpClient.HttpClient, (client) => Effect.flatMap(client.get(url), ({ text }) => text)).pipe(
      by(collectorClient(60))
    )
}

/** Some answers are read to their end or to their limit: those of a success that need no more than a status. */
const statusIsEnough: Readonly<Record<string, ReadonlyArray<string>>> = {
  slow: ["an SMS", "the collector", "a file to store", "a file to look for", "a file to delete", "a webhook"],
  enormous: ["an SMS", "the collector", "a file to store", "a file to look for", "a file to delete", "a webhook"]
}

describe.each(brokenKinds)("a server that is %s", (kind) => {
  let server: BrokenServer
  beforeAll(async () => {
    server = await brokenServer(kind)
  })
  afterAll(() => server.stop())

  test.each(Object.keys(calls))(
    "%s: ends at its time-out in an uninterruptible caller, and its connection is closed",
    async (name) => {
      const call = calls[name]?.(server) ?? Effect.void
      const exit = await call.pipe(
        Effect.exit,
        Effect.locally(outgoingSecondsMax, 0.3),
        Effect.provide(FetchHttpClient.layer),
        Effect.runPromise
      )
      if (statusIsEnough[kind]?.includes(name) !== true) expect(Exit.isFailure(exit)).toBe(true)
      await eventually(
        async () => server.open(),
        (open) => open === 0
      )
    }
  )
})

test("a name server that never answers: the address is refused at the time-out", async () => {
  const examined = examineAddress({ allowPrivate: false, resolve: () => new Promise(() => undefined) })
  const exit = await examined("https://a.example/").pipe(
    Effect.exit,
    Effect.uninterruptible,
    Effect.locally(outgoingSecondsMax, 0.3),
    Effect.runPromise
  )
  expect(Exit.isFailure(exit)).toBe(true)
})
