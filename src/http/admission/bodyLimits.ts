/** The kind and size of body that each route accepts. Default: JSON of at most 1 MiB for endpoints, a form of 64 KiB for pages. */
import type { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { endpointsOf } from "../endpoints.ts"

const KIB = 1024
export const MIB = 1024 * KIB

/** Annotation: largest body of an endpoint, in bytes. Default 1 MiB. */
export class BodyLimit extends Context.Tag("http/BodyLimit")<BodyLimit, number>() {}

/** Annotation: an endpoint takes a file's bytes, of any content type. */
export class TakesBytes extends Context.Tag("http/TakesBytes")<TakesBytes, true>() {}

/** Annotation: most values in a body of an endpoint (`ensureFewValues`). Default 20,000. */
export class ValuesLimit extends Context.Tag("http/ValuesLimit")<ValuesLimit, number>() {}
const VALUES = 20_000

export interface AcceptedBody {
  readonly kind: "json" | "form" | "data" | "bytes"
  /** Bytes. */
  readonly limit: number
  /** Most values in JSON. */
  readonly values: number
}

/** Default for routes that are not endpoints, i.e. pages. */
const form: AcceptedBody = { kind: "form", limit: 64 * KIB, values: VALUES }

const jsonOf = ({ annotations }: { readonly annotations: Context.Context<never> }): AcceptedBody => ({
  kind: Option.isSome(Context.getOption(annotations, TakesBytes)) ? "bytes" : "json",
  limit: Option.getOrElse(Context.getOption(annotations, BodyLimit), () => MIB),
  values: Option.getOrElse(Context.getOption(annotations, ValuesLimit), () => VALUES)
})

/** JSON, XML, or a form. */
export const dataBody: AcceptedBody = { kind: "data", limit: 256 * KIB, values: VALUES }

/** Forms with a file's text: a provisioning file, the rows of a stock list, a signed prescription. */
export const fileForm: AcceptedBody = { kind: "form", limit: 8 * MIB, values: VALUES }

/** Looks up the accepted body by a route's method and path pattern. `own`: of routes that state it themselves. */
export const acceptedBodies = (
  api: HttpApi.HttpApi.Any,
  own: (method: string, path: string) => AcceptedBody | undefined = () => undefined
) => {
  const table = new Map<string, AcceptedBody>(
    endpointsOf(api).map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, jsonOf(endpoint)])
  )
  return (method: string, path: string): AcceptedBody => own(method, path) ?? table.get(`${method} ${path}`) ?? form
}
