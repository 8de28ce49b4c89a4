/** Text and addresses as HTML takes them. */
export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** The name that a heading is linked by, as in the repository's own links. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")

/** Code that scrolls by itself where it is wider than the page: it takes the focus, so that a keyboard can scroll it. */
export const codeBlock = (text: string) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`

/** The words of a text in Markdown or HTML, for the search. */
export const wordsOf = (text: string) =>
  text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\]\([^)]*\)/g, " ")
    .replace(/[`*#|>[\]{}()"'=;\\]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()

/** What one section of a page is found by. */
export interface Section {
  readonly title: string
  readonly page: string
  readonly address: string
  readonly text: string
}

export interface SitePage {
  /** below `/docs`, without a slash at its end; the first page's is empty */
  readonly path: string
  readonly title: string
  readonly body: string
  readonly sections: ReadonlyArray<Section>
}

export const addressOf = (path: string) => (path === "" ? "/docs" : `/docs/${path}`)
