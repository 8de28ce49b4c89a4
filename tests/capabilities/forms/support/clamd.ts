/** ClamAV's daemon, with a database of one signature: that of the EICAR test file. */
import { afterAll, beforeAll } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../../../support/eventually.ts"
import { freePort } from "../../../support/ports.ts"

export const EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"

const answers = async (port: number) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => void socket.write("zPING\0"),
      data: (socket, data) => {
        resolve(data.toString().startsWith("PONG"))
        socket.end()
      },
      close: () => resolve(false)
    }
  }).catch(() => resolve(false))
  return promise
}

/** Runs it while the file's tests run; they may stop and start it between. */
export const clamd = () => {
  const port = freePort()
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-clamd-"))
  // any kind of file, at any offset
  writeFileSync(join(folder, "own.ndb"), `Eicar-Test-Signature:0:*:${Buffer.from(EICAR).toString("hex")}\n`)
  const settings = ["Foreground yes", `TCPSocket ${port}`, "TCPAddr 127.0.0.1", `DatabaseDirectory ${folder}`]
  writeFileSync(join(folder, "clamd.conf"), `${settings.join("\n")}\n`)
  let running: Bun.Subprocess | undefined
  const start = async () => {
    running = Bun.spawn(["/usr/sbin/clamd", "-c", join(folder, "clamd.conf")], { stdout: "ignore", stderr: "ignore" })
    await eventually(
      () => answers(port),
      (is) => is
    )
  }
  const stop = async () => {
    running?.kill()
    await running?.exited
  }
  beforeAll(start)
  afterAll(async () => {
    await stop()
    rmSync(folder, { recursive: true })
  })
  /** While it is paused it takes files, and answers nothing. */
  const pause = (isPaused: boolean) => running?.kill(isPaused ? "SIGSTOP" : "SIGCONT")
  return { port, start, stop, pause }
}
