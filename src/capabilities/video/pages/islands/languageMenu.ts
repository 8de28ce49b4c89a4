import type { Texts } from "../../../../texts/de.ts"
import type { MeetingTexts } from "../../texts/meeting.ts"

interface Loaded extends Pick<Texts, "page"> {
  readonly meeting: MeetingTexts
}

const replaceText = (selector: string, text: string) => {
  const element = document.querySelector(selector)
  if (element !== null) element.textContent = text
}

const load = async (link: HTMLAnchorElement): Promise<Loaded | undefined> => {
  try {
    const response = await fetch(link.dataset.texts ?? "")
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

/** Changes the page's language without reloading the page, which would interrupt a call. */
export const switchLanguageInPlace = (apply: (texts: MeetingTexts) => void) => {
  const links = document.querySelectorAll<HTMLAnchorElement>(".languages a")
  for (const link of links)
    link.addEventListener("click", async (event) => {
      event.preventDefault()
      const texts = await load(link)
      if (texts === undefined) return
      Object.assign(document.documentElement, { lang: link.lang, dir: link.dir })
      history.replaceState(null, "", link.href)
      for (const other of links) other.removeAttribute("aria-current")
      link.setAttribute("aria-current", "true")
      replaceText("[data-language]", link.textContent ?? "")
      replaceText(".skip", texts.page.skip)
      replaceText(".colophon p", texts.page.privacy)
      link.closest("details")?.removeAttribute("open")
      apply(texts.meeting)
    })
}
