/**
 * A server that implements Mollie's documented delayed routing: routes of a payment are created and listed, a repeated
 * idempotency key returns the first response, and at most the paid amount can be routed. Faults are injected per request.
 */

/** Faults of a request: with `…_kept` the route is created although the caller gets no response. */
export type Fault = "none" | "unavailable" | "unavailable_kept" | "silent" | "silent_kept" | "busy"

interface Route {
  readonly resource: "route"
  readonly id: string
  readonly paymentId: string
  readonly amount: { readonly value: string; readonly currency: string }
  readonly description: string
  readonly destination: { readonly type: "organization"; readonly organizationId: string }
  readonly createdAt: string
  readonly _links: Record<string, { readonly href: string; readonly type: string }>
}

type Created = Pick<Route, "amount" | "description" | "destination">

const hal = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { "content-type": "application/hal+json", "retry-after": "0" } })

const problem = (status: number, title: string, detail: string, field?: string) =>
  hal(status, {
    status,
    title,
    detail,
    ...(field !== undefined && { field }),
    _links: { documentation: { href: "https://docs.mollie.com/errors", type: "text/html" } }
  })

const cents = (value: string): number => Number(value.replace(".", ""))

export const mollieStandIn = (fault: (request: Request) => Fault = () => "none") => {
  const payments = new Map<string, { readonly paid: number; readonly routes: Array<Route> }>()
  const answered = new Map<string, Route>()
  const requests: Array<{ readonly method: string; readonly key: string | null }> = []

  const create = (paymentId: string, key: string | null, body: Created): Response => {
    const payment = payments.get(paymentId)
    if (payment === undefined) return problem(404, "Not Found", "No payment exists with that token")
    const known = key === null ? undefined : answered.get(key)
    if (known !== undefined) return hal(201, known)
    if (!/^\d+\.\d{2}$/.test(body.amount.value))
      return problem(422, "Unprocessable Entity", "The amount contains an invalid value", "amount")
    const routed = payment.routes.reduce((sum, route) => sum + cents(route.amount.value), 0)
    if (routed + cents(body.amount.value) > payment.paid)
      return problem(422, "Unprocessable Entity", "The amount is higher than the remaining amount", "amount")
    const route: Route = {
      resource: "route",
      id: `crt_${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`,
      paymentId,
      amount: body.amount,
      description: body.description,
      destination: body.destination,
      createdAt: new Date().toISOString(),
      _links: { self: { href: `${server.url}v2/payments/${paymentId}/routes`, type: "application/hal+json" } }
    }
    payment.routes.push(route)
    if (key !== null) answered.set(key, route)
    return hal(201, route)
  }

  const list = (paymentId: string, from: string | null, limit: number): Response => {
    const all = payments.get(paymentId)?.routes
    if (all === undefined) return problem(404, "Not Found", "No payment exists with that token")
    const start = Math.max(
      0,
      all.findIndex(({ id }) => id === from)
    )
    const next = all[start + limit]
    const href = `${server.url}v2/payments/${paymentId}/routes`
    return hal(200, {
      count: Math.min(limit, all.length - start),
      _embedded: { routes: all.slice(start, start + limit) },
      _links: {
        self: { href, type: "application/hal+json" },
        next:
          next === undefined ? null : { href: `${href}?from=${next.id}&limit=${limit}`, type: "application/hal+json" }
      }
    })
  }

  const held = new Set<() => void>()
  const never = () =>
    new Promise<Response>((resolve) => {
      held.add(() => resolve(problem(400, "Bad Request", "Nobody listens any more")))
    })
  const release = () => {
    for (const end of held) end()
    held.clear()
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const paymentId = /^\/v2\/payments\/([^/]+)\/routes$/.exec(url.pathname)?.[1]
      if (paymentId === undefined) return problem(404, "Not Found", "No such route")
      const key = request.headers.get("idempotency-key")
      requests.push({ method: request.method, key })
      const injected = fault(request)
      if (injected === "unavailable") return problem(503, "Service Unavailable", "Try again later")
      if (injected === "busy") return problem(429, "Too Many Requests", "Slow down")
      if (injected === "silent") return never()
      const answer =
        request.method === "POST"
          ? create(paymentId, key, (await request.json()) as Created)
          : list(paymentId, url.searchParams.get("from"), Number(url.searchParams.get("limit") ?? "50"))
      if (injected === "unavailable_kept") return problem(500, "Internal Server Error", "Something broke")
      if (injected === "silent_kept") return never()
      return answer
    }
  })

  return {
    apiEndpoint: `${server.url}v2/`,
    requests,
    /** Registers a payment of `paid` cents. */
    pay: (paymentId: string, paid: number) => void payments.set(paymentId, { paid, routes: [] }),
    routes: (paymentId: string): ReadonlyArray<Route> => payments.get(paymentId)?.routes ?? [],
    /** Lets every idempotency key expire, as Mollie does after an hour. */
    forgetKeys: () => answered.clear(),
    /** Ends unanswered requests: the client does not, and the number of open ones is limited. */
    release,
    stop: () => server.stop(true)
  }
}
