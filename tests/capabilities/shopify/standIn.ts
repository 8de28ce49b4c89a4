import { addResolversToSchema } from "@graphql-tools/schema"
import { type GraphQLSchema, graphql } from "graphql"

/** Faults injected into the next requests; `lost` executes the request and drops the answer. */
export type Fault =
  | { readonly kind: "throttled_429" }
  | { readonly kind: "throttled_200" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "lost" }

export interface KeptDraft {
  readonly id: string
  invoiceUrl: string | null
  invoiceSentAt: string | null
  status: "OPEN" | "INVOICE_SENT" | "COMPLETED"
  input: Record<string, unknown>
  lines: Array<Record<string, unknown>>
}

const throttled = () => ({
  errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
  extensions: {
    cost: {
      requestedQueryCost: 10,
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 1000 }
    }
  }
})

const line = (input: Record<string, unknown>, index: number) => ({
  uuid: `uuid-${index}`,
  title: "Item",
  sku: null,
  taxable: true,
  requiresShipping: true,
  appliedDiscount: null,
  priceOverride: null,
  components: [],
  originalUnitPriceWithCurrency: null,
  weight: null,
  ...input,
  variant: input.variantId ? { id: input.variantId } : null,
  customAttributes: input.customAttributes ?? []
})

interface Range {
  readonly first: number
  readonly after?: string | null
}

const slice = (nodes: ReadonlyArray<unknown>, { first, after }: Range, limit: number) => {
  const from = after ? Number(after) : 0
  const to = from + Math.min(first, limit)
  return { nodes: nodes.slice(from, to), pageInfo: { hasNextPage: to < nodes.length, endCursor: String(to) } }
}

/** A shop with draft orders in memory, whose HTTP responses conform to Shopify's schemas. */
export class ShopStandIn {
  readonly drafts = new Map<string, KeptDraft>()
  readonly orders = new Map<string, ReadonlyArray<unknown>>()
  readonly faults: Array<Fault> = []
  readonly requests: Array<{
    readonly path: string
    readonly operation: string
    readonly headers: Headers
    readonly variables: Record<string, unknown>
  }> = []
  readonly invoices: Array<string> = []
  userErrors: Array<{ field: Array<string> | null; message: string }> = []
  warnings: Array<{ code: string; message: string; target: string }> = []
  page_limit = 100
  /** Called with the operation's name when a request has arrived, and when it is executed but not yet answered. */
  passing: (operation: string, moment: "asked" | "done") => Promise<void> = async () => {}
  readonly #admin: GraphQLSchema
  readonly #storefront: GraphQLSchema
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) })

  constructor(admin: GraphQLSchema, storefront: GraphQLSchema) {
    this.#admin = addResolversToSchema({ schema: admin, resolvers: this.#adminResolvers() })
    this.#storefront = addResolversToSchema({ schema: storefront, resolvers: this.#storefrontResolvers() })
  }

  get origin() {
    return this.#server.url.origin
  }

  /** The storefront's settings in a shop's provisioning entry. */
  get settings() {
    return {
      kind: "shopify",
      shop_domain: this.origin,
      admin_access_token: "admin-token",
      storefront_access_token: "storefront-token"
    }
  }

  /** The requested operations, in order. */
  get operations() {
    return this.requests.map(({ operation }) => operation)
  }

  stop() {
    return this.#server.stop(true)
  }

  keep(draft: Partial<KeptDraft> & { readonly id: string }) {
    const kept: KeptDraft = { invoiceUrl: null, invoiceSentAt: null, status: "OPEN", input: {}, lines: [], ...draft }
    this.drafts.set(kept.id, kept)
    return kept
  }

  #adminResolvers() {
    const refused = () => (this.userErrors.length > 0 ? { draftOrder: null, userErrors: this.userErrors } : null)
    const write = (id: string, input: Record<string, unknown>) => {
      const lines = (input.lineItems as Array<Record<string, unknown>>).map(line)
      const earlier = this.drafts.get(id)
      return this.keep({ ...earlier, id, invoiceUrl: `${this.origin}/invoices/${this.drafts.size}`, input, lines })
    }
    return {
      QueryRoot: {
        draftOrder: (_: unknown, { id }: { id: string }) => this.drafts.get(id) ?? null,
        draftOrders: (_: unknown, { query }: { query: string }) => {
          const tag = /^tag:"(.*)"$/.exec(query)?.[1]
          return { nodes: [...this.drafts.values()].filter(({ input }) => (input.tags as [string])?.[0] === tag) }
        },
        order: (_: unknown, { id }: { id: string }) => (this.orders.has(id) ? { id } : null)
      },
      DraftOrder: {
        lineItems: ({ lines }: KeptDraft, range: Range) => slice(lines, range, this.page_limit)
      },
      Order: {
        lineItems: ({ id }: { id: string }, range: Range) => slice(this.orders.get(id) ?? [], range, this.page_limit)
      },
      Mutation: {
        draftOrderCreate: (_: unknown, { input }: { input: Record<string, unknown> }) =>
          refused() ?? { draftOrder: write(`gid://shopify/DraftOrder/${this.drafts.size + 1}`, input), userErrors: [] },
        draftOrderUpdate: (_: unknown, { id, input }: { id: string; input: Record<string, unknown> }) =>
          refused() ?? { draftOrder: write(id, input), userErrors: [] },
        draftOrderInvoiceSend: (_: unknown, { id }: { id: string }) => {
          this.invoices.push(id)
          const draft = this.drafts.get(id)
          if (draft) draft.invoiceSentAt = "2026-01-01T00:00:00Z"
          return refused() ?? { draftOrder: draft, userErrors: [] }
        },
        draftOrderDelete: (_: unknown, { input }: { input: { id: string } }) => {
          this.drafts.delete(input.id)
          return { deletedId: input.id, userErrors: [] }
        }
      }
    }
  }

  #storefrontResolvers() {
    return {
      Mutation: {
        cartCreate: () => ({
          cart: this.userErrors.length > 0 ? null : { checkoutUrl: `${this.origin}/cart/c/1?key=1` },
          userErrors: this.userErrors.map((error) => ({ ...error, __typename: "CartUserError" })),
          warnings: this.warnings
        })
      }
    }
  }

  async #answer(request: Request): Promise<Response> {
    const { query, variables } = (await request.json()) as { query: string; variables: Record<string, unknown> }
    const path = new URL(request.url).pathname
    const operation = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ""
    this.requests.push({ path, operation, headers: request.headers, variables })
    const fault = this.faults.shift()
    if (fault?.kind === "throttled_429") return new Response("", { status: 429, headers: { "retry-after": "0" } })
    if (fault?.kind === "throttled_200") return Response.json(throttled())
    if (fault?.kind === "status") return new Response("no", { status: fault.status })
    const schema = path.startsWith("/admin/") ? this.#admin : this.#storefront
    await this.passing(operation, "asked")
    const answer = await graphql({ schema, source: query, variableValues: variables })
    await this.passing(operation, "done")
    return fault?.kind === "lost" ? new Response("bad gateway", { status: 502 }) : Response.json(answer)
  }
}
