import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./ports.ts"
import { random } from "./world.ts"

/** coturn on a free port of this machine, with its own secret. */
export const startTurn = () => {
  const port = freePort()
  const secret = random("turn")
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-turn-"))
  const relay = Bun.spawn(
    [
      "turnserver",
      "-n",
      "--use-auth-secret",
      `--static-auth-secret=${secret}`,
      "--realm=sprechstunde",
      "--listening-ip=127.0.0.1",
      "--relay-ip=127.0.0.1",
      "--allow-loopback-peers",
      `--listening-port=${port}`,
      "--no-tls",
      "--no-dtls",
      "--no-cli",
      "--no-stdout-log",
      `--log-file=${folder}/turn.log`,
      `--pidfile=${folder}/turn.pid`,
      `--userdb=${folder}/turn.db`
    ],
    { stdout: "ignore", stderr: "ignore" }
  )
  const urlAt = (at: number) => `turn:127.0.0.1:${at}?transport=udp`
  return {
    port,
    url: urlAt(port),
    /** Its address behind a proxy. */
    urlAt,
    secret,
    /** Suspends it (SIGSTOP) until it is resumed, like a network outage. */
    freeze: () => relay.kill("SIGSTOP"),
    wake: () => relay.kill("SIGCONT"),
    stop: async () => {
      relay.kill("SIGKILL")
      await relay.exited
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
