import MiniSearch from "minisearch"
import { searchOptions } from "../searchOptions.ts"

const MOST = 12

const indexFrom = async (address: string) => MiniSearch.loadJSON(await (await fetch(address)).text(), searchOptions)

const element = (name: string, text?: string) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  return made
}

/** Full-text search; the index is loaded when a search begins. */
export const search = () => {
  const form = document.querySelector<HTMLFormElement>("form.search")
  const input = form?.querySelector("input")
  const found = document.getElementById("found")
  const address = document.body.dataset.search
  if (!form || !input || !found || address === undefined) return
  form.hidden = false
  let index: ReturnType<typeof indexFrom> | undefined

  const show = async () => {
    const query = input.value.trim()
    if (query === "") return found.replaceChildren()
    index ??= indexFrom(address)
    const results = (await index).search(query).slice(0, MOST)
    if (input.value.trim() !== query) return
    if (results.length === 0) return found.replaceChildren(element("p", "Nothing found"))
    const list = element("ul")
    for (const { title, page, address: target } of results) {
      const link = document.createElement("a")
      link.href = target
      link.append(title, element("span", page))
      const item = element("li")
      item.append(link)
      list.append(item)
    }
    found.replaceChildren(list)
  }

  input.addEventListener("input", show)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    found.querySelector("a")?.click()
  })
  form.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return
    found.replaceChildren()
    input.focus()
  })
  addEventListener("click", ({ target }) => {
    if (target instanceof Node && !form.contains(target)) found.replaceChildren()
  })
}
