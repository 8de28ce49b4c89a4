/** The worker of `SignatureExaminer`: says that it is ready, then answers every PDF with its examination. */
import { examine } from "./examine.ts"

// this file runs as a worker, whose global object no library of the server declares
declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  self.postMessage(await examine(data))
}

self.postMessage("ready")
