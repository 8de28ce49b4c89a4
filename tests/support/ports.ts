// Below the range from which the system takes the ports of outgoing connections: another test process, or one of the
// many requests that are under way, could take such a port before the program that it was meant for listens on it.
const [LOWEST, HIGHEST] = [10_000, 32_000]

/** A port of 127.0.0.1 on which no program listens. */
export const freePort = (): number => {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true)
    return port
  } catch {
    return freePort()
  }
}
