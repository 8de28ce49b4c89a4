/** How the requests of each route are counted. Section 2.7. */
import type { HttpApi } from "@effect/platform"
import { credentialRoutesOf, type Declarations } from "../../declarations.ts"
import { endpointsOf } from "../endpoints.ts"
import type { Area, RouteKind } from "./Admission.ts"

/** The kinds of routes. `pages` is the path of MEETINGS_URL. */
export const routesBelow = (pages: string, api: HttpApi.HttpApi.Any, on: ReadonlyArray<Declarations>) => {
  const added = on.flatMap(({ codePages }) => codePages)
  const openPages = on.flatMap((one) => one.openPages.flatMap((path) => [path, pages + path]))
  const verifies = credentialRoutesOf(on)
  const withCredential = new Set(
    endpointsOf(api).flatMap(({ endpoint, middleware }) =>
      middleware.size === 0 ? [] : [`${endpoint.method} ${endpoint.path}`]
    )
  )
  const free = new Set([
    "/healthz",
    "/readyz",
    "/metrics",
    ...[`${pages}/booking-widget.js`, `${pages}/assets/:file`] // in memory
  ])
  const codePages = ["/booking/:code", ...added].map((at) => pages + at)
  const isCodePage = (path: string) => codePages.some((at) => path === at || path.startsWith(`${at}/`))
  const areaOf = (path: string): Area => {
    if (path.startsWith("/v1/scheduling/") || path.startsWith("/v1/calendar-feeds/")) return "patient"
    const isPage = openPages.some((one) => path.startsWith(one)) || path.startsWith("/storefront/")
    return isPage || isCodePage(path) ? "page" : "other"
  }
  return (method: string, path: string, params: Readonly<Record<string, string | undefined>>): RouteKind => {
    if (free.has(path)) return { kind: "free" }
    if (withCredential.has(`${method} ${path}`) || verifies(path) !== undefined) return { kind: "credential" }
    const isPage = isCodePage(path)
    const code = params.booking_launch_code ?? (isPage || areaOf(path) === "patient" ? params.code : undefined)
    return code === undefined
      ? { kind: "open", area: areaOf(path), shop: params.shop_identifier }
      : { kind: "code", code, isPage, isSocket: path.endsWith("/socket") }
  }
}

/** Whether the route renders a 429 itself, as a page. */
export const rendersErrors = (path: string, route: RouteKind) =>
  (route.kind === "code" && route.isPage && !route.isSocket) || path.includes("/book/:code")
