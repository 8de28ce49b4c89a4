const dataUriOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Reads a chosen file into the form: a picture or a PDF as a data URI. */
export const readFiles = () =>
  document.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return
    const text = target.form?.querySelector("textarea")
    const [file] = target.files ?? []
    if (text && file !== undefined)
      text.value = await (/^image\/|\/pdf$/.test(file.type) ? dataUriOf(file) : file.text())
    // the file field itself is not submitted
    target.value = ""
  })
