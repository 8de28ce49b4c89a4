/** A clone in a folder that other users cannot enter, like root's home in a container. */
import { afterAll, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { startService, temporaryFolder } from "../support/processes.ts"

const folder = temporaryFolder()
afterAll(folder.remove)

const home = join(folder.path, "home")
const clone = join(home, "clone")

const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { encoding: "utf8" })

/** The clone, including uncommitted changes. */
const makeClone = () => {
  mkdirSync(home, { mode: 0o700 })
  git("clone", "--quiet", "--no-hardlinks", ".", clone)
  const files = git("ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate")
  execFileSync(
    "tar",
    ["--create", "--file=changed.tar", `--directory=${process.cwd()}`, "--files-from=-", "--ignore-failed-read"],
    {
      cwd: folder.path,
      input: files,
      stdio: ["pipe", "ignore", "ignore"]
    }
  )
  execFileSync("tar", ["--extract", "--file=changed.tar", `--directory=${clone}`], { cwd: folder.path })
  // the build is copied: other tests cover building
  cpSync("dist", join(clone, "dist"), { recursive: true })
  chmodSync(home, 0o700)
}

/** Docker gives its root DAC_OVERRIDE and not DAC_READ_SEARCH. */
const asInDocker = ["setpriv", "--bounding-set=-dac_read_search", "--inh-caps=-dac_read_search"]

test("script/server starts in a clone below a closed home", async () => {
  makeClone()
  const isRoot = process.getuid?.() === 0
  for (const command of [["script/server"], [...(isRoot ? asInDocker : []), "script/server"]]) {
    const service = await startService({}, { command, cwd: clone })
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  }
})
