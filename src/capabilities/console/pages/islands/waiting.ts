/** Patients who wait are counted in the window's title, and announced by a tone if the doctor wishes. */
const CHOICE = "console:sound"
/** Of the tone: Hertz, seconds, loudness. */
const TONE = { frequency: 660, duration: 0.35, volume: 0.15 }

const isOn = () => localStorage.getItem(CHOICE) === "on"

const play = () => {
  const context = new AudioContext()
  const [tone, volume] = [context.createOscillator(), context.createGain()]
  tone.frequency.value = TONE.frequency
  volume.gain.value = TONE.volume
  tone.connect(volume).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + TONE.duration)
  tone.addEventListener("ended", () => context.close())
}

export const announceWaiting = () => {
  const title = document.title
  let before = 0
  const show = () => {
    const count = Number(document.querySelector<HTMLElement>("[data-waiting]")?.dataset.waiting ?? 0)
    document.title = count === 0 ? title : `(${count}) ${title}`
    if (count > before && isOn()) play()
    before = count
    for (const button of document.querySelectorAll<HTMLElement>("[data-sound]")) {
      button.hidden = false
      button.textContent = (isOn() ? button.dataset.off : button.dataset.on) ?? ""
      button.setAttribute("aria-pressed", String(isOn()))
    }
  }
  show()
  document.addEventListener("console:refreshed", show)
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("[data-sound]") === null) return
    localStorage.setItem(CHOICE, isOn() ? "off" : "on")
    // the press allows the browser to play, and lets the doctor hear the tone
    if (isOn()) play()
    show()
  })
}
