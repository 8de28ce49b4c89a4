import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A way to a server on this machine that can be cut: every connection through it breaks, and none is made until it is mended. */
export const cuttable = async (port: number) => {
  const open = new Set<Socket>()
  let broken = false
  const listener = createServer((side) => {
    if (broken) return void side.destroy()
    const other = connect(port, "127.0.0.1")
    for (const [one, another] of [
      [side, other],
      [other, side]
    ] as const) {
      open.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => {
        open.delete(one)
        another.end()
      })
      one.pipe(another)
    }
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  // a server that listens on a port has an address of this kind
  const { port: own } = listener.address() as AddressInfo
  const drop = () => {
    for (const side of open) side.destroy()
  }
  return {
    url: `http://127.0.0.1:${own}`,
    cut: () => {
      broken = true
      drop()
    },
    mend: () => {
      broken = false
    },
    stop: () => {
      drop()
      listener.close()
    }
  }
}
