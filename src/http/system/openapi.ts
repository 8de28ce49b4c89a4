/** The interface as an OpenAPI 3.1 document, and the page that shows it. */
import { HttpApi, OpenApi } from "@effect/platform"
import { needsOf } from "../needs.ts"

type Operation = Record<string, unknown> & { responses?: Record<string, unknown> }

/** `/a/:b` as OpenAPI writes it. */
const pathOf = (path: string) => path.replace(/:([A-Za-z_]+)/g, "{$1}")

/** The document of an interface: Effect's own, plus which permissions each operation needs (`x-permissions`). */
export const documentOf = (api: HttpApi.HttpApi.Any) => {
  const document = OpenApi.fromApi(api as never)
  const paths = document.paths as Record<string, Record<string, Operation>>
  HttpApi.reflect(api as never, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const operation = paths[pathOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
      const needs = needsOf(endpoint)
      if (operation !== undefined && needs.length > 0) operation["x-permissions"] = needs
    }
  })
  return document
}
