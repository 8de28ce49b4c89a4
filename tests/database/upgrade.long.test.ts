/**
 * An upgrade in place: the latest release serves requests while the current code migrates its database and starts beside it. A release
 * is the commit that changed the version; before the first one the current commit is used.
 */
import { afterAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { RELEASED, releasedIn } from "../../script/checks/release.ts"
import { ROOT } from "../../src/paths.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"
import { run, startService, temporaryFolder } from "../support/processes.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

const must = async (command: ReadonlyArray<string>, cwd = ROOT, env: Readonly<Record<string, string>> = {}) => {
  const running = run(command, { cwd, env })
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

test("no request fails while the next version migrates the database of a release and starts beside it", async () => {
  const place = await buildRelease()
  const database = await freshDatabase()
  const env = (name: string) => ({ DATABASE_URL: database.url, DATA_DIR: join(folder.path, name), ROLE: "all" })
  const previous = await startService(env("previous"), {
    command: [process.execPath, "--no-install", join(place, "dist/main.js")],
    cwd: place
  })
  const settings = { ...env("cli"), MASTER_KEY: Buffer.alloc(32, 7).toString("base64"), LOG_LEVEL: "none" }
  const made = await must(
    [
      process.execPath,
      "--no-install",
      "dist/cli.js",
      "organisations",
      "create",
      "--name",
      "Praxis",
      "--timezone",
      "UTC",
      "--shop-identifier",
      "upgrade",
      "--doctor",
      "Dr. One"
    ],
    place,
    settings
  )
  const value = (name: string) => new RegExp(`^${name} +(\\S+)`, "m").exec(made)?.[1] ?? ""
  const key = value("api_key")
  const ask = async (
    url: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) => {
    const answer = await fetch(url + path, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }
  const scheduling = "/v1/management/scheduling"
  const type = await ask(previous.url, "POST", `${scheduling}/appointment-types`, {
    name: "Sprechstunde",
    meeting_type: "CONSULTATION",
    duration_minutes: 5,
    hold_ttl_seconds: 600,
    room_strategy: "per_appointment",
    rebooking_mode: "same_doctor_only",
    doctor_assignment_mode: "all_available_doctors"
  })
  expect(type.status).toBe(201)
  for (const weekday of [0, 1, 2, 3, 4, 5, 6])
    await ask(previous.url, "POST", `${scheduling}/doctors/${value("doctor_uid")}/availability-rules`, {
      weekday,
      start_time: 0,
      end_time: 1440
    })

  const day = Math.floor(Date.now() / 86_400_000 + 1) * 86_400
  const urls = [previous.url]
  const failed: Array<string> = []
  let booked = 0
  let going = true
  const load = (async () => {
    for (let count = 0; going; count++) {
      const url = urls[count % urls.length] ?? previous.url
      const made = await ask(
        url,
        "POST",
        `${scheduling}/appointments`,
        {
          shop_uid: value("shop_uid"),
          shop_customer_id: `customer-${count}`,
          appointment_type_uid: type.body.uid,
          doctor_uid: value("doctor_uid"),
          start_date: day + count * 300
        },
        { "idempotency-key": `upgrade-${count}` }
      )
      if (made.status === 201) booked += 1
      else failed.push(`booking at ${url}: ${made.status} ${JSON.stringify(made.body)}`)
      const listed = await ask(url, "GET", `${scheduling}/appointments?limit=5`)
      if (listed.status !== 200) failed.push(`list at ${url}: ${listed.status}`)
    }
  })()
  const more = (count: number) => {
    const wanted = booked + count
    return eventually(
      async () => booked >= wanted || failed.length > 0,
      (is) => is,
      120
    )
  }
  await more(20)
  const next = await startService(env("next"))
  urls.push(next.url)
  await more(40)
  urls.shift()
  await more(10)
  going = false
  await load
  expect(failed).toEqual([])
  const list = await ask(next.url, "GET", `${scheduling}/appointments?status=confirmed&limit=1`)
  expect(list.body.totalRegistries).toBe(booked)
  await previous.stop()
  await next.stop()
  await database.drop()
}, 600_000)
