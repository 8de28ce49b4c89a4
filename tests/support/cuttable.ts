/** A port that is free now. */
export const freePort = () => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  probe.stop(true)
  return probe.port
}

/** A way to a server on this machine that can be cut: every connection through it breaks, and none is made until it is mended. */
export const cuttable = (port: number) => {
  type Side = Bun.Socket<{ other?: Side; waiting: Array<Uint8Array> }>
  const open = new Set<Side>()
  let broken = false
  const relay = (side: Side, chunk: Uint8Array) => {
    const { other } = side.data
    if (other === undefined) side.data.waiting.push(new Uint8Array(chunk))
    else other.write(chunk)
  }
  const listener = Bun.listen<{ other?: Side; waiting: Array<Uint8Array> }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: async (side) => {
        side.data = { waiting: [] }
        if (broken) return void side.terminate()
        open.add(side)
        const other: Side = await Bun.connect<{ other?: Side; waiting: Array<Uint8Array> }>({
          hostname: "127.0.0.1",
          port,
          data: { other: side, waiting: [] },
          socket: { data: (from, chunk) => relay(from, chunk), close: () => void side.end() }
        })
        for (const chunk of side.data.waiting) other.write(chunk)
        side.data.other = other
      },
      data: (side, chunk) => relay(side, chunk),
      close: (side) => {
        open.delete(side)
        side.data.other?.end()
      }
    }
  })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    cut: () => {
      broken = true
      for (const side of open) side.terminate()
    },
    mend: () => {
      broken = false
    },
    stop: () => listener.stop(true)
  }
}
