/** Alt with a letter presses the element with that `aria-keyshortcuts`; the modifier of `accesskey` differs between browsers. */
export const pressByKey = () =>
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // on a Mac, Alt changes the character of the key
    const letter = /^[a-z]$/i.test(event.key) ? event.key : event.code.replace("Key", "")
    const shortcut = CSS.escape(`Alt+${letter.toUpperCase()}`)
    const one = document.querySelector<HTMLElement>(`[aria-keyshortcuts=${shortcut}]`)
    if (one === null) return
    event.preventDefault()
    if (one.matches("input")) one.focus()
    else one.click()
  })
