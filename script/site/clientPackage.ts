/** The TypeScript client as published: one tarball that npm and Bun install from a URL. */
import { cp, mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"

const CLIENT = join(import.meta.dir, "../../clients/typescript")

const run = async (command: ReadonlyArray<string>, cwd: string) => {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" })
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${out}${errors}`)
}

/** Compiles the client into `folder`, the content of the package. */
export const stageClient = async (folder: string) => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const tsc = join(CLIENT, "../../node_modules/.bin/tsc")
  await run([tsc, "-p", CLIENT, "--outDir", join(folder, "dist")], CLIENT)
  for (const file of ["package.json", "README.md"]) await cp(join(CLIENT, file), join(folder, file))
  await cp(join(CLIENT, "../LICENSE"), join(folder, "LICENSE"))
}

export const TARBALL = "sprechstunde-client.tgz"

/** Packs the client into `folder`; returns the tarball's path. */
export const packClient = async (folder: string) => {
  const staged = join(folder, "client-package")
  await stageClient(staged)
  const { name, version } = await Bun.file(join(staged, "package.json")).json()
  await run([process.execPath, "pm", "pack", "--quiet", "--ignore-scripts", "--destination", folder], staged)
  const packed = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)
  await rename(packed, join(folder, TARBALL))
  await rm(staged, { recursive: true, force: true })
  return join(folder, TARBALL)
}
