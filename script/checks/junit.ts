/** The result of one test in a JUnit report of `bun test`. Skipped and todo tests have not passed. */
export interface TestResult {
  readonly file: string
  readonly name: string
  readonly passed: boolean
}

const unescaped = (text: string) =>
  text.replace(/&(?:lt|gt|quot|apos|#10|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES])

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#10;": "\n", "&amp;": "&" }

const attribute = (attributes: string, name: string) =>
  unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "")

/** All tests of a report, in order. */
export const resultsOf = (report: string): readonly TestResult[] =>
  [...report.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = "", inside = ""]) => ({
      file: attribute(attributes, "file"),
      name: [attribute(attributes, "classname"), attribute(attributes, "name")]
        .filter((part) => part !== "")
        .join(" > "),
      passed: !/<(failure|error|skipped)\b/.test(inside)
    })
  )

/** The files with a test that did not pass. */
export const failedFiles = (results: readonly TestResult[]): readonly string[] => [
  ...new Set(results.filter(({ passed }) => !passed).map(({ file }) => file))
]
