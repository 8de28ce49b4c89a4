/** A page of the site as Markdown, for machines that read. The HTML is the generator's own, so that no other is expected. */

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

const inline = (html: string): string =>
  html
    .replace(/<code[^>]*>([\s\S]*?)<\/code>/g, "`$1`")
    .replace(/<(?:strong|b)\b[^>]*>([\s\S]*?)<\/(?:strong|b)>/g, "**$1**")
    .replace(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, address: string, text: string) =>
      address.startsWith("#") ? text : `[${text}](${address})`
    )
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim()

const tableOf = (html: string) => {
  const rows = [...html.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => inline(cell).replaceAll("|", "\\|"))
  )
  const [head = [], ...body] = rows
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** The content of a page's body; `title` is its first heading where the body has none. */
export const asMarkdown = ({ title, body }: { readonly title: string; readonly body: string }) => {
  const kept: Array<string> = []
  const keep = (text: string) => `\n\n\u241e${kept.push(text) - 1}\u241e\n\n`
  const text = body
    .replace(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) =>
      keep(`\`\`\`\n${code.trimEnd()}\n\`\`\``)
    )
    .replace(/<table[^>]*>[\s\S]*?<\/table>/g, (table) => keep(tableOf(table)))
    .replace(/<h([1-6])[^>]*>([\s\S]*?)<\/h\1>/g, (_, level: string, of: string) =>
      keep(`${"#".repeat(Number(level))} ${inline(of)}`)
    )
    .replace(/<li[^>]*>([\s\S]*?)(?=<\/?(?:li|ul|ol)\b)/g, (_, item: string) => `\n- ${inline(item)}\n`)
    .replace(/<(?:p|div|section|summary|dt|dd)\b[^>]*>/g, "\n\n")
  const lines = text.split("\n").map((line) => (line.startsWith("- ") ? line : inline(line)))
  const markdown = lines
    .join("\n")
    .replace(/\u241e(\d+)\u241e/g, (_, at: string) => kept[Number(at)] ?? "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
  return unescaped(markdown.startsWith("# ") ? markdown : `# ${title}\n\n${markdown}`)
}

interface Group {
  readonly label: string
  readonly links: ReadonlyArray<{ readonly path: string; readonly label: string }>
}

/** The list of all pages, as llmstxt.org asks for it. */
export const llmsText = (groups: ReadonlyArray<Group>) =>
  [
    "# Sprechstunde",
    "> An open telemedicine back end: booking, calendars, video consultations, prescriptions, pharmacies. REST with JSON; times are Unix seconds.",
    "The interface as OpenAPI 3.1: [openapi.json](%BASE_URL%/openapi.json). Start with the [first page](%BASE_URL%/docs.md).",
    ...groups.map(({ label, links }) =>
      [`## ${label}`, "", ...links.map((link) => `- [${link.label}](%BASE_URL%/docs/${link.path}.md)`)].join("\n")
    )
  ].join("\n\n") + "\n"
