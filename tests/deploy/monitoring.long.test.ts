/** Dashboards and alerts query existing metrics, and every alert has a runbook. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { temporaryFolder } from "../support/processes.ts"
import { ownServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
const yaml = (path: string) => Bun.YAML.parse(readFileSync(path, "utf8"))
const alerts = (
  yaml("deploy/prometheus/alerts.yml") as { groups: ReadonlyArray<{ rules: ReadonlyArray<Rule> }> }
).groups.flatMap(({ rules }) => rules)

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}
const dashboards = readdirSync("deploy/grafana")
  .filter((name) => name.endsWith(".json"))
  .map(
    (name) => JSON.parse(readFileSync(join("deploy/grafana", name), "utf8")) as { uid: string; panels: Array<Panel> }
  )
const queries = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))

const promtool = (...args: ReadonlyArray<string>) => {
  const run = Bun.spawnSync(["promtool", ...args])
  return { code: run.exitCode, said: run.exitCode === 0 ? "" : `${run.stdout}${run.stderr}` }
}

const fine = { code: 0, said: "" }

describe("every queried metric", () => {
  const server = ownServer()
  /** Labels by name of the metric family, or of the series of a histogram. */
  const labels = new Map<string, Set<string>>()

  beforeAll(async () => {
    const world = await makeWorld(server.current)
    await world.booked(inDays(1, 9))
    await world.search()
    await eventually(
      async () => {
        for (const line of (await server.current.api("GET", "/metrics")).text.split("\n")) {
          const [, name, inside = ""] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
          if (name === undefined) continue
          const known = labels.get(name) ?? new Set()
          for (const [, label = ""] of inside.matchAll(/(\w+)="/g)) known.add(label)
          labels.set(name, known)
        }
        return labels
      },
      // updated only every 30 seconds
      (found) => ["sprechstunde_payouts_waiting", "sprechstunde_queue_depth"].every((name) => found.has(name))
    )
  })

  const selectorsIn = (expr: string) => [...expr.matchAll(/(sprechstunde_\w+)(?:\{([^}]*)\})?/g)]

  test("in dashboards and alerts is on /metrics, with its labels", () => {
    // Exists only after the first published reminder
    labels.set("sprechstunde_reminder_lag_seconds", new Set())
    for (const expr of [...queries, ...alerts.map((rule) => rule.expr)])
      for (const [, name = "", inside = ""] of selectorsIn(expr)) {
        expect([...labels.keys()]).toContain(name)
        for (const [, label = ""] of inside.matchAll(/(\w+)(?:=|!=|=~|!~)"/g))
          expect([name, [...(labels.get(name) ?? [])]]).toEqual([name, expect.arrayContaining([label])])
      }
  })

  test("is documented with each label", () => {
    const rows = [...readFileSync("docs/metrics.md", "utf8").matchAll(/^\| `(\w+)`\s*\| (\w+)\s*\| ([^|]*)\|/gm)]
    expect(rows.length).toBeGreaterThan(20)
    for (const [, name = "", type = "", listed = ""] of rows) {
      const found = labels.get(type === "histogram" ? `${name}_bucket` : name)
      if (name === "sprechstunde_reminder_lag_seconds") continue
      const documented = [...listed.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label)
      expect([name, [...(found ?? ["not there"])].filter((label) => label !== "le").sort()]).toEqual([
        name,
        documented.sort()
      ])
    }
  })
})

describe("alerts", () => {
  test("are valid for Prometheus, and so is its configuration", () => {
    expect(promtool("check", "rules", "deploy/prometheus/alerts.yml")).toEqual(fine)
    expect(promtool("check", "config", "deploy/prometheus/prometheus.yml")).toEqual(fine)
  })

  test("each fire and stay silent in their tests", () => {
    expect(promtool("test", "rules", "deploy/prometheus/alerts.test.yml")).toEqual(fine)
    const { tests } = yaml("deploy/prometheus/alerts.test.yml") as { tests: ReadonlyArray<{ name: string }> }
    expect(tests.map(({ name }) => name).sort()).toEqual(
      alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]).sort()
    )
  })

  test("have a runbook each, and every runbook an alert", () => {
    for (const { alert, annotations } of alerts) {
      const page = readFileSync(annotations.runbook, "utf8")
      expect(page).toStartWith(`# ${alert}\n`)
      for (const part of ["\n**Effect.** ", "\n## Look\n", "\n## Do\n"]) expect(page).toContain(part)
    }
    const pages = readdirSync("docs/runbooks").filter((name) => name !== "README.md")
    expect(alerts.map(({ annotations }) => annotations.runbook).sort()).toEqual(
      pages.map((name) => `docs/runbooks/${name}`).sort()
    )
    for (const name of pages) expect(readFileSync("docs/runbooks/README.md", "utf8")).toContain(`](${name})`)
  })
})

describe("dashboards", () => {
  test("have unique identifiers, and panels with at least one query", () => {
    expect(dashboards.length).toBeGreaterThan(2)
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length)
    for (const { panels } of dashboards)
      for (const { title, targets } of panels) expect([title, targets.length > 0]).toEqual([title, true])
  })

  test("have valid PromQL", () => {
    const path = join(folder.path, "queries.yml")
    const rules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m")
    }))
    writeFileSync(path, JSON.stringify({ groups: [{ name: "queries", rules }] }))
    expect(promtool("check", "rules", path)).toEqual(fine)
  })
})
