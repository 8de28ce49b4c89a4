import { describe, expect, test } from "bun:test"
import { importFaults } from "../../script/checks/imports.ts"
import { sourceFaults } from "../../script/checks/sources.ts"

const importing = (path: string, text: string) => importFaults([{ path, text }])

describe("the direction of imports", () => {
  const forbidden: ReadonlyArray<[string, string]> = [
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
    ["src/services/events/a.ts", `import type { B } from "../scheduling/b.ts"`],
    ["src/http/a.ts", `import { b } from "../../tests/support/b.ts"`]
  ]
  test.each(forbidden)("%s may not: %s", (path, text) => {
    expect(importing(path, text)).toHaveLength(1)
  })

  const allowed: ReadonlyArray<[string, string]> = [
    ["src/services/a.ts", `import { B } from "../schemas/b.ts"`],
    ["src/http/a.ts", `import { b } from "../services/b.ts"`],
    ["src/layers/a.ts", `import { b } from "../http/b.ts"`],
    ["src/services/events/a.ts", `import { B } from "../../schemas/scheduling/b.ts"`],
    ["src/main.ts", `import { b } from "./layers/b.ts"`]
  ]
  test.each(allowed)("%s may: %s", (path, text) => {
    expect(importing(path, text)).toEqual([])
  })

  test("circles are found, types included", () => {
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

describe("the one clock", () => {
  test.each(["select now()", "SELECT NOW ( )", "clock_timestamp()", "CURRENT_TIMESTAMP", "Date.now()", "new Date()"])(
    "%s is no domain time",
    (text) => {
      expect(sourceFaults([{ path: "src/services/a.ts", text }])).toHaveLength(1)
    }
  )

  test("layers, comments and what is marked as real time may name it", () => {
    expect(sourceFaults([{ path: "src/layers/a.ts", text: "Date.now()" }])).toEqual([])
    expect(sourceFaults([{ path: "src/services/a.ts", text: "// never now()" }])).toEqual([])
    expect(sourceFaults([{ path: "src/services/a.ts", text: "Date.now() // real time: a token's exp" }])).toEqual([])
  })

  test("a file of more than 400 lines is too long", () => {
    expect(sourceFaults([{ path: "src/a.ts", text: "a\n".repeat(400) }])).toEqual([])
    expect(sourceFaults([{ path: "src/a.ts", text: "a\n".repeat(401) }])).toHaveLength(1)
  })
})
