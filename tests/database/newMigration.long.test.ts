/** A developer adds the migration of the example in docs/operating.md, after a release: in a copy of the sources, step by step. */
import { afterAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { migrations } from "../../src/layers/migrations/index.ts"
import { laterVersion } from "../support/laterVersion.ts"
import { freshDatabase, rowsAt } from "../support/postgres.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

const within = async (...command: ReadonlyArray<string>) => {
  const running = run([process.execPath, "--no-install", ...command], { cwd: folder.path })
  const status = await running.ended
  return { status, said: running.said().trim() }
}
const check = () => within("script/checks/project.ts")

test("it is named until it is registered, checked to only expand, applied once, and not changed after that", async () => {
  const { edit, file, list, place, write } = laterVersion(folder.path)
  writeFileSync(place("src/layers/migrations/released.txt"), migrations.map(({ name }) => `${name}\n`).join(""))
  expect(await check()).toEqual({ status: 0, said: "" })

  write()
  const unlisted = `${file} is not in the list of src/layers/migrations/index.ts, so it is not applied`
  expect(await check()).toEqual({ status: 1, said: unlisted })
  list()
  expect(await check()).toEqual({ status: 0, said: "" })

  edit(file, (text) => `${text}ALTER TABLE doctors DROP COLUMN display_name;\n`)
  expect(await check()).toEqual({
    status: 1,
    said: `${file}: ALTER TABLE doctors DROP COLUMN display_name: the previous release uses the column`
  })
  write()

  const { drop, url } = await freshDatabase(migrated)
  const settings = [
    `DATABASE_URL=${url}`,
    `DATA_DIR=${place("data")}`,
    `MASTER_KEY=${Buffer.alloc(32, 7).toString("base64")}`
  ]
  const migrate = async () => {
    const running = run(["env", ...settings, process.execPath, "--no-install", "src/cli.ts", "migrate"], {
      cwd: folder.path
    })
    return { status: await running.ended, said: running.said() }
  }
  const first = await migrate()
  expect(first).toEqual({ status: 0, said: expect.stringContaining("applied 1 migrations") })
  const columns = "SELECT FROM information_schema.columns WHERE table_name = 'doctors' AND column_name = 'pager'"
  expect(await rowsAt(url, columns)).toHaveLength(1)
  const second = await migrate()
  expect([second.status, second.said.includes("applied")]).toEqual([0, false])
  edit(file, (text) => text.replace("text", "integer"))
  expect(await migrate()).toEqual({ status: 1, said: expect.stringContaining("0900_pager: its text has changed") })
  await drop()
}, 300_000)
