/**
 * Every check and every test. Arguments are those of `bun test`, and `--long` runs the models, races and crowds at full
 * length. `TEST_PROCESSES` is the number of test processes, twice that of the cores by default: most tests wait more than
 * they compute.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { buildPages } from "../src/pages/build.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { countOf } from "./checks/junit.ts"
import { buildSite } from "./site/build.ts"

const given = process.argv.slice(2)
if (given.includes("--long")) process.env.TEST_LONG = "true"

const folder = mkdtempSync(join(tmpdir(), "sprechstunde-results-"))
const results = join(folder, "junit.xml")

const resultsOf = (file: string) => {
  try {
    return countOf(readFileSync(file, "utf8"))
  } catch (cause) {
    console.error(`The tests left no results: ${cause}`)
    return { passed: 0, failed: 0 }
  }
}

/** Beside the tests, its lines kept together for the end. */
const check = async () => {
  const child = Bun.spawn([process.execPath, "run", "--silent", "check"], { stdio: ["ignore", "pipe", "pipe"] })
  const [out, errors] = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return { said: `${out}${errors}`, status: await child.exited }
}

const test = () =>
  Bun.spawn(
    [
      process.execPath,
      "--no-install",
      "test",
      // one module registry a process: its files share servers, see tests/support/server.ts
      "--no-isolate",
      `--parallel=${process.env.TEST_PROCESSES ?? availableParallelism() * 2}`,
      // slowest files first; `script/test --update-timings` writes it anew
      "--timings=tests/durations.json",
      "--reporter=junit",
      `--reporter-outfile=${results}`,
      ...given.filter((argument) => argument !== "--long")
    ],
    // said here, since a child's environment is otherwise that with which this process was started
    { stdio: ["ignore", "inherit", "inherit"], env: process.env }
  ).exited

await buildPages()
await buildSite()
await startTestServer()
const [checked, tested] = await Promise.all([check(), test()])
console.log(checked.said)
const { passed, failed } = resultsOf(results)
rmSync(folder, { recursive: true })

// A failed check, and a run that ended badly though no test failed (a file that does not load), count as one each
const others = (checked.status === 0 ? 0 : 1) + (tested !== 0 && failed === 0 ? 1 : 0)
console.log(`${passed} passed, ${failed + others} failed`)
process.exit(failed + others === 0 && passed > 0 ? 0 : 1)
