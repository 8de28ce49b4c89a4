/** A stand-in of ClamAV's daemon: its protocol, and one signature. */

export const EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"

/** Speaks `zINSTREAM` as clamd does: chunks with their lengths, until an empty one. */
export const clamd = (port = 0) =>
  Bun.listen<{ got: Buffer }>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (socket) => {
        socket.data = { got: Buffer.alloc(0) }
      },
      data: (socket, data): void => {
        socket.data.got = Buffer.concat([socket.data.got, data])
        const { got } = socket.data
        const parts: Array<Buffer> = []
        let at = "zINSTREAM\0".length
        if (got.length >= at && got.subarray(0, at).toString() !== "zINSTREAM\0")
          return void socket.end("UNKNOWN COMMAND\0")
        while (at + 4 <= got.length) {
          const length = got.readUInt32BE(at)
          if (length === 0)
            return void socket.end(
              Buffer.concat(parts).includes(EICAR) ? "stream: Eicar-Test-Signature FOUND\0" : "stream: OK\0"
            )
          if (at + 4 + length > got.length) return
          parts.push(got.subarray(at + 4, at + 4 + length))
          at += 4 + length
        }
      }
    }
  })
