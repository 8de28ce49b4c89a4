/** The latest requests of each API key, for integrators. Section 2.11. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { makeLogged } from "./http/logged.ts"
import { RequestsApi } from "./http/RequestsApi.ts"
import { RequestsHttp } from "./http/RequestsHttp.ts"
import { RequestLog } from "./services/RequestLog.ts"

export const requestLogCapability = capability({
  name: "request-log",
  switched: false,
  services: RequestLog.Default,
  api: RequestsApi,
  http: RequestsHttp,
  extension: Effect.map(makeLogged, (aroundRequests) => extension({ aroundRequests }))
})
