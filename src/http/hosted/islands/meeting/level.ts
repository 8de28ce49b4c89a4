/** Shows how loud the microphone is in a `<meter>`; returns how to stop. Sound goes nowhere else. */
export const showLevel = (track: MediaStreamTrack, meter: () => HTMLMeterElement | null) => {
  const context = new AudioContext()
  // a context made before the first touch may be asleep; where it stays so, the bar stays empty and nothing else suffers
  context.resume().catch(() => undefined)
  const analyser = new AnalyserNode(context, { fftSize: 512 })
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    const shown = meter()
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
