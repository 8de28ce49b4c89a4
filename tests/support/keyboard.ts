import type { Page } from "playwright-core"
import { isDone, markAsked } from "./consoleDesk.ts"

/** What a reader hears of the element that has the focus: its own name, else its label's, else its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement
    const isField =
      one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement
    const label = isField ? one.labels?.[0]?.textContent : one?.textContent
    return (one?.getAttribute("aria-label") ?? label ?? "").trim()
  })

/** More than any page has of what the Tab key stops at. */
const MOST = 700

/** Moves the focus on with the Tab key until it is on this; `nth` counts those that begin so. */
export const reach = async (page: Page, name: string, nth = 0) => {
  let left = nth
  for (let presses = 0; presses < MOST; presses++) {
    if ((await focused(page)).startsWith(name)) {
      if (left === 0) return
      left -= 1
    }
    await page.keyboard.press("Tab")
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

/** The keys of a person who has no mouse. */
export const keys = (page: Page) => {
  /** Goes there and presses Enter. */
  const press = async (name: string, nth = 0) => {
    await reach(page, name, nth)
    await page.keyboard.press("Enter")
  }
  /** Presses Enter there, and waits for the next page to say that it is done. */
  const send = async (name: string, nth = 0) => {
    await markAsked(page)
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
