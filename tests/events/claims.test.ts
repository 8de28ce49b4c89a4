/** What a claim reads while thousands of deliveries wait for an earlier one of their subject. Rule 6.4.5. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import type { Client } from "pg"
import { OrganisationUid, SubscriptionUid } from "../../src/schemas/ids.ts"
import { DeliveriesRepo } from "../../src/services/events/DeliveriesRepo.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { using } from "../support/postgres.ts"
import { ownServer } from "../support/server.ts"
import { recording, type Statement } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { makeWorld } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const server = ownServer({ ROLE: "http" }) // no worker attempts them

interface Node {
  readonly "Node Type": string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}
const rowsRead = (node: Node): number =>
  (node["Node Type"].includes("Scan")
    ? node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0)

const asOwner = <A>(work: (client: Client) => Promise<A>) => using(server.current.databaseUrl, work)
const analyze = () => asOwner((client) => client.query("ANALYZE webhook_deliveries"))

/** The rows that these statements read, when they run again without effect. */
const costOf = async (statements: ReadonlyArray<Statement>, client: Client) => {
  let sum = 0
  for (const { text, values } of statements) {
    await client.query("BEGIN")
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
    sum += rowsRead(rows[0]["QUERY PLAN"][0].Plan)
    await client.query("ROLLBACK")
  }
  return sum
}

const subscriptions = "/v1/management/notification-subscriptions"

const scene = async (url = "http://127.0.0.1:9/") => {
  const { organisation_uid, key } = await makeWorld(server.current)
  const owner_uid = OrganisationUid.make(organisation_uid)
  const body = { notification_type: "REBOOKED", url }
  const made = await server.current.api("POST", subscriptions, { key, body })
  const subscriber = { owner_uid, subscription_uid: SubscriptionUid.make(made.body.uid) }
  const query = (text: string) => server.current.query(text)
  /** Adds deliveries numbered like this: subject and time until the attempt are SQL expressions. */
  const add = (from: number, to: number, subject: string, inSeconds: string) =>
    query(`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject, position, status,
        attempts, failed_attempts, next_attempt_at, created_at, updated_at)
      SELECT '${owner_uid}', '${owner_uid}' || n, '${subscriber.subscription_uid}', 'evt_' || n, 'rebooked', ${subject}, n, 'pending', '[]', 0,
        now() + make_interval(secs => ${inSeconds}), now(), now() FROM generate_series(${from}, ${to}) n`)
  const { claim: claimBy } = await server.current.run(Effect.provide(DeliveriesRepo, DeliveriesRepo.Default))
  const claim = async () => {
    const now = Math.floor(Date.now() / 1000)
    const { result, statements } = await recording(
      () => server.current.run(transaction(claimBy(subscriber, 16, now, 40))),
      server.current.databaseUrl
    )
    return { claimed: result.length, statements: statements.filter(({ text }) => text.includes("webhook_deliveries")) }
  }
  /** An example event, whose subject comes after all others. */
  const sendTest = () =>
    server.current.api("POST", `${subscriptions}/${subscriber.subscription_uid}/test`, { key, body: {} })
  return { add, claim, sendTest }
}

test("a claim reads few of the deliveries that wait for an earlier one of their subject", async () => {
  const { add, claim } = await scene()
  await add(0, 0, "'apt_retried'", "3600")
  await add(1, 20_000, "'apt_retried'", "-60")
  await add(20_001, 20_020, "'apt_' || n", "-10")
  await analyze()
  const { claimed, statements } = await claim()
  expect(claimed).toBe(16)
  expect(await asOwner((client) => costOf(statements, client))).toBeLessThan(10_000)
  expect([(await claim()).claimed, (await claim()).claimed]).toEqual([4, 0])
})

test("a search of more waiting subjects than a claim reads continues with the next claim", async () => {
  const { add, claim } = await scene()
  await add(1, 3_500, "'apt_' || lpad(n::text, 5, '0')", "3600")
  await add(20_001, 23_500, "'apt_' || lpad((n - 20000)::text, 5, '0')", "-60")
  await add(40_000, 40_000, "'apt_99999'", "-10")
  await analyze()
  expect([(await claim()).claimed, (await claim()).claimed, (await claim()).claimed]).toEqual([0, 1, 0])
})

test("a delivery behind more waiting subjects than a claim reads is sent in the same run", async () => {
  const receiver = await startReceiver()
  const { add, sendTest } = await scene(receiver.url("/free"))
  await add(1, 7_000, "'apt_' || lpad(n::text, 5, '0')", "3600")
  await add(20_001, 27_000, "'apt_' || lpad((n - 20000)::text, 5, '0')", "-60")
  await analyze()
  expect((await sendTest()).status).toBe(202)
  await server.current.run(Effect.flatMap(DeliveryRunner, ({ runDue }) => runDue()))
  expect(receiver.at("/free")).toHaveLength(1)
  receiver.stop()
})
