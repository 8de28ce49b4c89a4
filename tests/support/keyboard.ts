import type { Page } from "playwright-core"
import { isDone, markRequested } from "./consoleDesk.ts"

/** The accessible name of the focused element: its own, else its label's, else its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement
    const isField =
      one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement
    const label = isField ? one.labels?.[0]?.textContent : one?.textContent
    return (one?.getAttribute("aria-label") ?? label ?? "").trim()
  })

/** More tab stops than any page has. */
const MOST = 700

/** Presses Tab until this element has the focus; `nth` selects among names with this prefix, or that match. */
export const reach = async (page: Page, name: string | RegExp, nth = 0) => {
  let left = nth
  for (let presses = 0; presses < MOST; presses++) {
    const found = await focused(page)
    if (typeof name === "string" ? found.startsWith(name) : name.test(found)) {
      if (left === 0) return
      left -= 1
    }
    await page.keyboard.press("Tab")
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

/** Keyboard-only use. */
export const keys = (page: Page) => {
  /** Focuses the element and presses Enter. */
  const press = async (name: string | RegExp, nth = 0) => {
    await reach(page, name, nth)
    await page.keyboard.press("Enter")
  }
  /** Presses Enter on the element, and waits for the next page to confirm it. */
  const send = async (name: string | RegExp, nth = 0) => {
    await markRequested(page)
    await press(name, nth)
    await isDone(page)
  }
  const write = async (name: string, text: string, nth = 0) => {
    await reach(page, name, nth)
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.insertText(text)
  }
  return { press, send, write }
}
