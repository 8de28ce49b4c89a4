/** Shows the microphone's level in a `<meter>`; returns a function that stops it. */
export const showLevel = (track: MediaStreamTrack, meter: () => HTMLMeterElement | null) => {
  const context = new AudioContext()
  // browsers suspend an audio context that was created before the first user gesture; the meter then stays empty
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
