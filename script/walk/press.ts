/** Finds and presses the controls of a page. */
import type { Frame, Locator, Page } from "playwright-core"

export const TYPED = "Seit drei Tagen Husten"

const CONTROLS = "a[href], button, summary, select, input:not([type=hidden]), textarea"

/**
 * All controls in order, with collapsed content opened; of the language menu, which every page has, the `languages` that are walked, as
 * `language`, even though it is closed.
 */
export const controlsOf = (view: Frame, languages: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  view.evaluate(
    ([selector, walked]) => {
      for (const folded of document.querySelectorAll("details:not(.languages)")) folded.setAttribute("open", "")
      return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element, index) => {
        const shown = element.checkVisibility() && element.closest(".trap, .skip") === null
        const inMenu = element.closest(".languages ul") !== null
        if (inMenu ? !walked.includes(element.getAttribute("hreflang") ?? "") : !shown) return []
        const label = element.getAttribute("aria-label") ?? element.textContent?.trim()
        const kind = inMenu ? "language" : element.tagName.toLowerCase()
        return [`${index} ${kind} ${(label || element.id).replace(/\s+/g, " ").slice(0, 60)}`]
      })
    },
    [CONTROLS, languages] as const
  )

const control = (view: Frame, name: string): Locator => view.locator(CONTROLS).nth(Number(name.split(" ")[0]))

/** Counts the pending requests of a page. */
export const watchRequests = (page: Page) => {
  const under = new Set<unknown>()
  page.on("request", (request) => under.add(request))
  page.on("requestfinished", (request) => under.delete(request))
  page.on("requestfailed", (request) => under.delete(request))
  /** No requests for 200 ms, and the document is loaded. */
  return async () => {
    const until = Date.now() + 30_000
    for (let quiet = 0; quiet < 5 && Date.now() < until; quiet = under.size === 0 ? quiet + 1 : 0) await Bun.sleep(40)
    await page.waitForLoadState("load")
  }
}

const FIELDS = "textarea:not([readonly]), input[name]:not([type=radio])"

/** Types into every empty text field, and ticks every box. */
export const typeEverywhere = async (view: Frame) => {
  const empty = await view.evaluate((selector) => {
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector)]
    return fields.flatMap((field, index) => {
      const isTicked = field instanceof HTMLInputElement && field.checked
      const isFilled = field.type === "checkbox" ? isTicked : field.value !== ""
      return isFilled || !field.checkVisibility({ visibilityProperty: true }) || field.closest(".trap") !== null
        ? []
        : [{ index, type: field.type, name: field.name }]
    })
  }, FIELDS)
  for (const { index, type, name } of empty) {
    const field = view.locator(FIELDS).nth(index)
    if (type === "checkbox") await field.check()
    else if (type === "email") await field.fill(`${name}@example.org`)
    else if (type === "tel") await field.fill("+49 30 123456")
    else if (type === "date") await field.fill("2020-05-04")
    else await field.fill(name === "code" ? "12" : TYPED)
  }
}

/** The values of the text fields, by name. */
export const typedOn = (view: Frame): Promise<Readonly<Record<string, string>>> =>
  view.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea, input[name]")]
        .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type) && field.closest(".trap") === null)
        .map((field) => [field.name || field.id, field.value])
    )
  )

/** Presses a control as a user would; double-clicks the button of a form. */
export const press = async (view: Frame, name: string) => {
  const target = control(view, name)
  const kind = name.split(" ")[1]
  if (kind === "language") await view.locator(".languages").evaluate((menu) => menu.setAttribute("open", ""))
  if (kind === "select") {
    await target.dispatchEvent("pointerdown")
    const values = await target
      .locator("option")
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLOptionElement ? one.value : "")))
    await target.selectOption(values.at(-1) ?? "")
  } else if (kind === "textarea") {
    if ((await target.getAttribute("readonly")) === null) await target.fill(TYPED)
  } else if (kind === "button" && (await target.getAttribute("type")) === "submit")
    await target.evaluate((button) => {
      if (!(button instanceof HTMLElement)) return
      button.click()
      button.click()
    })
  else await target.click()
}

/** Reverts changes in place: the chosen language, or a switch. */
export const takeBack = async (view: Frame, name: string, language: string) => {
  const pressed = control(view, name)
  if ((await pressed.count()) === 0) return
  if (name.split(" ")[1] === "language") {
    await view.locator(".languages").evaluate((menu) => menu.setAttribute("open", ""))
    await view.locator(`.languages a[hreflang="${language}"]`).click()
  } else if (name.split(" ")[1] === "button") await pressed.click({ timeout: 1_000 })
}
