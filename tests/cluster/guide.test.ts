/** The commands of docs/scaling.md, section 4, on the cluster of `CITUS_URLS`; only the nodes' names are replaced by its addresses. */
import { afterAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { citusNodes, seeingAll } from "../support/citus.ts"
import { rowsAt, using } from "../support/postgres.ts"
import { run, startService, temporaryFolder } from "../support/processes.ts"

const [, section = ""] =
  /^## 4\. Citus, distributed by organisation\n([\s\S]*?)^### /m.exec(readFileSync("docs/scaling.md", "utf8")) ?? []
const [prepareNode = "", register = "", place = ""] = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map(([, text = ""]) => text)
  .filter((text) => !text.startsWith("CITUS_URLS="))

const folder = temporaryFolder()
const name = `test_${randomBytes(8).toString("hex")}`
const owner = `${name}_owner`
afterAll(async () => {
  for (const node of citusNodes)
    await using(node, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await client.query(`DROP ROLE IF EXISTS ${owner}`)
    })
  folder.remove()
})

const at = (node: string, user: string) => {
  const address = new URL(node)
  address.pathname = `/${name}`
  address.username = user
  return address.href
}
/** The guide's names of the database, its owner, and the nodes, as they are here. */
const here = (text: string) =>
  citusNodes
    .reduce((replaced, node, index) => {
      const { hostname, port } = new URL(node)
      const called = index === 0 ? "coordinator" : `worker-${index}`
      return replaced
        .replaceAll(`'${called}', 5432`, `'${hostname}', ${port}`)
        .replaceAll(`${called}:5432`, `${hostname}:${port}`)
    }, text)
    .replaceAll("OWNER sprechstunde;", `OWNER ${owner};`)
    .replaceAll("ROLE sprechstunde ", `ROLE ${owner} `)
    .replaceAll("TO sprechstunde;", `TO ${owner};`)
    .replaceAll("DATABASE sprechstunde ", `DATABASE ${name} `)
    .replaceAll("--dbname sprechstunde", `--dbname ${name}`)

const shell = async (commands: string, env: Readonly<Record<string, string>>) => {
  const settings = {
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    DATA_DIR: folder.path,
    LOG_LEVEL: "none",
    ...env
  }
  const running = run(["bash", "-euo", "pipefail", "-c", commands], { env: settings })
  expect(await running.ended, `${commands}\n${running.said()}`).toBe(0)
  return running.said()
}

test.skipIf(citusNodes.length < 2)(
  "a cluster is made, distributed and used, and an organisation moved, by the guide's commands",
  async () => {
    const [coordinator = ""] = citusNodes
    for (const node of citusNodes) {
      const { hostname, port, username } = new URL(node)
      await shell(here(prepareNode), {
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PASSWORD: randomBytes(12).toString("hex")
      })
    }
    const asSuperuser = at(coordinator, new URL(coordinator).username)
    const asOwner = at(coordinator, owner)
    const workers = section.includes("# each worker") ? citusNodes.slice(1) : []
    const lines = here(register).split("\n")
    const added = lines.filter((line) => line.includes("citus_add_node"))
    expect(added).toHaveLength(1)
    const further = workers
      .slice(1)
      .map((_, index) => here(added[0]?.replace(/'[^']+', \d+/, `'worker-${index + 2}', 5432`) ?? ""))
    const isDatabase = (line: string) => line.startsWith("psql")
    await shell([...lines.filter(isDatabase), ...further].join("\n"), { DATABASE_URL: asSuperuser })
    const said = await shell(lines.filter((line) => !isDatabase(line)).join("\n"), { DATABASE_URL: asOwner })
    expect(said).toContain("Every table has its place on the cluster.")
    const nodes = await rowsAt<{ nodename: string }>(asSuperuser, "SELECT nodename FROM pg_dist_node WHERE isactive")
    expect(nodes).toHaveLength(citusNodes.length)

    const made = await shell(
      "script/cli organisations create --name Praxis --timezone UTC --shop-identifier guide --doctor 'Dr. One'",
      { DATABASE_URL: asOwner }
    )
    const value = (field: string) => new RegExp(`^${field} +(\\S+)`, "m").exec(made)?.[1] ?? ""
    const service = await startService({ DATABASE_URL: asOwner, DATA_DIR: folder.path })
    const ask = async (method: string, path: string, body: unknown) => {
      const answer = await fetch(`${service.url}/v1/management/scheduling${path}`, {
        method,
        headers: { "x-api-key": value("api_key"), "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      return { status: answer.status, body: await answer.json() }
    }
    const type = await ask("POST", "/appointment-types", {
      name: "Sprechstunde",
      meeting_type: "CONSULTATION",
      duration_minutes: 20,
      hold_ttl_seconds: 600,
      room_strategy: "per_appointment",
      rebooking_mode: "same_doctor_only",
      doctor_assignment_mode: "all_available_doctors"
    })
    for (const weekday of [0, 1, 2, 3, 4, 5, 6])
      await ask("POST", `/doctors/${value("doctor_uid")}/availability-rules`, {
        weekday,
        start_time: 0,
        end_time: 1440
      })
    const book = (start: number) =>
      ask("POST", "/appointments", {
        shop_uid: value("shop_uid"),
        shop_customer_id: "customer",
        appointment_type_uid: type.body.uid,
        doctor_uid: value("doctor_uid"),
        start_date: start
      })
    const day = Math.floor(Date.now() / 86_400_000 + 1) * 86_400
    expect((await book(day)).status).toBe(201)

    // The organisation gets a shard of its own, on the last node
    const { hostname, port } = new URL(citusNodes.at(-1) ?? "")
    const moved = await shell(
      place.replaceAll("org_…", value("organisation_uid")).replace(/--to \S+/, `--to ${hostname}:${port}`),
      { DATABASE_URL: seeingAll(asOwner) }
    )
    expect(moved).toContain("shards of each table")
    const count = await rowsAt<{ count: number }>(asSuperuser, "SELECT count(*)::int AS count FROM appointments")
    expect(count).toEqual([{ count: 1 }])
    expect((await book(day + 1200)).status).toBe(201)
    expect(await service.stop()).toBe(0)
  },
  600_000
)
