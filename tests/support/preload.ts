import { plugin } from "bun"
import { buildSite } from "../../script/site/build.ts"
import { buildPages } from "../../src/pages/build.ts"
import { startTestServer } from "./postgres.ts"

// A guard against hanging for ever; no test is judged by its speed. Bun forgets a default time-out after the first file
// and reads none from its configuration, so every file sets it for itself, in front of its first line.
const GUARD = `import { setDefaultTimeout as guard } from "bun:test"; guard(300_000); `

plugin({
  name: "time-out of tests",
  setup: (build) => {
    build.onLoad({ filter: /\.test\.tsx?$/ }, async ({ path }) => ({
      contents: GUARD + (await Bun.file(path).text()),
      loader: path.endsWith("x") ? "tsx" : "ts"
    }))
  }
})

await buildPages()
await buildSite()
await startTestServer()
