/** The TypeScript client as partners get it: packed, and installed with npm into an empty folder. */
import { afterAll, beforeAll } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { packClient } from "../../script/site/clientPackage.ts"
import { run, temporaryFolder } from "./processes.ts"

/** The machine's Node. */
const NODE = Bun.which("node") ?? "node"
const NODE_22 = join(import.meta.dir, "../toolchain/node")

/** Installs Node 22, which is not the machine's own everywhere; returns its path. */
export const node22 = async () => {
  const install = run(["bun", "install", "--silent", "--frozen-lockfile", "--cwd", NODE_22])
  if ((await install.ended) !== 0) throw new Error(install.said())
  return join(NODE_22, `node_modules/node-linux-${process.arch}/bin/node`)
}

export const installedClient = () => {
  const folder = temporaryFolder()
  const project = join(folder.path, "partner")
  let tarball = ""
  beforeAll(async () => {
    tarball = await packClient(folder.path)
    mkdirSync(project)
    const install = run(["npm", "install", "--no-audit", "--no-fund", tarball], { cwd: project })
    if ((await install.ended) !== 0) throw new Error(install.said())
  })
  afterAll(() => folder.remove())
  return {
    /** The partner's project, with the client in `node_modules`. */
    project,
    get tarball() {
      return tarball
    },
    node: NODE
  }
}
