/** Requests in flight, and the phase of a graceful shutdown. */
import { Effect } from "effect"

export interface TrafficState {
  inFlight: number
  /**
   * `open`; `closing` from SIGTERM on: not ready, still answers, and asks every connection to close; `closed` once nothing is in flight:
   * new requests are refused as `unavailable`.
   */
  phase: "open" | "closing" | "closed"
}

export class Traffic extends Effect.Service<Traffic>()("operation/Traffic", {
  sync: (): { readonly state: TrafficState } => ({ state: { inFlight: 0, phase: "open" } })
}) {}
