/**
 * Runs every check and every test of the short run. Arguments are those of `bun test`; `--long`, or the name of such a file,
 * adds the files `*.long.test.ts` and runs models, races and crowds at full length.
 *
 * `TEST_PROCESSES` is the number of test processes, by default the number of cores plus one: some tests wait for
 * other programs, but each further process costs fourteen seconds of processor time to warm up.
 *
 * A file that failed is run again alone after all others, to distinguish a timeout on a busy machine
 * from a fault. Failures of the first run are listed in either case.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { startTestServer, TEST_SETTINGS } from "../tests/support/postgres.ts"
import { build } from "./build.ts"
import { failedFiles, resultsOf, type TestResult } from "./checks/junit.ts"

/** Maximum number of files that are run again. If more fail, the machine is not the cause. */
const SECOND_RUN_MAX = 8

/** Part of the names of files that only the long run has; `bunfig.toml` excludes them. */
const LONG_FILE = ".long.test."

const given = process.argv.slice(2)
const isLong = given.some((argument) => argument === "--long" || argument.includes(LONG_FILE))
if (isLong) process.env.TEST_LONG = "true"

const options = given.filter((argument) => argument !== "--long")
/** Paths and names that restrict the run. */
const filters = options.filter((argument) => argument !== "--update-timings")

const folder = mkdtempSync(join(tmpdir(), "sprechstunde-results-"))

/**
 * Settings of runtimes that save processor time in processes that run most of their code only a few times: less collection of
 * garbage in the type checker; in JavaScriptCore a later baseline compiler and none of the last stage; freed memory kept, since
 * giving it back and asking for it again was a fifth of the tests' processor time. They change no result.
 */
const runtimes = {
  GOGC: "400",
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_thresholdForJITAfterWarmUp: "1000",
  MIMALLOC_PURGE_DELAY: "-1"
}

/** Runs in parallel with the tests; its output is printed at the end. */
const check = async () => {
  const child = Bun.spawn([process.execPath, "run", "--silent", "check"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...runtimes, ...process.env }
  })
  const [out, errors] = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return { said: `${out}${errors}`, status: await child.exited }
}

const reported = (file: string): readonly TestResult[] => {
  try {
    return resultsOf(readFileSync(file, "utf8"))
  } catch (cause) {
    console.error(`The tests left no results: ${cause}`)
    return []
  }
}

const test = async (name: string, more: readonly string[]) => {
  const report = join(folder, `${name}.xml`)
  const child = Bun.spawn(
    [
      process.execPath,
      "--no-install",
      "test",
      // one module registry per process: its files share servers, see tests/support/server.ts
      "--no-isolate",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...(isLong ? ["--path-ignore-patterns="] : []),
      ...more
    ],
    // passed explicitly, since a child otherwise inherits the environment with which this process was started
    { stdio: ["ignore", "inherit", "inherit"], env: { ...runtimes, ...process.env } }
  )
  return { status: await child.exited, results: reported(report) }
}

const processes = process.env.TEST_PROCESSES ?? availableParallelism() + 1

await build()
await startTestServer(TEST_SETTINGS)
const [checked, first] = await Promise.all([
  check(),
  test("first", [
    `--parallel=${processes}`,
    // slowest files first; `script/test --update-timings` rewrites it
    "--timings=tests/durations.json",
    ...options
  ])
])

/** Test files that a report does not contain: they failed to load, or their process died. */
const missingIn = (results: readonly TestResult[]) => {
  const named = new Set(results.map(({ file }) => file))
  const isOwn = (file: string) =>
    !file.includes("/node_modules/") && !named.has(file) && (isLong || !file.includes(LONG_FILE))
  return filters.length > 0 ? [] : [...new Bun.Glob("tests/**/*.test.ts").scanSync()].filter(isOwn)
}
const failuresOf = (results: readonly TestResult[]) => [
  ...results.filter(({ passed }) => !passed).map(({ file, name }) => `${file}: ${name}`),
  ...missingIn(results).map((file) => `${file}: left no result`)
]

const doubtful = [...failedFiles(first.results), ...missingIn(first.results)]
const repeats = doubtful.length > 0 && doubtful.length <= SECOND_RUN_MAX
const second = repeats
  ? await test(
      "second",
      doubtful.map((file) => `./${file}`)
    )
  : undefined
const results =
  second === undefined
    ? first.results
    : [...first.results.filter(({ file }) => !doubtful.includes(file)), ...second.results]
rmSync(folder, { recursive: true })

const failures = failuresOf(results)
const list = (title: string, lines: readonly string[]) => {
  if (lines.length > 0) console.log(`${title}\n${lines.map((line) => `  ${line}`).join("\n")}\n`)
}
if (checked.said !== "") console.log(checked.said)
if (second !== undefined) list("Failed in the first run:", failuresOf(first.results))
list("Failed:", failures)

// A failed check counts as one failure; so does a run that failed although every reported test passed
const others = (checked.status === 0 ? 0 : 1) + ((second ?? first).status !== 0 && failures.length === 0 ? 1 : 0)
console.log(`${results.filter(({ passed }) => passed).length} passed, ${failures.length + others} failed`)
process.exit(failures.length + others === 0 && results.length > 0 ? 0 : 1)
