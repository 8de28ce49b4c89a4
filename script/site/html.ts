/** Escapes text and URLs for HTML. */
export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** The anchor of a heading, as in the repository's links. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")

/** A code block that scrolls if it is wider than the page; it is focusable, so that the keyboard can scroll it. */
export const codeBlock = (text: string) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`

/** The words of a Markdown or HTML text, for the search. */
export const wordsOf = (text: string) =>
  text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\]\([^)]*\)/g, " ")
    .replace(/[`*#|>[\]{}()"'=;\\]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()

/** The search data of a section. */
export interface Section {
  readonly title: string
  readonly page: string
  readonly address: string
  readonly text: string
}

export interface SitePage {
  /** path below `/docs`, without a trailing slash; empty for the first page */
  readonly path: string
  readonly title: string
  readonly body: string
  readonly sections: ReadonlyArray<Section>
}

export const addressOf = (path: string) => (path === "" ? "/docs" : `/docs/${path}`)
