/** ClamAV's daemon by its protocol: `zINSTREAM`, chunks with their lengths, one answer. */
import { connect } from "node:net"
import { Effect, Layer } from "effect"
import { Settings } from "../../../config.ts"
import { OutgoingCall, outgoing } from "../../../services/outgoing.ts"
import { Scanner, ScannerAway } from "../services/Scanner.ts"

const CHUNK = 64 * 1024
const PORT = 3310

const call = outgoing({ to: "ClamAV (scans a file)", seconds: 30, bytes: 4_096, atOnce: 8, ofOwner: 4 })

const answerOf = (text: string): "clean" | "rejected" | undefined =>
  /^stream: OK\0?\s*$/.test(text) ? "clean" : /^stream: .* FOUND\0?\s*$/.test(text) ? "rejected" : undefined

/** What `zINSTREAM` takes: chunks with their lengths, and an empty one at the end. */
const framesOf = function* (bytes: Uint8Array) {
  yield Buffer.from("zINSTREAM\0")
  const length = Buffer.alloc(4)
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const chunk = bytes.subarray(at, at + CHUNK)
    length.writeUInt32BE(chunk.length)
    yield Buffer.concat([length, chunk])
  }
  yield Buffer.alloc(4)
}

const ask = (host: string, port: number, bytes: Uint8Array, ended: AbortSignal) =>
  Effect.async<"clean" | "rejected", ScannerAway>((resume) => {
    const away = (cause: unknown) => {
      socket.destroy()
      resume(Effect.fail(new ScannerAway({ cause })))
    }
    const socket = connect({ host, port })
    const frames = framesOf(bytes)
    /** Sends until the socket is full, so that the file is not in memory again. */
    const send = () => {
      for (let next = frames.next(); !next.done; next = frames.next()) if (!socket.write(next.value)) return
    }
    ended.addEventListener("abort", () => socket.destroy(), { once: true })
    let answer = ""
    socket.on("data", (data) => {
      answer += data.toString("latin1")
      if (answer.length > 4_096) away("the answer is too long")
    })
    socket.on("error", away)
    socket.on("close", () => {
      const verdict = answerOf(answer)
      resume(verdict === undefined ? Effect.fail(new ScannerAway({ cause: "no answer" })) : Effect.succeed(verdict))
    })
    socket.on("connect", send)
    socket.on("drain", send)
    return Effect.sync(() => socket.destroy())
  })

export const ScannerLive = Layer.effect(
  Scanner,
  Effect.map(Settings, ({ clamavUrl }) => ({
    scan: (bytes) =>
      clamavUrl === undefined
        ? Effect.fail(new ScannerAway({ cause: "CLAMAV_URL is not set" }))
        : Effect.flatMap(OutgoingCall, ({ ended }) =>
            ask(clamavUrl.hostname.replace(/^\[|\]$/g, ""), Number(clamavUrl.port || PORT), bytes, ended)
          ).pipe(call(() => new ScannerAway({ cause: "no answer in time" })))
  }))
)
