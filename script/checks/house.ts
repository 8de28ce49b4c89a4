import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { importFaults } from "./imports.ts"
import { sourceFaults } from "./sources.ts"

const files = [...new Glob("{src,tests,bench,script}/**/*.{ts,tsx}").scanSync(".")]
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(path, "utf8") }))

const faults = [...importFaults(files), ...sourceFaults(files)]
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
