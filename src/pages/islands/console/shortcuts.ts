/** Alt with a letter presses what says so in `aria-keyshortcuts`, in every browser alike; access keys need other keys in each. */
export const pressByKey = () =>
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // on a Mac the key writes another sign together with Alt
    const letter = /^[a-z]$/i.test(event.key) ? event.key : event.code.replace("Key", "")
    const shortcut = CSS.escape(`Alt+${letter.toUpperCase()}`)
    const one = document.querySelector<HTMLElement>(`[aria-keyshortcuts=${shortcut}]`)
    if (one === null) return
    event.preventDefault()
    one.click()
  })
