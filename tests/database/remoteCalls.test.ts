import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Cause, Effect, Stream } from "effect"
import { Identity } from "../../src/services/access/Identity.ts"
import { WebhookSender } from "../../src/services/events/WebhookSender.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { SmsGateway } from "../../src/services/notifications/SmsGateway.ts"
import { Payments } from "../../src/services/pharmacy/Payments.ts"
import { FileStore } from "../../src/services/prescriptions/FileStore.ts"
import { Leases } from "../../src/services/queue/Leases.ts"
import { outsideTransactions } from "../../src/services/remoteCalls.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"

const server = testServer()
const refused = { message: expect.stringContaining("not within a transaction") }
const place = { area: "signed", name: "none.pdf" } as const

// Shows: a tenant that exhausts the database connections
test("a remote call is a defect within a transaction, and works outside of one", async () => {
  const calls = Effect.gen(function* () {
    const [webhooks, files, identity] = yield* Effect.all([WebhookSender, FileStore, Identity])
    const [mailer, sms, payments] = yield* Effect.all([Mailer, SmsGateway, Payments])
    const within = <A, E>(call: Effect.Effect<A, E>) =>
      Effect.map(Effect.flip(Effect.sandbox(transaction(call))), Cause.squash)
    expect(payments.limits).toEqual({ days: null })
    expect(yield* within(webhooks.examine("http://93.184.216.34/"))).toMatchObject(refused)
    expect(yield* within(files.stat(place))).toMatchObject(refused)
    expect(yield* within(Stream.runDrain(files.read(place)))).toMatchObject(refused)
    expect(yield* within(identity.verify("none"))).toMatchObject(refused)
    expect(yield* within(sms.send({ message_id: "none", to: "+490000", text: "" }))).toMatchObject(refused)
    const mail = { message_id: "none", to: { name: "", address: "a@example.com" }, subject: "", text: "", html: "" }
    expect(yield* within(mailer.send(mail))).toMatchObject(refused)
    yield* webhooks.examine("http://93.184.216.34/")
    expect(yield* Effect.flip(Stream.runDrain(files.read(place)))).toMatchObject({ _tag: "FileMissing" })
    const known = outsideTransactions("Known", {
      double: (n: number) => n * 2,
      ready: Effect.succeed("yes"),
      pieces: () => Stream.range(1, 3)
    })
    expect([...(yield* Stream.runCollect(known.pieces()))]).toEqual([1, 2, 3])
    expect(known.double(2)).toBe(4)
    expect(yield* known.ready).toBe("yes")
    expect(yield* within(known.ready)).toMatchObject(refused)
  })
  await server.current.run(calls)
})

test("a lease's name, which callers choose, cannot collide with another advisory lock", async () => {
  const name = "sprechstunde/provisioning"
  const locked = transaction(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS mine`
    )
  )
  const held = Effect.flatMap(Leases, ({ holding }) => holding([name])(locked))
  // another test's provisioning may hold it briefly
  const [row] = await eventually(
    () => server.current.run(held),
    ([one]) => one?.mine === true
  )
  expect(row).toEqual({ mine: true })
})
