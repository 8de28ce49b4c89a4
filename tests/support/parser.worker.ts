/** Answers each message with itself, but `hang` never. */
export {}

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<string>) => {
  while (data === "hang");
  self.postMessage(data)
}
