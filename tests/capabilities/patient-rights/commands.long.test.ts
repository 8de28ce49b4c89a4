/** `cli patients` and `cli retention report`. Rules 12.2.6, 12.2.10 and 12.6.5. */
import { afterAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../support/cli.ts"
import { temporaryFolder } from "../../support/processes.ts"
import { place } from "../../support/provisioned.ts"
import { ownServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer()
const folder = temporaryFolder()
afterAll(() => folder.remove())

const cli = (...args: ReadonlyArray<string>) =>
  commandLine({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: folder.path, WEBHOOK_ALLOW_PRIVATE: "true" })(
    ...args
  )

test("a patient is exported, rectified, restricted, erased, and erased again from the list; retained records can be opened", async () => {
  const world = await makeWorld(server.current, {
    organisation: { consent: [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }] }
  })
  const { organisation_uid, shop_uid } = world
  const name = random("name")
  const made = await world.api("POST", "/v1/management/patients", { shop_uid, profile: { first_name: name } })
  const { uid } = made.body
  await place(world, uid, { status: "completed", start_date: inDays(-9, 9), fields: { visit_reason: "Cough" } })
  const of = (command: string, ...more: ReadonlyArray<string>) =>
    cli("patients", command, "--organisation", organisation_uid, ...more, uid)
  expect((await of("export")).said).toContain(name)
  expect((await of("export", "--html")).said).toContain("<h1>")
  expect((await of("restrict")).said).toContain("stored only")
  expect((await of("restrict", "--lift")).said).toContain("used again")
  expect((await of("rectify", "--field", "last_name=Right", "--remove", "city")).said).toContain('"last_name": "Right"')
  const given = { purpose: "video", version: "1" }
  const consent = await world.api("POST", `/v1/management/patients/${uid}/consents`, given)
  expect((await of("consents")).said).toContain('"withdrawn_at": null')
  const withdrawn = await cli("patients", "withdraw", "--organisation", organisation_uid, uid, consent.body.uid)
  expect([withdrawn.status, withdrawn.said.includes('"withdrawn_at": null')]).toEqual([0, false])
  const erased = await of("erase", "--reason", "asked")
  expect([erased.status, erased.said.includes("630f")]).toEqual([0, true])
  expect((await of("erase", "--reason", "asked")).status).not.toBe(0)
  expect((await of("kept")).said).toContain("Cough")
  const list = await cli("patients", "erasures")
  expect(list.said).toContain(uid)
  expect(list.said).not.toContain(name)
  const path = join(folder.path, "erasures.ndjson")
  // Only this test's patient, of the server that files share
  const lines = list.out.split("\n").filter((text) => text.includes(uid) || text.includes("written_at"))
  writeFileSync(path, lines.join("\n"))
  expect((await cli("patients", "reapply-erasures", path)).said).toContain("1 erasures in the list, 1 applied")
  const report = await cli("retention", "report", "--organisation", organisation_uid)
  expect(report.said).toContain("§ 630f (3) BGB")
  expect((await cli("audit", "verify")).said).toContain("chain intact")
})
