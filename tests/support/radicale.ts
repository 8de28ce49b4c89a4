/** A real CalDAV server, Radicale, with one user. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { freePort } from "./ports.ts"
import { whileTesting } from "./server.ts"

export const radicaleUser = { username: "ada", password: "correct horse" }

/** Runs it while the file's tests run; returns its address. */
export const radicale = () => {
  const url = `http://127.0.0.1:${freePort()}/`
  whileTesting(
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "sprechstunde-radicale-"))
      const users = join(folder, "users")
      writeFileSync(users, `${radicaleUser.username}:${radicaleUser.password}\n`)
      const process = Bun.spawn(
        [
          "radicale",
          "--config=",
          `--server-hosts=${new URL(url).host}`,
          `--storage-filesystem-folder=${join(folder, "collections")}`,
          "--auth-type=htpasswd",
          `--auth-htpasswd-filename=${users}`,
          "--auth-htpasswd-encryption=plain"
        ],
        { stdout: "ignore", stderr: "ignore" }
      )
      await eventually(
        async () => (await fetch(url).catch(() => undefined)) !== undefined,
        (is) => is
      )
      return { folder, process }
    },
    async ({ folder, process }) => {
      process.kill()
      await process.exited
      rmSync(folder, { recursive: true })
    }
  )
  return url
}
