import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose"
import Provider from "oidc-provider"
import type { Certificates } from "./certificates.ts"

type Algorithm = "RS256" | "ES256" | "EdDSA"

interface Order {
  readonly audience: string
  readonly claims: Record<string, unknown>
  readonly ttlSeconds?: number
}

const newKey = async (alg: Algorithm): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: crypto.randomUUID() }
}

/** The console as the provider's client, and the claims of users by the name with which they sign in. */
export interface ConsoleClient {
  readonly url: string
  readonly people: ReadonlyMap<string, Record<string, unknown>>
  /** Default: none, a public client. */
  readonly secret?: string | undefined
  /** The only way in which the provider lets clients authenticate; default: those of the library. */
  readonly way?: "client_secret_basic" | "client_secret_post" | "none" | undefined
}

/** A provider over TLS, and where it listens. */
export interface TlsPlace {
  readonly certificates: Certificates
  readonly name: string
  /** 0 for a free one. */
  readonly port: number
}

/**
 * A real OpenID Connect provider on its own port. Tokens are requested with the client credentials grant for a resource,
 * which becomes the token's audience; the request determines the claims that the provider adds.
 */
export const oidcProvider = async (algorithm: Algorithm = "RS256", console?: ConsoleClient, tls?: TlsPlace) => {
  const unavailable: RequestListener = (_, response) => response.writeHead(503).end()
  let listener = unavailable
  const requestsSent: Array<string> = []
  /** The library takes a secret in either way, and decodes it; many providers do neither. */
  const isOtherWay = (header: string | undefined) => {
    const [, basic = ""] = header?.split(" ") ?? []
    if (console?.way === "client_secret_basic") return !atob(basic).startsWith("sprech-console:")
    return console?.way !== undefined && header !== undefined
  }
  const serve: RequestListener = (request, response) => {
    requestsSent.push(request.url ?? "")
    if (request.url === "/token" && isOtherWay(request.headers.authorization))
      return response.writeHead(401, { "content-type": "application/json" }).end('{"error":"invalid_client"}')
    listener(request, response)
  }
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls.certificates, serve)
  await new Promise<void>((resolve) => server.listen(tls?.port ?? 0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const issuer = tls === undefined ? `http://127.0.0.1:${port}` : `https://${tls.name}:${port}`
  const orders = new Map<string, Order>()

  const configuration = (keys: ReadonlyArray<JWK>, alg: Algorithm) => ({
    jwks: { keys },
    clients: [
      {
        client_id: "portal",
        client_secret: "portal-secret",
        id_token_signed_response_alg: alg,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: []
      },
      ...(console === undefined
        ? []
        : [
            {
              client_id: "sprech-console",
              client_secret: console.way === "none" ? undefined : console.secret,
              token_endpoint_auth_method: console.way ?? "none",
              id_token_signed_response_alg: alg,
              grant_types: ["authorization_code", "refresh_token"],
              response_types: ["code"],
              redirect_uris: [`${console.url}/console/callback`],
              post_logout_redirect_uris: [`${console.url}/console/signed-out`]
            }
          ])
    ],
    ...(console?.way !== undefined && { clientAuthMethods: [console.way] }),
    issueRefreshToken: (_: unknown, asking: { grantTypeAllowed(type: string): boolean }) =>
      asking.grantTypeAllowed("refresh_token"),
    // users sign in with any name and password on the provider's own pages
    features: {
      devInteractions: { enabled: console !== undefined },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: "",
          audience: orders.get(resource)?.audience ?? resource,
          accessTokenTTL: orders.get(resource)?.ttlSeconds ?? 300,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg } }
        })
      }
    },
    extraTokenClaims: (_: unknown, token: { accountId?: string; resourceServer?: { identifier(): string } }) =>
      orders.get(token.resourceServer?.identifier() ?? "")?.claims ?? console?.people.get(token.accountId ?? "")
  })

  /** Claims that replace those of ID tokens, as those of a provider whose clock is wrong. */
  const idTokenClaims: Record<string, number> = {}

  /** Restarts with a new signing key, like a rotation without overlap. */
  const rotate = async (alg: Algorithm = algorithm) => {
    const key = await newKey(alg)
    const started = new Provider(issuer, configuration([key], alg))
    started.use(async (asking, next) => {
      await next()
      const answer: unknown = asking.body
      if (typeof answer !== "object" || answer === null || !("id_token" in answer)) return
      const claims = { ...decodeJwt(String(answer.id_token)), ...idTokenClaims }
      const header = { alg, kid: String(key.kid) }
      asking.body = {
        ...answer,
        id_token: await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key))
      }
    })
    listener = started.callback()
  }

  const token = async (order: Order): Promise<string> => {
    const resource = `urn:order:${crypto.randomUUID()}`
    orders.set(resource, order)
    const answer = await fetch(`${issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("portal:portal-secret")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource }),
      ...(tls === undefined ? {} : { tls: { ca: tls.certificates.ca } })
    })
    const body: unknown = await answer.json()
    if (typeof body !== "object" || body === null || !("access_token" in body)) throw new Error(JSON.stringify(body))
    return String(body.access_token)
  }

  /** Answers 503 to every request, until the next rotation. */
  const becomeUnavailable = () => {
    listener = unavailable
  }

  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  await rotate()
  return { issuer, token, rotate, falter: becomeUnavailable, stop, asked: requestsSent, idTokenClaims }
}
