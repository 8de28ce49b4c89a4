/**
 * A choice by mouse or touch submits immediately. A choice by keyboard waits for the button: in a closed select every
 * arrow key changes the choice, and would reload the page.
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
