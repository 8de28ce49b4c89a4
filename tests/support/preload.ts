import { plugin } from "bun"
import { installed, manifests } from "../../src/capabilities/index.ts"
import { declare } from "../../src/declarations.ts"
import { buildPages } from "../../src/pages/build.ts"
import { compareConversions } from "./conversions.ts"
import { startTestServer, TEST_SETTINGS } from "./postgres.ts"
// Here, since it records on connections that are opened later, and the files of a process share servers
import "./statements.ts"

// A guard against hanging; no test depends on speed. Bun resets the default timeout after the first file and does not
// read it from its configuration, so it is set at the beginning of every file.
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

declare(manifests())
compareConversions()
await buildPages()
if (installed.some(({ name }) => name === "documentation"))
  await (await import("../../script/site/build.ts")).buildSite()
await startTestServer(TEST_SETTINGS)
