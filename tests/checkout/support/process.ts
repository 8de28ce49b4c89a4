/** The service in a separate process, to be killed or measured. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/ports.ts"
import { SERVICE } from "../../support/processes.ts"
import type { Ask } from "../../support/server.ts"

export const startProcess = async (databaseUrl: string, environment: Readonly<Record<string, string>> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "sprechstunde-process-"))
  const port = String(freePort())
  const child = Bun.spawn([...SERVICE], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: "6",
      DATA_DIR: dataDir,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      PORT: port,
      ROLE: "http",
      LOG_LEVEL: "error",
      WEBHOOK_ALLOW_PRIVATE: "true", // the shop runs on this machine
      ...environment
    },
    stdout: "ignore",
    stderr: "inherit"
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(
    () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0
      ),
    (status) => status === 200,
    90
  )
  const end = async (signal: number) => {
    child.kill(signal)
    await child.exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  const api = async (method: string, path: string, { key = "", body }: Ask = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  return { url, api, pid: child.pid, kill: () => end(9), stop: () => end(15) }
}
