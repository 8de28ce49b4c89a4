/** Renders a page of the repository as a page of the site. */
import { posix } from "node:path"
import { Marked, type Tokens } from "marked"
import { addressOf, anchorOf, codeBlock, escaped, type Section, type SitePage, wordsOf } from "./html.ts"
import { BASE_URL } from "./samples.ts"
import { chapters, downloads, type Source } from "./sections.ts"

const byFile = new Map(chapters.flatMap(({ sources }) => sources.map((source) => [source.file, source] as const)))
const downloadOf = new Map(Object.entries(downloads).map(([name, file]) => [file, name]))

/** The site's URL for a link of the repository; undefined if the site does not contain its target. */
const targetOf = (href: string, file: string) => {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const target = posix.join(posix.dirname(file), path)
  const fragment = anchor === undefined ? "" : `#${anchor}`
  const source = byFile.get(target)
  if (source !== undefined) return `${addressOf(source.path)}${fragment}`
  const download = downloadOf.get(target)
  return download === undefined ? undefined : `/docs/downloads/${download}`
}

/** The guides use the address of a local service; the site shows its own. */
const LOCAL = "http://127.0.0.1:8080"

const parserOf = (file: string) => {
  const seen = new Map<string, number>()
  /** A repeated heading has a number appended to its anchor. */
  const anchor = (text: string) => {
    const name = anchorOf(text)
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, file)
        return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`
      },
      image: ({ text }: Tokens.Image) => escaped(text),
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith("<!--") ? "" : escaped(text)),
      code: ({ text }: Tokens.Code) => codeBlock(text.replaceAll(LOCAL, BASE_URL)),
      checkbox: () => "",
      table({ header, rows }: Tokens.Table) {
        const cell = (name: string, { tokens }: Tokens.TableCell) =>
          `<${name}${name === "th" ? ' scope="col"' : ""}>${this.parser.parseInline(tokens)}</${name}>`
        const line = (name: string, cells: ReadonlyArray<Tokens.TableCell>) =>
          `<tr>${cells.map((one) => cell(name, one)).join("")}</tr>\n`
        return `<div class="wide" tabindex="0"><table><thead>${line("th", header)}</thead><tbody>${rows.map((row) => line("td", row)).join("")}</tbody></table></div>\n`
      }
    }
  })
}

const sectionsOf = (text: string, { path, label }: Source): ReadonlyArray<Section> =>
  text
    .replace(/^```[\s\S]*?^```$/gm, (fence) => fence.replaceAll("\n#", "\n "))
    .split(/^(?=#+ )/m)
    .map((part) => {
      const [, depth = "", title = label] = /^(#+) (.*)/.exec(part) ?? []
      const address = addressOf(path) + (depth.length > 1 ? `#${anchorOf(title)}` : "")
      return { title: wordsOf(title), page: label, address, text: wordsOf(part.replace(/^#+ .*/, "")) }
    })
    .filter((section) => section.text !== "")

export const markdownPage = (source: Source, text: string): SitePage => ({
  path: source.path,
  title: source.label,
  body: parserOf(source.file).parse(text, { async: false }),
  sections: sectionsOf(text, source)
})
