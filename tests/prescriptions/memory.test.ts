/** Memory that a file of 10 MiB takes, measured in a separate process. */
import { expect, test } from "bun:test"
import { fileURLToPath } from "node:url"

test("a PDF of 10 MiB is examined, stored, copied and read back within 128 MiB", () => {
  const script = fileURLToPath(new URL("./support/large-pdf.ts", import.meta.url))
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, "--no-install", script])
  expect([exitCode, stderr.toString()]).toEqual([0, ""])
  const { grown, read, size, present } = JSON.parse(stdout.toString())
  expect(present).toBe(true)
  expect(size).toBeGreaterThan(10 * 1024 * 1024)
  expect(read).toBe(size)
  expect(grown).toBeLessThan(128 * 1024 * 1024)
})
