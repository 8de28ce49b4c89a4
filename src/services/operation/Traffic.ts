/** Requests that are being answered now, and how far the process is on its way to its end. */
import { Effect } from "effect"

export interface TrafficState {
  underWay: number
  /**
   * `open`; `closing` from SIGTERM on: not ready any more, answers still, and asks every connection to close;
   * `closed` once nothing is under way: what comes now is refused with 503 `unavailable`.
   */
  phase: "open" | "closing" | "closed"
}

export class Traffic extends Effect.Service<Traffic>()("operation/Traffic", {
  sync: (): { readonly state: TrafficState } => ({ state: { underWay: 0, phase: "open" } })
}) {}
