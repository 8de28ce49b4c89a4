import type { HttpApi } from "@effect/platform"
import { Context } from "effect"
import { Api } from "./Api.ts"

/** The contract of all endpoints that this process serves: the core's and those of the capabilities that are on. */
export class ServedApi extends Context.Tag("http/ServedApi")<ServedApi, HttpApi.HttpApi.Any>() {}

/** The contract of the core and of these capabilities. */
export const servedApi = (
  capabilities: ReadonlyArray<{ readonly api: HttpApi.HttpApi.Any | undefined }>
): HttpApi.HttpApi.Any =>
  capabilities.reduce<HttpApi.HttpApi.Any>(
    // The cast: a list of APIs has no type that `addHttpApi` could follow
    (all, { api }) => (api === undefined ? all : (all as typeof Api).addHttpApi(api as typeof Api)),
    Api
  )
