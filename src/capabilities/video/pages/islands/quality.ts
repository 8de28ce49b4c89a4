/** The quality of a call, by its statistics, sampled once a second. */
export interface CallSample {
  readonly bytes: number
  readonly received: number
  readonly lost: number
  /** share of what this side sends that the other reports as lost */
  readonly sentLost: number
  /** seconds */
  readonly roundTrip: number
}

export type Quality = "good" | "fair" | "poor"

const noSample: CallSample = { bytes: 0, received: 0, lost: 0, sentLost: 0, roundTrip: 0 }

/** Sums what a connection has received so far, with the other side's latest report. */
export const sampleOf = async (peer: RTCPeerConnection): Promise<CallSample> => {
  let sample = noSample
  for (const entry of (await peer.getStats()).values()) {
    if (entry.type === "inbound-rtp")
      sample = {
        ...sample,
        bytes: sample.bytes + (entry.bytesReceived ?? 0),
        received: sample.received + (entry.packetsReceived ?? 0),
        lost: sample.lost + (entry.packetsLost ?? 0)
      }
    if (entry.type === "remote-inbound-rtp")
      sample = { ...sample, sentLost: Math.max(sample.sentLost, entry.fractionLost ?? 0) }
    if (entry.type === "candidate-pair" && entry.nominated && entry.currentRoundTripTime !== undefined)
      sample = { ...sample, roundTrip: entry.currentRoundTripTime }
  }
  return sample
}

/** The share of packets lost between two samples. */
const lostShare = (before: CallSample, now: CallSample) => {
  const [received, lost] = [now.received - before.received, Math.max(0, now.lost - before.lost)]
  return received + lost === 0 ? 0 : lost / (received + lost)
}

/** The quality by packet loss and round-trip time between two samples. */
export const qualityOf = (before: CallSample, now: CallSample): Quality => {
  const share = lostShare(before, now)
  if (share > 0.1 || now.roundTrip > 0.8) return "poor"
  return share > 0.03 || now.roundTrip > 0.35 ? "fair" : "good"
}

/** A connection that receives nothing for this many samples is cut, even if the browser still reports it as connected. */
const SILENT_MAX = 2
/** Above this share of lost packets, video impairs the audio. */
const HEAVY_LOSS = 0.15
/** After this many consecutive samples in which the other side loses so much, video is no longer sent, to keep the audio. */
const POOR_MAX = 8

/** The state after each sample; `expected`: the other side reports that it sends. */
export class CallWatch {
  private before: CallSample | null = null
  private silent = 0
  private poor = 0
  quality: Quality = "good"

  /** `cut`: nothing was received for two seconds; `weak`: less should be sent, since the other side loses it. */
  next(now: CallSample, expected: boolean): { readonly cut: boolean; readonly weak: boolean } {
    const { before } = this
    this.before = now
    if (before === null) return { cut: false, weak: false }
    this.silent = expected && before.bytes > 0 && now.bytes <= before.bytes ? this.silent + 1 : 0
    this.quality = qualityOf(before, now)
    // said once, and again after as long: with the picture gone the sound may still get through
    this.poor = now.sentLost > HEAVY_LOSS ? (this.poor % POOR_MAX) + 1 : 0
    return { cut: this.silent >= SILENT_MAX, weak: this.poor === POOR_MAX }
  }
}
