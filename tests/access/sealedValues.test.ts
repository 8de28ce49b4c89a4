/** Write access to the database without the master key cannot make the service open one record's secret as another's. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { type Place, SecretAltered, SecretBox } from "../../src/services/sealing/SecretBox.ts"
import { testServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

// Shows: encrypted values moved to another row
test("a sealed value does not open when it is moved to another table, column, organisation's row or row", async () => {
  const place: Place = { table: "shops", column: "storefront_sealed", row: ["org_a", "shp_a"] }
  const places: ReadonlyArray<Place> = [
    place,
    { ...place, table: "webhook_subscriptions" },
    { ...place, column: "previous_secret_sealed" },
    { ...place, row: ["org_b", "shp_a"] },
    { ...place, row: ["org_a", "shp_b"] },
    { ...place, row: ["org_a,shp_a"] } // the key cut elsewhere
  ]
  const opened = await server.current.run(
    Effect.gen(function* () {
      const box = yield* SecretBox
      const sealed = yield* box.seal(place, "a secret")
      return yield* Effect.forEach(places, (one) =>
        Effect.catchAllDefect(box.open(one, sealed), (defect) => Effect.succeed(defect))
      )
    })
  )
  expect(opened).toEqual(["a secret", ...places.slice(1).map(() => expect.any(SecretAltered))])
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
