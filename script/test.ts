import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startTestServer } from "../tests/support/postgres.ts"
import { countOf } from "./checks/junit.ts"

const folder = mkdtempSync(join(tmpdir(), "sprechstunde-results-"))
const results = join(folder, "junit.xml")

const bun = (...args: ReadonlyArray<string>) =>
  Bun.spawn([process.execPath, ...args], { stdio: ["ignore", "inherit", "inherit"] }).exited

const resultsOf = (file: string) => {
  try {
    return countOf(readFileSync(file, "utf8"))
  } catch (cause) {
    console.error(`The tests left no results: ${cause}`)
    return { passed: 0, failed: 0 }
  }
}

const checks = await bun("run", "--silent", "check")
await startTestServer()
const reporter = ["--reporter=junit", `--reporter-outfile=${results}`]
const tests = await bun("--no-install", "test", ...reporter, ...process.argv.slice(2))
const { passed, failed } = resultsOf(results)
rmSync(folder, { recursive: true })

// A failed check, and a run that ended badly though no test failed (a file that does not load), count as one each
const others = (checks === 0 ? 0 : 1) + (tests !== 0 && failed === 0 ? 1 : 0)
console.log(`${passed} passed, ${failed + others} failed`)
process.exit(failed + others === 0 && passed > 0 ? 0 : 1)
