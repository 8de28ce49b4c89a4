/** A database that works but lacks a resource answers a change with 503, not 500, and counts it by its reason. Rule 14.3.7. */
import { expect, test } from "bun:test"
import { FAILING_STATES } from "../../src/services/database/SqlErrors.ts"
import { using } from "../support/postgres.ts"
import { ownServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = ownServer()

const failures = async (reason: string) => {
  const { text } = await server.current.api("GET", "/metrics")
  const pattern = new RegExp(`^sprechstunde_database_failures_total\\{reason="${reason}"\\} (\\d+)`, "m")
  return Number(pattern.exec(text)?.[1])
}

test.each(Object.entries(FAILING_STATES))("SQLSTATE %s: %s", async (state, reason) => {
  const world = await makeWorld(server.current)
  const rename = () =>
    server.current.api("PATCH", "/v1/management/organisation", { key: world.key, body: { name: `After ${state}` } })
  const asOwner = (text: string) => using(server.current.databaseUrl, (client) => client.query(text))
  await asOwner(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'as the server would' USING ERRCODE = '${state}'; END $$`)
  await asOwner("CREATE TRIGGER fail BEFORE UPDATE ON organisations EXECUTE FUNCTION fail()")
  const before = await failures(reason)
  const refused = await rename()
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await failures(reason)).toBe(before + 1)
  await asOwner("DROP TRIGGER fail ON organisations")
  expect((await rename()).status).toBe(200)
})
