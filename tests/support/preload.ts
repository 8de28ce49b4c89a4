import { setDefaultTimeout } from "bun:test"
import { startTestServer } from "./postgres.ts"

// A guard against hanging for ever; no test is judged by its speed
setDefaultTimeout(120_000)

await startTestServer()
