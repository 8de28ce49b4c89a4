/** What each route accepts as a body. A route that declares nothing accepts JSON of at most 1 MiB, a page's a small form. */
import type { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { endpointsOf } from "../endpoints.ts"

const KIB = 1024
export const MIB = 1024 * KIB

/** Bytes that the body of an endpoint may have, where 1 MiB is not enough. */
export class BodyLimit extends Context.Tag("http/BodyLimit")<BodyLimit, number>() {}

export interface AcceptedBody {
  readonly kind: "json" | "form"
  /** Bytes. */
  readonly limit: number
}

/** Routes that are no endpoint: pages, whose forms carry a few short fields. */
const form: AcceptedBody = { kind: "form", limit: 64 * KIB }

const limitOf = ({ annotations }: { readonly annotations: Context.Context<never> }) =>
  Option.getOrElse(Context.getOption(annotations, BodyLimit), () => MIB)

/** Forms of the console that carry a file's text: a provisioning file, the rows of a stock list. */
const fileForm: AcceptedBody = { kind: "form", limit: 8 * MIB }
const withFiles = /^POST \/console\/(operator|pharmacy)\//

/** By method and path pattern of a route: what it accepts. */
export const acceptedBodies = (api: HttpApi.HttpApi.Any) => {
  const table = new Map<string, AcceptedBody>(
    endpointsOf(api).map(({ endpoint }) => [
      `${endpoint.method} ${endpoint.path}`,
      { kind: "json", limit: limitOf(endpoint) }
    ])
  )
  return (method: string, path: string): AcceptedBody => {
    const route = `${method} ${path}`
    return table.get(route) ?? (withFiles.test(route) ? fileForm : form)
  }
}
