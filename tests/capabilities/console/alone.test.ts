/** The console without any other capability. Rule 14.1.7. */
import { afterAll, expect, test } from "bun:test"
import { freshDatabase } from "../../support/postgres.ts"
import { startService, temporaryFolder } from "../../support/processes.ts"
import { migrated } from "../../support/server.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

test("the console alone: sign-in, and no page of another capability", async () => {
  const service = await startService({
    CAPABILITIES: "console",
    DATABASE_URL: (await freshDatabase(migrated)).url,
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    DATA_DIR: folder.path,
    DEMO: "true"
  })
  expect((await (await fetch(`${service.url}/version`)).json()).capabilities).toEqual(["console"])
  const ask = (path: string) => fetch(service.url + path, { redirect: "manual" })
  expect((await ask("/console/practice")).headers.get("location")).toContain("/console/sign-in")
  for (const page of ["calendars", "recalls", "waitlist", "statistics", "fhir"])
    expect([page, (await ask(`/console/practice/${page}`)).status]).toEqual([page, 404])
  await service.stop()
})
