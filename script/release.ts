/**
 * `script/release VERSION [--dry-run]`: writes what a release changes (version, changelog, image tags, released.txt), commits and tags it,
 * and prints the digests of what it consists of. docs/releasing.md
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { Glob } from "bun"
import { ROOT } from "../src/paths.ts"
import { MIGRATIONS, migrationOf, RELEASED, releaseChanges, releaseFaults } from "./checks/release.ts"
import { billOfMaterials } from "./sbom.ts"
import { packClient } from "./site/clientPackage.ts"

const fail = (...lines: ReadonlyArray<string>): never => {
  for (const line of lines) console.error(line)
  process.exit(1)
}

const git = (...args: ReadonlyArray<string>) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", ROOT, ...args])
  return exitCode === 0 ? String(stdout).trim() : fail(`git ${args[0]}: ${stderr}`)
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8")
const found = (pattern: string) => [...new Glob(pattern).scanSync(ROOT)].sort()
const digestOf = (text: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(text).digest("hex")

/** The public key of the signature, in the tree. */
const KEY = "deploy/release-key.pem"
/** The private one, which stays with whoever releases; made when there is none. */
const privateKey = process.env.RELEASE_KEY ?? join(homedir(), ".config/sprechstunde/release.pem")

const openssl = (...args: ReadonlyArray<string>) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["openssl", ...args])
  return exitCode === 0 ? String(stdout) : fail(`openssl ${args[0]}: ${stderr}`)
}

const publicKey = async () => {
  if (!existsSync(privateKey)) {
    mkdirSync(dirname(privateKey), { recursive: true, mode: 0o700 })
    openssl("genpkey", "-algorithm", "ed25519", "-out", privateKey)
    chmodSync(privateKey, 0o600)
    console.log(`made     ${privateKey}: keep a copy, it signs every release`)
  }
  return openssl("pkey", "-in", privateKey, "-pubout")
}

/** The release's files, their checksums and the signature of these. */
const writeFiles = async () => {
  const folder = join(ROOT, "dist/release")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const name = `sprechstunde-${version}`
  git("archive", `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, `v${version}`)
  writeFileSync(join(folder, `${name}.cdx.json`), billOfMaterials(read("bun.lock"), read("package.json")))
  await packClient(folder)
  const files = [...new Glob("*").scanSync(folder)].sort()
  const sums = join(folder, "SHA256SUMS")
  writeFileSync(sums, files.map((file) => `${digestOf(readFileSync(join(folder, file)))}  ${file}\n`).join(""))
  openssl("pkeyutl", "-sign", "-rawin", "-inkey", privateKey, "-in", sums, "-out", `${sums}.sig`)
  for (const file of [...files, "SHA256SUMS", "SHA256SUMS.sig"]) console.log(`wrote    dist/release/${file}`)
}

const args = process.argv.slice(2)
const isDry = args.includes("--dry-run")
const [version = fail("script/release VERSION [--dry-run]")] = args.filter((argument) => !argument.startsWith("--"))

const paths = [
  "package.json",
  "clients/typescript/package.json",
  "CHANGELOG.md",
  RELEASED,
  "compose.yaml",
  "publiccode.yml",
  "deploy/helm/Chart.yaml",
  "deploy/helm/values.yaml",
  ...found("deploy/kubernetes/**/*.yaml")
]
const tree = {
  files: new Map(paths.map((path) => [path, read(path)])),
  // the core's first, as they are applied
  migrations: [...found("src/layers/migrations/*.sql"), ...found("src/capabilities/*/migrations/*.sql")].map(
    migrationOf
  )
}
const release = { version, date: new Date().toISOString().slice(0, 10) } // real time: the day of the release
const faults = [
  ...releaseFaults(tree, release),
  ...(git("status", "--porcelain") === "" ? [] : ["there are changes that are not committed"])
]
// A dry run shows what would happen in spite of local changes
const prohibiting = isDry ? faults.filter((fault) => !fault.includes("not committed")) : faults
if (!isDry && prohibiting.length > 0) fail(...prohibiting)

const changes = releaseChanges(tree, release)
for (const [path] of changes) console.log(`${isDry ? "would change" : "changed"}  ${path}`)
if (!isDry) {
  for (const [path, text] of changes) writeFileSync(join(ROOT, path), text)
  const key = await publicKey()
  writeFileSync(join(ROOT, KEY), key)
  git("add", ...changes.keys(), KEY)
  git("commit", "--quiet", "--message", `Release ${version}`)
  git("tag", "--annotate", `v${version}`, "--message", `Sprechstunde ${version}`)
}
if (!isDry) await writeFiles()
if (!isDry) console.log(`\nPush both, or neither: git push --atomic origin HEAD:main v${version}`)
console.log(`\ncommit  ${git("rev-parse", "HEAD")}`)
for (const path of ["bun.lock", "Dockerfile", ...found(MIGRATIONS)])
  console.log(`sha256  ${digestOf(changes.get(path) ?? read(path))}  ${path}`)
if (prohibiting.length > 0) fail(...prohibiting)
