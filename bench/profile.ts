/**
 * `bun run bench:profile [count]`: how the service spends its processor time, by kind of request, with 8 clients. The service runs
 * from its sources, so that locations are theirs. Shares are of the samples taken during requests of that kind.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../src/paths.ts"
import { runFolder } from "../tests/support/postgres.ts"
import { inLanes } from "./harness/measure.ts"
import { setStage } from "./harness/stage.ts"
import { requestsOf } from "./table.ts"

const COUNT = Number(process.argv[2] ?? 3000)
const LANES = 8
/** Microseconds between two samples. */
const INTERVAL = 500

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: ReadonlyArray<number>
  }>
  /** microseconds since 1970 */
  readonly startTime: number
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const folder = mkdtempSync(join("/tmp", "sprechstunde-profile-"))
const options = ["--cpu-prof", `--cpu-prof-interval=${INTERVAL}`, `--cpu-prof-dir=${folder}`]
const stage = await setStage([process.execPath, "--no-install", ...options, join(ROOT, "src/main.ts")])
const requests = requestsOf(stage)
for (let warm = 0; warm < 200; warm++) {
  await requests.types()
  await requests.search()
  await requests.whole()
}
await stage.database.query("VACUUM ANALYZE")

const windows: Array<{ readonly work: string; readonly from: number; readonly to: number; readonly count: number }> = []
const measure = async (work: keyof typeof requests, count: number) => {
  const from = Date.now() * 1000
  await inLanes(count, LANES, requests[work])
  windows.push({ work, from, to: Date.now() * 1000, count })
}
await measure("health", COUNT * 2)
await measure("types", COUNT * 2)
await measure("search", COUNT)
for (const work of ["session", "hold", "confirm"] as const) await measure(work, Math.ceil(COUNT / 2))
for (const work of ["book", "feed", "list"] as const) await measure(work, Math.ceil(COUNT / 4))
await stage.stop([])

const [file = ""] = readdirSync(folder)
const profile: Profile = JSON.parse(readFileSync(join(folder, file), "utf8"))
const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))

const placeOf = (id: number) => {
  const { functionName, url, lineNumber } = nodes.get(id)?.callFrame ?? { functionName: "", url: "", lineNumber: 0 }
  const path = url
    .replace(/^file:\/\//, "")
    .replace(`${ROOT}/`, "")
    .replace(/.*node_modules\//, "")
  return `${functionName || "(anonymous)"} ${path === "" ? "(native)" : `${path}:${lineNumber + 1}`}`
}
/** The package or folder of the code in which a sample was taken. */
const ownerOf = (id: number) => {
  const { url, functionName } = nodes.get(id)?.callFrame ?? { url: "", functionName: "" }
  const [, owner] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (owner !== undefined) return owner
  if (url.includes(`${ROOT}/`)) return "our own"
  return url === "" ? `native: ${functionName}` : url
}

for (const { work, from, to, count } of windows) {
  const self = new Map<string, number>()
  const owners = new Map<string, number>()
  const inclusive = new Map<string, number>()
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  let at = profile.startTime
  let total = 0
  for (const [index, sample] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0
    if (at < from || at > to) continue
    total++
    add(self, placeOf(sample))
    add(owners, ownerOf(sample))
    const seen = new Set<string>()
    for (let node: number | undefined = sample; node !== undefined; node = parents.get(node)) seen.add(placeOf(node))
    for (const place of seen) add(inclusive, place)
  }
  const top = (map: Map<string, number>, most: number) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([place, samples]) => `${((samples / total) * 100).toFixed(1).padStart(5)} %  ${place}`)
      .join("\n")
  console.log(`\n## ${work}: ${total} samples, ${((total * INTERVAL) / 1000 / count).toFixed(2)} ms a request\n`)
  const own = new Map([...inclusive].filter(([place]) => / (?:src|pg|@effect\/sql)/.test(place)))
  console.log(`Inclusive, our own and the driver:\n${top(own, 60)}\n`)
  console.log(`By owner:\n${top(owners, 15)}\n\nSelf:\n${top(self, 40)}\n\nInclusive:\n${top(inclusive, 60)}`)
}
console.log(runFolder(), file)
process.exit(0)
