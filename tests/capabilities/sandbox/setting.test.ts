import { afterAll, expect, test } from "bun:test"
import { freshDatabase } from "../../support/postgres.ts"
import { run, SERVICE, temporaryFolder } from "../../support/processes.ts"
import { migrated } from "../../support/server.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

test("SANDBOX does not start a service whose CAPABILITIES leave the sandbox out", async () => {
  const { url } = await freshDatabase(migrated)
  const env = { DATABASE_URL: url, DATA_DIR: folder.path, CAPABILITIES: "none", SANDBOX: "true", PORT: "0" }
  const service = run(SERVICE, { env: { ...env, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") } })
  expect(await service.ended).toBe(1)
  expect(service.said()).toContain("CAPABILITIES: SANDBOX needs sandbox")
})
