// Below the range of ephemeral ports: otherwise another test process, or one of many outgoing connections,
// could take the port before the intended program listens on it.
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
