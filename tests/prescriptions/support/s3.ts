/** An S3-compatible server with one bucket on a free port, in a separate process, since it needs Node's HTTP server. */
import { fileURLToPath } from "node:url"
import type { S3Settings } from "../../../src/capabilities/s3/layers/S3Files.ts"

const entry = fileURLToPath(new URL("./s3-server.ts", import.meta.url))

export const localS3 = async (directory: string) => {
  const server = Bun.spawn([process.execPath, "--no-install", entry, directory], { stdout: "pipe", stderr: "inherit" })
  const reader = server.stdout.getReader()
  let said = ""
  while (!said.includes("\n")) {
    const { value, done } = await reader.read()
    if (done) throw new Error("the S3 server ended before it listened")
    said += new TextDecoder().decode(value)
  }
  const settings = {
    bucket: "prescriptions",
    endpoint: `http://127.0.0.1:${said.trim()}`,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER"
  } satisfies Omit<S3Settings, "prefix">
  const close = async () => {
    server.kill()
    await server.exited
  }
  return { settings, close }
}
