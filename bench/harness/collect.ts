/** Preloaded into a service whose memory is measured: collects garbage on a signal. */
process.on("SIGUSR2", () => Bun.gc(true))
