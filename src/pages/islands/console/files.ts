/** A chosen file is read into the form's text, where it can be seen before it is sent. */
export const readFiles = () =>
  document.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return
    const text = target.form?.querySelector("textarea")
    const [file] = target.files ?? []
    if (text && file !== undefined) text.value = await file.text()
    // the file itself is not sent
    target.value = ""
  })
