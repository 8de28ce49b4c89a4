/** Loaded before a service whose memory is measured: collects its garbage when asked by a signal. */
process.on("SIGUSR2", () => Bun.gc(true))
