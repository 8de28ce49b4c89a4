/** Secrets are decrypted with one master key; a process with another key does not start. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { MasterKeyRotation } from "../../src/capabilities/key-rotation/services/MasterKeyRotation.ts"
import { freshDatabase } from "../support/postgres.ts"
import { migrated, startServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64")

// Shows: a wrong master key
test("a process with another master key refuses to start, and changes nothing; a key is replaced while its predecessor is still configured, and a process without the new key is not ready", async () => {
  const { url } = await freshDatabase(migrated)
  const old = await startServer({ MASTER_KEY: keyOf(7) }, url)
  await makeWorld(old)
  const sealed = () => old.sql`SELECT storefront_sealed FROM shops ORDER BY uid`
  const before = await sealed()
  await expect(startServer({ MASTER_KEY: keyOf(8) }, url)).rejects.toThrow(/MASTER_KEY is not the key/)
  expect(await sealed()).toEqual(before)
  expect((await old.api("GET", "/readyz")).status).toBe(200)

  const next = await startServer({ MASTER_KEY: keyOf(8), MASTER_KEY_PREVIOUS: keyOf(7) }, url)
  expect((await next.api("GET", "/readyz")).status).toBe(200)
  await next.run(
    Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()).pipe(Effect.provide(MasterKeyRotation.Default))
  )
  expect((await next.api("GET", "/readyz")).status).toBe(200)
  const refused = await old.api("GET", "/readyz")
  expect(refused.status).toBe(503)
  expect(refused.body.error).toContain("MASTER_KEY")
  await old.stop()
  await next.stop()
})
