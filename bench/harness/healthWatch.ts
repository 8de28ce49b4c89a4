/** A worker that polls `/healthz` of a process, outside of the benchmark's event loop. */
import { cpuMillisOf } from "./processor.ts"

/** Milliseconds. `blocked`: processor time of the process until the response, without waiting for a processor. */
export interface Silence {
  readonly longest: number
  readonly blocked: number
}

interface Watched {
  readonly url: string
  readonly pid: number
}

let silence: Silence = { longest: 0, blocked: 0 }
let watched: Watched | undefined

const watch = async () => {
  while (watched !== undefined) {
    const { url, pid } = watched
    const [start, worked] = [performance.now(), cpuMillisOf(pid)]
    await fetch(url)
    const lasted = performance.now() - start
    const blocked = Math.min(lasted, cpuMillisOf(pid) - worked)
    silence = { longest: Math.max(silence.longest, lasted), blocked: Math.max(silence.blocked, blocked) }
    await Bun.sleep(10)
  }
}

/** A message with a process starts the watch; null ends it and is answered with the `Silence`. */
self.onmessage = ({ data }: MessageEvent<Watched | null>) => {
  watched = data ?? undefined
  if (data === null) {
    postMessage(silence)
    return
  }
  silence = { longest: 0, blocked: 0 }
  watch()
}
