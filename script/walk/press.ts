/** What can be pressed on a page, and pressing it. */
import type { Locator, Page } from "playwright-core"

export const TYPED = "Seit drei Tagen Husten"

const CONTROLS = "a[href], button, summary, select, input:not([type=hidden]), textarea"

/** Controls in sight, in their order; those of a closed list come once it is open. */
export const controlsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate((selector) => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)]
    return all.flatMap((element, index) => {
      const shown = element.checkVisibility() && element.closest(".trap, .skip") === null
      // the menu of languages is opened by its first press
      const inMenu = element.closest(".languages ul") !== null
      if (!shown && !inMenu) return []
      element.dataset.walk = String(index)
      const label = element.getAttribute("aria-label") ?? element.textContent?.trim()
      return [`${index} ${element.tagName.toLowerCase()} ${(label || element.id).replace(/\s+/g, " ").slice(0, 60)}`]
    })
  }, CONTROLS)

const control = (page: Page, name: string): Locator => page.locator(CONTROLS).nth(Number(name.split(" ")[0]))

/** Counts the requests of a page that are under way. */
export const watchRequests = (page: Page) => {
  const under = new Set<unknown>()
  page.on("request", (request) => under.add(request))
  page.on("requestfinished", (request) => under.delete(request))
  page.on("requestfailed", (request) => under.delete(request))
  /** Nothing was asked for during 300 ms, and the document is whole. */
  return async () => {
    const until = Date.now() + 30_000
    for (let quiet = 0; quiet < 6 && Date.now() < until; quiet = under.size === 0 ? quiet + 1 : 0) await Bun.sleep(50)
    await page.waitForLoadState("load")
  }
}

/** Types into every empty field, as far as it takes text. */
export const typeEverywhere = async (page: Page) => {
  for (const field of await page.locator("textarea:visible:not([readonly]), input[name]:visible").all()) {
    const type = (await field.getAttribute("type")) ?? "text"
    const name = (await field.getAttribute("name")) ?? ""
    if (type === "radio") continue
    if (type === "checkbox") await field.check()
    else if (type === "email") await field.fill(`${name}@example.org`)
    else if (type === "tel") await field.fill("+49 30 123456")
    else if (type === "date") await field.fill("2020-05-04")
    else await field.fill(name === "code" ? "12" : TYPED)
  }
}

/** What stands in the fields that people write in, by name. */
export const typedOn = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea, input[name]")]
        .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type) && field.closest(".trap") === null)
        .map((field) => [field.name || field.id, field.value])
    )
  )

/** Presses a control as a person would; the button of a form twice at once. Answers false where it cannot be pressed. */
export const press = async (page: Page, name: string) => {
  const target = control(page, name)
  const kind = name.split(" ")[1]
  if (await target.evaluate((element) => element.closest(".languages ul") !== null))
    await page.locator(".languages").evaluate((menu) => menu.setAttribute("open", ""))
  if (kind === "select") {
    await target.dispatchEvent("pointerdown")
    const values = await target
      .locator("option")
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLOptionElement ? one.value : "")))
    await target.selectOption(values.at(-1) ?? "")
  } else if (kind === "textarea") await target.fill(TYPED)
  else if (kind === "button" && (await target.getAttribute("type")) === "submit")
    await target.evaluate((button) => {
      if (!(button instanceof HTMLElement)) return
      button.click()
      button.click()
    })
  else await target.click()
}
