/**
 * An upgrade in place: the latest release serves requests while the current code, with one further migration, migrates its database and
 * starts beside it. A release is the commit that changed the version; before the first one the current commit is used.
 */
import { afterAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RELEASED, releasedIn } from "../../script/checks/release.ts"
import { ROOT } from "../../src/paths.ts"
import { eventually } from "../support/eventually.ts"
import { laterVersion } from "../support/laterVersion.ts"
import { freshDatabase, rowsAt } from "../support/postgres.ts"
import { inDays, practiceFile } from "../support/practice.ts"
import { run, startService, temporaryFolder } from "../support/processes.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

const must = async (command: ReadonlyArray<string>, cwd = ROOT) => {
  const running = run(command, { cwd })
  expect(await running.ended, `${command.join(" ")}: ${running.said()}`).toBe(0)
  return running.said().trim()
}

/** The folder of the latest release, built; of the current commit if there is none. */
const buildRelease = async () => {
  const isReleased = releasedIn(readFileSync(join(ROOT, RELEASED), "utf8")).length > 0
  const latest = ["git", "log", "--max-count=1", "--format=%H", '-G^ *"version":', "--", "package.json"]
  const release = isReleased ? await must(latest) : "HEAD"
  const place = join(folder.path, "release")
  await must(["git", "clone", "--quiet", "--no-hardlinks", ROOT, place])
  await must(["git", "checkout", "--quiet", "--detach", await must(["git", "rev-parse", release])], place)
  await must([process.execPath, "install", "--silent", "--frozen-lockfile", "--ignore-scripts"], place)
  await must([process.execPath, "--no-install", "script/build.ts"], place)
  return place
}

const inFolder = (cwd: string) => ({ command: [process.execPath, "--no-install", join(cwd, "dist/main.js")], cwd })

/** The folder of the current code with one migration more, built. */
const buildNext = async () => {
  const { list, place, write } = laterVersion(join(folder.path, "later"))
  write()
  list()
  await must([process.execPath, "--no-install", "script/build.ts"], place("."))
  return place(".")
}

test("no request fails while the next version migrates the database of a release and starts beside it", async () => {
  const [place, later] = [await buildRelease(), await buildNext()]
  const database = await freshDatabase()
  const { file, ids } = practiceFile({ doctors: 1, type: { duration_minutes: 5 } })
  const PROVISION_FILE = join(folder.path, "practice.json")
  writeFileSync(PROVISION_FILE, JSON.stringify(file))
  const env = (name: string) => ({ DATABASE_URL: database.url, DATA_DIR: join(folder.path, name), PROVISION_FILE })
  const previous = await startService(env("previous"), inFolder(place))
  /** The list, or a booking under its own key. */
  const appointments = async (url: string, query = "", body?: object, key = "") => {
    const answer = await fetch(`${url}/v1/management/scheduling/appointments${query}`, {
      headers: { "x-api-key": ids.key, "content-type": "application/json", "idempotency-key": key },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }
  const wanted = { shop_uid: ids.shop_uid, appointment_type_uid: ids.type_uid, doctor_uid: ids.doctor }
  const urls = [previous.url]
  const failed: Array<string> = []
  let booked = 0
  let going = true
  const load = (async () => {
    for (let count = 0; going; count++) {
      const url = urls[count % urls.length] ?? previous.url
      const body = { ...wanted, shop_customer_id: `customer-${count}`, start_date: inDays(1) + count * 300 }
      const made = await appointments(url, "", body, `upgrade-${count}`)
      if (made.status === 201) booked += 1
      else failed.push(`booking at ${url}: ${made.status} ${JSON.stringify(made.body)}`)
      const listed = await appointments(url, "?limit=5")
      if (listed.status !== 200) failed.push(`list at ${url}: ${listed.status}`)
    }
  })()
  const more = (count: number) => {
    const enough = booked + count
    return eventually(
      async () => booked >= enough || failed.length > 0,
      (is) => is,
      120
    )
  }
  await more(20)
  const next = await startService(env("next"), inFolder(later))
  urls.push(next.url)
  await more(40)
  urls.shift()
  await more(10)
  going = false
  await load
  expect(failed).toEqual([])
  const list = await appointments(next.url, "?status=confirmed&limit=1")
  expect(list.body.totalRegistries).toBe(booked)
  expect(await rowsAt(database.url, "SELECT FROM sprechstunde_migrations WHERE name = '0900_pager'")).toHaveLength(1)
  await previous.stop()
  await next.stop()
  await database.drop()
}, 600_000)
