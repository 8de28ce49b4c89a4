/**
 * A choice by mouse or finger acts at once. By the keyboard it waits for the button: in a closed list every arrow key is a
 * choice, and the page would be loaded at each.
 */
export const submitOnChange = () => {
  const form = document.querySelector<HTMLFormElement>("form[data-choices]")
  if (form === null) return
  let byKeyboard = false
  form.addEventListener("keydown", () => {
    byKeyboard = true
  })
  form.addEventListener("pointerdown", () => {
    byKeyboard = false
  })
  form.addEventListener("change", () => {
    if (!byKeyboard) form.requestSubmit()
  })
}
