import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Glob } from "bun"

const pages = [...new Glob("*.md").scanSync("."), ...new Glob("docs/**/*.md").scanSync(".")].sort()

/** The anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")

const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "")
const anchorsOf = (path: string) =>
  [...withoutFences(readFileSync(path, "utf8")).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading))

/** The links of a page to files that are not there, or to headings that they do not have. */
const brokenIn = (page: string) => {
  const links = [...withoutFences(readFileSync(page, "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
  return links
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#")
      const target = path === "" ? page : join(dirname(page), path)
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    .map((link) => `${page}: ${link}`)
}

test("every link of every page has a target", () => {
  expect(pages.flatMap(brokenIn)).toEqual([])
})

test("every source file that a page names exists", () => {
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g)]
      .map(([, path = ""]) => path)
      .filter(
        (path) =>
          !/^(CHANGELOG|docs\/changes\/.*)\.md$/.test(page) && !existsSync(path) && !existsSync(join("src", path))
      )
      .map((path) => `${page}: ${path}`)
  )
  expect(missing).toEqual([])
})

test("every folder that a page or a script names exists", () => {
  const paths = /(?<![\w./-])(?:src|tests|docs|script|bench|clients|deploy)(?:\/[\w.-]+)+/g
  const named = [...pages, ...new Glob("script/**/*").scanSync(".")]
    .filter((page) => !/^(CHANGELOG|docs\/changes\/.*)\.md$/.test(page))
    .flatMap((page) => [...readFileSync(page, "utf8").matchAll(paths)].map(([path]) => [page, path] as const))
    .filter(([, path]) => !basename(path).includes("."))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(([, path]) => !existsSync(path))).toEqual([])
})

test("no file of the project names a missing file of docs", () => {
  for (const path of new Glob("{src,script,tests,deploy}/**/*").scanSync("."))
    for (const [name] of path.includes("node_modules")
      ? []
      : readFileSync(path, "utf8").matchAll(/\bdocs\/[\w/-]+\.md\b/g))
      expect([path, name, existsSync(name)]).toEqual([path, name, true])
})
