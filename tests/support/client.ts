/** The client derived from the interface's declaration: names, payloads and responses are typed and decoded. */
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../src/http/Api.ts"

interface Credentials {
  readonly key?: string
  readonly bearer?: string
}

const make = (baseUrl: string, { key, bearer }: Credentials) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(
      HttpClientRequest.setHeaders({
        ...(key !== undefined && { "x-api-key": key }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` })
      })
    )
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runSync)

export type Client = ReturnType<typeof make>

const clients = new Map<string, Client>()

/** One client per server and caller. */
export const clientOf = (url: string, credentials: Credentials = {}): Client => {
  const name = JSON.stringify([url, credentials])
  const client = clients.get(name) ?? make(url, credentials)
  clients.set(name, client)
  return client
}
