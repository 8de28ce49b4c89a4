/** The thread in which calendar files are expanded. It answers each request. */
import { CalendarUnreadable, type Expanded, type ExpandRequest, expand, type Unreadable } from "./expand.ts"

export type ExpandAnswer = Expanded | { readonly unreadable: Unreadable }

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<ExpandRequest>) => {
  try {
    self.postMessage(expand(data) satisfies ExpandAnswer)
  } catch (error) {
    if (!(error instanceof CalendarUnreadable)) throw error
    self.postMessage({ unreadable: error.reason } satisfies ExpandAnswer)
  }
}
