import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
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

test.each(pages)("every link of %s has a target", (page) => {
  const links = [...withoutFences(readFileSync(page, "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
  for (const link of links.filter((each) => !/^(https?|mailto):/.test(each))) {
    const [path = "", anchor] = link.split("#")
    const target = path === "" ? page : join(dirname(page), path)
    expect([page, link, existsSync(target)]).toEqual([page, link, true])
    if (anchor !== undefined)
      expect([page, link, anchorsOf(target)]).toEqual([page, link, expect.arrayContaining([anchor])])
  }
})

test.each(pages.filter((page) => page !== "CHANGELOG.md"))("every source file that %s names exists", (page) => {
  const named = [...readFileSync(page, "utf8").matchAll(/`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g)].map(([, path = ""]) => path)
  expect(named.filter((path) => !existsSync(path) && !existsSync(join("src", path)))).toEqual([])
})

test("no file of the project names a missing file of docs", () => {
  for (const path of new Glob("{src,script,tests,deploy}/**/*").scanSync("."))
    for (const [name] of path.includes("node_modules")
      ? []
      : readFileSync(path, "utf8").matchAll(/\bdocs\/[\w/-]+\.md\b/g))
      expect([path, name, existsSync(name)]).toEqual([path, name, true])
})
