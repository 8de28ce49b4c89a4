/** Response headers in the OpenAPI document. */
interface Operation {
  readonly deprecated?: boolean
  readonly responses: Readonly<
    Record<
      string,
      {
        headers?: Record<string, { $ref: string }>
        readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
      }
    >
  >
}

const headerOf = (type: string, description: string) => ({ description, schema: { type } })

/** Headers of answers. */
export const headers = {
  "RateLimit-Limit": headerOf("integer", "Requests a second that the caller may send"),
  "RateLimit-Remaining": headerOf("integer", "Requests that the caller may send now"),
  "RateLimit-Reset": headerOf("integer", "Seconds until the whole limit is available again"),
  "Retry-After": headerOf("integer", "Seconds after which to try again"),
  Allow: headerOf("string", "Methods that the path supports, separated by commas"),
  "X-Request-Id": headerOf(
    "string",
    "Identifies this request in the service's logs and traces: the `trace_id` of a problem"
  ),
  "Idempotency-Replayed": headerOf("string", "`true` if the response is that of an earlier request with the same key"),
  ETag: headerOf("string", "The version of the record, for `If-Match`"),
  Deprecation: headerOf("string", "Since when the operation is deprecated: `@` and Unix seconds (RFC 9745)"),
  Link: headerOf("string", 'What to use instead, with `rel="deprecation"`')
}
type HeaderName = keyof typeof headers

const COMMON_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"] as const

const headersOf = (status: string, isKeyed: boolean): ReadonlyArray<HeaderName> => [
  ...COMMON_HEADERS,
  ...(status === "405" ? (["Allow"] as const) : []),
  ...(status === "429" || status === "503" ? (["Retry-After"] as const) : []),
  ...(status.startsWith("2") && isKeyed ? (["Idempotency-Replayed"] as const) : [])
]

const schemaOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? Object.values(content ?? {}).flatMap(({ schema }) => schema.$ref ?? []) : []
  )

/** Schemas with an ETag: records that some operation changes under `If-Match`, and the lists of such records. */
export const versionedIn = (
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
): ReadonlySet<string> => {
  const changing = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some(({ responses }) => "412" in responses)
  )
  const records = changing.flatMap(([, methods]) => Object.values(methods).flatMap(schemaOf))
  const lists = changing.flatMap(([path]) => {
    const list = path.replace(/\/\{\w+\}$/, "")
    return [paths[list]?.get, paths[`${list}/`]?.get].flatMap((get) => (get === undefined ? [] : schemaOf(get)))
  })
  return new Set([...records, ...lists, ...ALSO_VERSIONED]).difference(IN_PARTS)
}

/** Records without a tag of their own: parts of them have one, and are changed under `If-Match`. */
const IN_PARTS = new Set(["#/components/schemas/PharmacyOrder"])

/** Other responses with an ETag: no operation that changes something returns their schema. */
const ALSO_VERSIONED = [
  "ListBookableDoctorsResponse",
  "CreateNotificationSubscriptionResponse",
  "CreatePharmacyWebhookResponse"
].map((name) => `#/components/schemas/${name}`)

interface Options {
  readonly isKeyed: boolean
  readonly versioned: ReadonlySet<string>
}

export const showHeaders = (operation: Operation, { isKeyed, versioned }: Options) => {
  const isVersioned = schemaOf(operation).some((schema) => versioned.has(schema))
  for (const [status, body] of Object.entries(operation.responses)) {
    const names: ReadonlyArray<HeaderName> = [
      ...headersOf(status, isKeyed),
      ...(operation.deprecated === true ? (["Deprecation", "Link"] as const) : []),
      ...(isVersioned && body.content !== undefined && status.startsWith("2") ? (["ETag"] as const) : [])
    ]
    body.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }
}
