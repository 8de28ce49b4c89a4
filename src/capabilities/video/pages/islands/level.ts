/** Shows a microphone's level in the `<meter>` of `root`; returns a function that stops it. */
const showLevel = (track: MediaStreamTrack, root: HTMLElement) => {
  const context = new AudioContext()
  // browsers suspend an audio context that was created before the first user gesture; the meter then stays empty
  context.resume().catch(() => undefined)
  const analyser = new AnalyserNode(context, { fftSize: 512 })
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    const shown = root.querySelector("meter")
    if (shown === null) return
    analyser.getFloatTimeDomainData(samples)
    const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    shown.value = Math.min(1, loudness * 4)
  }, 100)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}

/** Shows the level of the microphone that it was called with last; null: of none. */
export const levelIn = (root: HTMLElement) => {
  let measured: MediaStreamTrack | null = null
  let stop = () => {}
  return (track: MediaStreamTrack | null) => {
    if (track === measured) return
    stop()
    stop = track === null ? () => {} : showLevel(track, root)
    measured = track
  }
}
