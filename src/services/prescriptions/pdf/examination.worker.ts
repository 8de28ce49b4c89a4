/** The worker of `SignatureExaminer`: says that it is ready, then answers every PDF with its examination. */
import { examine } from "./examine.ts"

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  self.postMessage(await examine(data))
}

self.postMessage("ready")
