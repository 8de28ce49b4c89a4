import { manifests } from "../../src/capabilities/index.ts"
import { declare } from "../../src/declarations.ts"
import { servedApi } from "../../src/http/ServedApi.ts"

declare(manifests())

/** The contract of the core and all capabilities. Importing it also completes the lists of events, messages and provisioning. */
export const Api = servedApi(manifests())
