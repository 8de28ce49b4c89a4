/** The document of a page: header with search, navigation, footer. */
import { addressOf, escaped, type SitePage } from "./html.ts"

export interface NavigationGroup {
  readonly label: string
  readonly links: ReadonlyArray<{ readonly label: string; readonly path: string }>
}

interface Frame {
  readonly navigation: ReadonlyArray<NavigationGroup>
  readonly stylesheet: string
  readonly script: string
  readonly search: string
  readonly version: string
}

const navigationHtml = (groups: ReadonlyArray<NavigationGroup>, current: string) =>
  groups
    .map(({ label, links }) => {
      const items = links.map(
        (link) =>
          `<li><a href="${addressOf(link.path)}"${link.path === current ? ' aria-current="page"' : ""}>${escaped(link.label)}</a></li>`
      )
      const isOpen = links.some(({ path }) => path === current) || label === "Guides"
      return `<details${isOpen ? " open" : ""}><summary>${escaped(label)}</summary><ul>${items.join("")}</ul></details>`
    })
    .join("\n")

export const documentHtml = ({ path, title, body }: SitePage, frame: Frame) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Sprechstunde</title>
<meta name="demo" content="%DEMO%">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${frame.stylesheet}">
<script type="module" src="${frame.script}"></script>
</head>
<body data-search="${frame.search}">
<a class="skip" href="#content">To the content</a>
<header>
<a class="brand" href="/docs">Sprechstunde <span>${escaped(frame.version)}</span></a>
<form class="search" role="search" hidden><label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<div id="found" role="status"></div></form>
<a class="menu" href="#navigation">Contents</a>
</header>
<div class="columns">
<main id="content">
${body}
</main>
<nav id="navigation" aria-label="Documentation">
${navigationHtml(frame.navigation, path)}
</nav>
</div>
</body>
</html>
`
