/** The table of docs/metrics.md and src/services/metrics.ts have the same metrics, with the same types. */

const DECLARED = /\b(counter|gauge|histogram)\(\s*"([a-z_]+)"/g
const ROW = /^\| `([a-z_]+)`\s*\| (counter|gauge|histogram)\s*\|/gm

const missing = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>, say: (name: string) => string) =>
  [...from].filter(([name, type]) => to.get(name) !== type).map(([name]) => say(name))

/** `isWhole`: no folder that declares some was deleted. */
export const metricFaults = (code: string, page: string, isWhole = true): ReadonlyArray<string> => {
  const declared = new Map([...code.matchAll(DECLARED)].map(([, type = "", name = ""]) => [name, type]))
  const documented = new Map([...page.matchAll(ROW)].map(([, name = "", type = ""]) => [name, type]))
  return [
    ...missing(declared, documented, (name) => `docs/metrics.md: ${name} is not in the table, or with another type`),
    ...missing(
      isWhole ? documented : new Map(),
      declared,
      (name) => `docs/metrics.md: src/services/metrics.ts has no such ${name}`
    )
  ]
}
