/** Programs of Debian that tests run. `script/test` installs them before; a single test file does so here. */
import { ROOT } from "../../src/paths.ts"

/** Where Debian has them; some are on no user's path. */
const PLACES = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
const isMissing = (program: string) => Bun.which(program, { PATH: PLACES }) === null

/** Installs what is missing, by `script/test-tools`. Fails, and says what is missing, where it may not install. */
export const ensureTools = (...programs: ReadonlyArray<string>) => {
  if (!programs.some(isMissing)) return
  const { stderr } = Bun.spawnSync(["script/test-tools"], { cwd: ROOT, stdout: "ignore" })
  const missing = programs.filter(isMissing)
  if (missing.length > 0) throw new Error(`Missing for these tests: ${missing.join(", ")}\n${stderr}`)
}
