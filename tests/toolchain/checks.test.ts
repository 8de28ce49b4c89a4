import { describe, expect, test } from "bun:test"
import { domainFaults } from "../../script/checks/domains.ts"
import { importFaults } from "../../script/checks/imports.ts"
import { metricFaults } from "../../script/checks/metrics.ts"
import { ruleFaults } from "../../script/checks/rules.ts"
import { sourceFaults } from "../../script/checks/sources.ts"
import { readFaults, tableFaults } from "../../script/checks/tables.ts"
import { textFaults } from "../../script/checks/texts.ts"

interface Row {
  readonly path: string
  readonly text: string
}
const rowsOf = (rows: ReadonlyArray<readonly [path: string, text: string]>): ReadonlyArray<Row> =>
  rows.map(([path, text]) => ({ path, text }))
/** The rows of which a check finds so many faults as it should not. */
const unlike = (
  rows: ReadonlyArray<Row>,
  count: number,
  check: (files: ReadonlyArray<Row>) => ReadonlyArray<unknown>
) => rows.filter((row) => check([row]).length !== count)

describe("the direction of imports", () => {
  const forbidden = rowsOf([
    ["src/schemas/a.ts", `import { b } from "../services/b.ts"`],
    ["src/schemas/a.ts", `import { config } from "../config.ts"`],
    ["src/services/a.ts", `import { b } from "../http/b.ts"`],
    ["src/services/scheduling/a.ts", `import type { B } from "../../layers/b.ts"`],
    ["src/services/a.ts", `type B = import("../jobs/b.ts").B`],
    ["src/services/a.ts", `export { b } from "../http/b.ts"`],
    ["src/services/a.ts", `import {\n  b,\n  c\n} from "../http/b.ts"`],
    ["src/services/a.ts", `import "../layers/b.ts"`],
    ["src/services/a.ts", `const b = await import("../layers/b.ts")`],
    ["src/http/a.ts", `import { b } from "../layers/b.ts"`],
    ["src/jobs/a.ts", `import { b } from "../http/b.ts"`],
    ["src/layers/a.ts", `import { b } from "../main.ts"`],
    ["src/http/a.ts", `import { b } from "../../tests/support/b.ts"`],
    ["src/services/a.ts", `import { b } from "../pages/b.ts"`],
    ["src/pages/a.ts", `import { b } from "../services/b.ts"`],
    ["src/pages/islands/a.ts", `import { Uid } from "../../schemas/ids.ts"`],
    ["src/pages/views/a.tsx", `import { b } from "../islands/b.ts"`],
    ["src/texts/a.ts", `import { b } from "../schemas/b.ts"`]
  ])
  const allowed = rowsOf([
    ["src/services/a.ts", `import { B } from "../schemas/b.ts"`],
    ["src/http/a.ts", `import { b } from "../services/b.ts"`],
    ["src/layers/a.ts", `import { b } from "../http/b.ts"`],
    ["src/services/events/a.ts", `import { B } from "../../schemas/scheduling/b.ts"`],
    ["src/http/a.ts", `import { b } from "../pages/views/b.tsx"`],
    ["src/main.ts", `import { b } from "./layers/b.ts"`]
  ])
  test("is from the outside in", () => {
    expect(unlike(forbidden, 1, importFaults)).toEqual([])
    expect(unlike(allowed, 0, importFaults)).toEqual([])
  })

  test("import cycles are found, including types", () => {
    const faults = importFaults([
      { path: "src/services/a.ts", text: `import { b } from "./b.ts"` },
      { path: "src/services/b.ts", text: `import type { C } from "./c.ts"` },
      { path: "src/services/c.ts", text: `import { a } from "./a.ts"` }
    ])
    expect(faults).toEqual([
      "src/services/a.ts → src/services/b.ts → src/services/c.ts → src/services/a.ts: imports go in a circle"
    ])
  })
})

test("capabilities import what they share, which imports none of them, and the core imports neither", () => {
  const from = (path: string, target: string) => importFaults([{ path, text: `import { b } from "${target}"` }])
  expect(from("src/capabilities/one/a.ts", "../shared/b.ts")).toEqual([])
  expect(from("src/capabilities/shared/a.ts", "../one/b.ts")).toEqual([
    "src/capabilities/shared/a.ts imports src/capabilities/one/b.ts: shared needs no one"
  ])
  expect(from("src/capabilities/one/a.ts", "../another/b.ts")).toHaveLength(1)
  expect(from("src/services/a.ts", "../capabilities/shared/b.ts")).toHaveLength(1)
})

test("a metric without its row, a row without its metric and another type are found", () => {
  const code = `Metric.counter("spr_a_total", {})\nMetric.gauge(\n  "spr_b", {})\nMetric.histogram("spr_c", [])`
  const page = "| `spr_a_total` | counter | |\n| `spr_b` | counter | |\n| `spr_d` | gauge | |"
  expect(metricFaults(code, page)).toEqual([
    "docs/metrics.md: spr_b is not in the table, or with another type",
    "docs/metrics.md: spr_c is not in the table, or with another type",
    "docs/metrics.md: src/services/metrics.ts has no such spr_b",
    "docs/metrics.md: src/services/metrics.ts has no such spr_d"
  ])
})

test("a text that no source names is found", () => {
  const unused = "src/texts/de.ts: nothing uses page.skip"
  expect(textFaults([{ path: "src/pages/a.tsx", text: "texts.page.skip" }])).not.toContain(unused)
  expect(textFaults([{ path: "src/texts/en.ts", text: "page: { skip }" }])).toContain(unused)
})

describe("the direction of domains", () => {
  const importing = (rows: Parameters<typeof rowsOf>[0]) =>
    rowsOf(rows.map(([path, target]) => [path, `import { B } from "${target}"`]))
  const faults = (files: ReadonlyArray<Row>) => domainFaults(files, new Set())
  const forbidden = importing([
    ["src/services/events/a.ts", "../scheduling/b.ts"],
    ["src/services/pharmacy/a.ts", "../checkout/b.ts"],
    ["src/services/scheduling/booking/a.ts", "../../pharmacy/b.ts"],
    ["src/services/scheduling/a.ts", "../events/Deliveries.ts"],
    ["src/services/meetings/a.ts", "../scheduling/b.ts"],
    ["src/services/shared.ts", "./access/b.ts"]
  ])
  const allowed = importing([
    ["src/services/checkout/a.ts", "../pharmacy/b.ts"],
    ["src/services/scheduling/a.ts", "../meetings/b.ts"],
    ["src/services/pharmacy/a.ts", "../events/EventLog.ts"],
    ["src/services/pharmacy/a.ts", "../access/b.ts"],
    ["src/services/pharmacy/a.ts", "../Jobs.ts"],
    ["src/services/notifications/a.ts", "../events/Deliveries.ts"],
    ["src/http/pharmacy/a.ts", "../../services/scheduling/b.ts"]
  ])
  test("has no way back", () => {
    expect(unlike(forbidden, 1, faults)).toEqual([])
    expect(unlike(allowed, 0, faults)).toEqual([])
  })

  test("an exception that no longer applies is a fault", () => {
    expect(domainFaults([], new Set(["meetings → scheduling"]))).toHaveLength(1)
  })
})

describe("the owner of a table", () => {
  const writing = (...texts: ReadonlyArray<string>) =>
    tableFaults(texts.map((text, index) => ({ path: `src/services/${index}.ts`, text })))

  test("is the only one to write it", () => {
    const fault = "payouts is written in src/services/0.ts and src/services/1.ts: a table has one repository"
    for (const text of [
      "INSERT INTO payouts (uid)",
      "UPDATE payouts p SET",
      "DELETE FROM payouts",
      "MERGE INTO payouts"
    ])
      expect([text, writing(text, "UPDATE payouts SET")]).toEqual([text, [fault]])
  })

  test("does not mind readers, locks, comments and its own statements", () => {
    const own = "INSERT INTO payouts (uid) VALUES (1) ON CONFLICT DO UPDATE SET uid = 2; UPDATE payouts SET uid = 3"
    expect(writing(own, "SELECT FROM payouts FOR UPDATE", "FOR NO KEY UPDATE payouts", "// UPDATE payouts")).toEqual([])
  })
})

describe("a capability's statements", () => {
  const migrations = [
    { path: "src/layers/migrations/0001.sql", text: "CREATE TABLE doctors (" },
    { path: "src/capabilities/a/migrations/0001.sql", text: "CREATE TABLE clients (" }
  ]
  const reading = (text: string, exceptions: ReadonlyArray<string> = []) =>
    readFaults([{ path: "src/capabilities/a/services/b.ts", text }], migrations, new Set(exceptions))

  test("read no table that it did not make", () => {
    const fault = "src/capabilities/a/services/b.ts reads doctors, which is no table of its capability"
    for (const text of [
      "SELECT 1 FROM doctors d",
      "FROM clients\n  LEFT JOIN doctors d",
      "EXISTS (SELECT FROM doctors)"
    ])
      expect([text, reading(text)]).toEqual([text, [fault]])
    expect(reading("SELECT 1 FROM clients c JOIN unnest(d) JOIN named ON // of doctors")).toEqual([])
    expect(reading("SELECT 1 FROM doctors", ["a"])).toEqual([])
  })

  test("take it off the list of exceptions with the last such table", () => {
    expect(reading("SELECT 1 FROM clients", ["a"])).toEqual([
      "a reads its own tables only: remove it from STILL_READING in script/checks/tables.ts"
    ])
  })
})

test("real time is of layers, comments and lines that say why", () => {
  const reads = ["select now()", "SELECT NOW ( )", "clock_timestamp()", "CURRENT_TIMESTAMP", "Date.now()", "new Date()"]
  const inService = (text: string) => [{ path: "src/services/a.ts", text }]
  expect(reads.filter((text) => sourceFaults(inService(text)).length !== 1)).toEqual([])
  expect(sourceFaults([{ path: "src/layers/a.ts", text: "Date.now()" }])).toEqual([])
  for (const text of ["// never now()", "Date.now() // real time: a token's exp"])
    expect(sourceFaults(inService(text))).toEqual([])
})

test("tables that are read by words of others inherit nothing", () => {
  const inSource = (text: string) => sourceFaults([{ path: "src/http/a.ts", text }])
  const inheriting = [
    'const formats: Readonly<Record<string, string>> = { json: "a" }',
    "export const formats: Readonly<Record<string, () => string>> = {\n",
    "const titles: Readonly<Record<string, string>> = Object.fromEntries(list)",
    "  if (type in resources) return"
  ]
  expect(inheriting.filter((text) => inSource(text).length !== 1)).toEqual([])
  const others = [
    'const formats = byWord<string>({ json: "a" })',
    "const locales: Readonly<Record<Language, string>> = {",
    'if ("uid" in named) return',
    "for (const name in table) visit(name)",
    "// whoever waits in it"
  ]
  expect(others.flatMap(inSource)).toEqual([])
})

test("jobs and services do not query all tenants; the operator's do", () => {
  const text = "yield* acrossTenants(found)"
  for (const path of ["src/jobs/a.ts", "src/services/a.ts", "src/layers/a.ts", "src/http/management/a.ts"])
    expect(sourceFaults([{ path, text }])).toHaveLength(1)
  for (const path of ["src/cli/a.ts", "src/http/operator/a.ts"]) expect(sourceFaults([{ path, text }])).toEqual([])
})

describe("cited rules", () => {
  const specification = [
    {
      path: "4.md",
      text: "# 4 Booking\n\n## 4.4 Holds\n\n- **4.4.1** One.\n\n| rule | from |\n| --- | --- |\n| **4.4.2** | held |\n"
    }
  ]
  const citing = (text: string) => ruleFaults([{ path: "src/a.ts", text }], specification)

  test("exist", () => {
    const known = [
      "/** Owns holds. Rule 4.4.1. */",
      "/** Rules 4.4.1 and 4.4.2. */",
      "/** Rule\n * 4.4.2 */",
      "// see Rule 4.4",
      "// a rule without a number, version 4.4.9"
    ]
    const unknown = [
      "// specification §4.4",
      "// Rule 4.4.3",
      "/** Rules 4.4.1, 4.4.2 and 5.1 */",
      "x\n/** Rule\n * 4.5.1 */"
    ]
    expect(known.filter((text) => citing(text).length > 0)).toEqual([])
    expect(unknown.filter((text) => citing(text).length !== 1)).toEqual([])
  })

  test("the position is reported", () => {
    expect(citing("a\nb // Rule 9.9.9")).toEqual(["src/a.ts:2: docs/specification has no rule 9.9.9"])
  })

  test("a rule's number is unique", () => {
    expect(ruleFaults([], [...specification, { path: "5.md", text: "- **4.4.1** Two." }])).toEqual([
      "docs/specification: rule 4.4.1 is there twice"
    ])
  })
})

test("a time-out that ends nothing in an uninterruptible caller is a fault, except in the browser's code", () => {
  const uses = [
    "Effect.timeout(1)",
    "Effect.timeoutFail({})",
    "Effect.timeoutTo({})",
    "Effect.timeoutOption(1)",
    "AbortSignal.timeout(1)"
  ]
  const faultsOf = (path: string) => uses.filter((text) => sourceFaults([{ path, text }]).length === 1)
  expect(faultsOf("src/layers/a.ts")).toEqual(uses)
  expect(faultsOf("src/pages/islands/a.ts")).toEqual([])
  expect(sourceFaults([{ path: "src/layers/a.ts", text: "within(1, () => late)" }])).toEqual([])
})
