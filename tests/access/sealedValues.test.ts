/** Write access to the database without the master key cannot make the service open one record's secret as another's. */
import { expect, test } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { type Place, SecretAltered, SecretBox } from "../../src/services/sealing/SecretBox.ts"
import { testServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

const place: Place = { table: "shops", column: "storefront_sealed", row: ["org_a", "shp_a"] }
const moved: ReadonlyArray<readonly [to: string, place: Place]> = [
  ["another table", { ...place, table: "webhook_subscriptions" }],
  ["another column", { ...place, column: "previous_secret_sealed" }],
  ["another organisation's row", { ...place, row: ["org_b", "shp_a"] }],
  ["another row", { ...place, row: ["org_a", "shp_b"] }],
  ["a row whose key is cut elsewhere", { ...place, row: ["org_a,shp_a"] }]
]

// Shows: encrypted values moved to another row
test.each(moved)("a sealed value does not open when it is moved to %s", async (_, elsewhere) => {
  const opened = await server.current.run(
    Effect.gen(function* () {
      const box = yield* SecretBox
      const sealed = yield* box.seal(place, "a secret")
      return { here: yield* box.open(place, sealed), there: yield* Effect.exit(box.open(elsewhere, sealed)) }
    })
  )
  expect(opened.here).toBe("a secret")
  expect(Exit.isFailure(opened.there) && Cause.squash(opened.there.cause)).toBeInstanceOf(SecretAltered)
})

// Shows: a tampered database
test("an organisation cannot read a booking-token secret that was moved to its row", async () => {
  const victim = await makeWorld(server.current)
  const attacker = await makeWorld(server.current)
  const path = `/v1/admin/scheduling/booking-token-secrets/${attacker.key_id}`
  const reveal = async () => server.current.api("GET", path, { bearer: await adminOf(server.current, attacker) })
  expect((await reveal()).body.secret).toBe(attacker.secret)
  await server.current.sql`UPDATE booking_token_secrets SET secret_sealed =
      (SELECT secret_sealed FROM booking_token_secrets WHERE key_id = ${victim.key_id})
    WHERE key_id = ${attacker.key_id}`
  const answer = await reveal()
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toContain(victim.secret)
})
