/** One request in curl, TypeScript, Python and PHP. */
export const LANGUAGES = ["curl", "TypeScript", "Python", "PHP"] as const
export type Language = (typeof LANGUAGES)[number]

export interface SampleRequest {
  readonly operationId: string
  /** The part of the TypeScript client that has the operation; none for operations that are not for partners. */
  readonly client: "backEnd" | "browser" | "none"
  readonly method: string
  /** The path with its parameters and query. */
  readonly path: string
  /** Path and query parameters, as the TypeScript client takes them. */
  readonly input: Readonly<Record<string, unknown>>
  readonly credential: { readonly kind: "apiKey" | "bookingToken" | "bearer"; readonly value: string } | undefined
  readonly body: unknown
}

/** Placeholder for the installation's URL; the service replaces it when it serves the page. */
export const BASE_URL = "%BASE_URL%"

const headerNames = { apiKey: "X-API-Key", bookingToken: "X-Service-Booking-Token", bearer: "Authorization" } as const

const headersOf = ({ credential, body }: SampleRequest): ReadonlyArray<readonly [string, string]> => [
  ...(credential === undefined
    ? []
    : [[headerNames[credential.kind], `${credential.kind === "bearer" ? "Bearer " : ""}${credential.value}`] as const]),
  ...(body === undefined ? [] : [["content-type", "application/json"] as const])
]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Notation {
  readonly text: (text: string) => string
  readonly constant: (value: unknown) => string
  readonly list: readonly [string, string]
  readonly record: readonly [string, string]
  readonly key: (name: string) => string
  readonly emptyRecord: string
  readonly step: string
  readonly lastComma: string
}

/** A JSON value as a literal of a language. */
const literal = (value: unknown, notation: Notation, indent = ""): string => {
  const deeper = indent + notation.step
  const block = ([open, close]: readonly [string, string], items: ReadonlyArray<string>) =>
    `${open}\n${items.map((item) => deeper + item).join(",\n")}${notation.lastComma}\n${indent}${close}`
  if (typeof value === "string") return notation.text(value)
  if (Array.isArray(value))
    return value.length === 0
      ? notation.list.join("")
      : block(
          notation.list,
          value.map((item) => literal(item, notation, deeper))
        )
  if (!isRecord(value)) return notation.constant(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return notation.emptyRecord
  return block(
    notation.record,
    entries.map(([name, item]) => notation.key(name) + literal(item, notation, deeper))
  )
}

const javascript: Notation = {
  text: JSON.stringify,
  constant: String,
  list: ["[", "]"],
  record: ["{", "}"],
  key: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: `,
  emptyRecord: "{}",
  step: "  ",
  lastComma: ""
}

const python: Notation = {
  text: JSON.stringify,
  constant: (value) => (value === true ? "True" : value === false ? "False" : value === null ? "None" : String(value)),
  list: ["[", "]"],
  record: ["{", "}"],
  key: (name) => `${JSON.stringify(name)}: `,
  emptyRecord: "{}",
  step: "    ",
  lastComma: ","
}

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const php: Notation = {
  text: quoted,
  constant: String,
  list: ["[", "]"],
  record: ["[", "]"],
  key: (name) => `${quoted(name)} => `,
  emptyRecord: "new stdClass()",
  step: "    ",
  lastComma: ","
}

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const curlSample = (request: SampleRequest) =>
  [
    `curl ${request.method === "GET" ? "" : `-X ${request.method} `}${inShell(BASE_URL + request.path)}`,
    ...headersOf(request).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(request.body === undefined ? [] : [`-d ${inShell(JSON.stringify(request.body, null, 2))}`])
  ].join(" \\\n  ")

const fetchSample = (request: SampleRequest) => {
  const options = {
    method: request.method,
    ...(headersOf(request).length > 0 && { headers: Object.fromEntries(headersOf(request)) })
  }
  const [last = "", ...rest] = literal(options, javascript).split("\n").toReversed()
  const body = request.body === undefined ? "" : `,\n  body: JSON.stringify(${literal(request.body, javascript, "  ")})`
  return `const answer = await fetch(${JSON.stringify(BASE_URL + request.path)}, ${rest.toReversed().join("\n")}${body}\n${last})\nconsole.log(answer.status, await answer.text())`
}

const typescriptSample = (request: SampleRequest) => {
  if (request.client === "none") return fetchSample(request)
  const { credential } = request
  const [make, from] =
    request.client === "browser"
      ? ["bookingClient", "@sprechstunde/client/browser"]
      : ["sprechstunde", "@sprechstunde/client"]
  const settings = {
    baseUrl: BASE_URL,
    ...(credential?.kind === "apiKey" && { apiKey: credential.value }),
    ...(credential?.kind === "bearer" && { accessToken: credential.value })
  }
  const input = { ...request.input, ...(request.body !== undefined && { body: request.body }) }
  const given = [
    ...(Object.keys(input).length > 0 || credential?.kind === "bookingToken" ? [literal(input, javascript)] : []),
    ...(credential?.kind === "bookingToken" ? [literal({ bookingToken: credential.value }, javascript)] : [])
  ]
  return `import { ${make} } from ${JSON.stringify(from)}

const client = ${make}(${literal(settings, javascript)})
console.log(await client.${request.operationId}(${given.join(", ")}))`
}

const pythonSample = (request: SampleRequest) => {
  const lines = [
    JSON.stringify(BASE_URL + request.path),
    `method=${JSON.stringify(request.method)}`,
    ...(headersOf(request).length === 0
      ? []
      : [`headers=${literal(Object.fromEntries(headersOf(request)), python, "    ")}`]),
    ...(request.body === undefined ? [] : [`data=json.dumps(${literal(request.body, python, "    ")}).encode()`])
  ]
  return `${request.body === undefined ? "" : "import json\n"}import urllib.request

request = urllib.request.Request(
${lines.map((line) => `    ${line},`).join("\n")}
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode("utf-8", "replace"))`
}

const phpSample = (request: SampleRequest) => {
  const headers = headersOf(request).map(([name, value]) => `${name}: ${value}`)
  const lines = [
    `'method' => ${quoted(request.method)}`,
    ...(headers.length === 0 ? [] : [`'header' => ${literal(headers, php, "    ")}`]),
    ...(request.body === undefined ? [] : [`'content' => json_encode(${literal(request.body, php, "    ")})`])
  ]
  return `<?php
$options = ['http' => [
${lines.map((line) => `    ${line},`).join("\n")}
]];
echo file_get_contents(${quoted(BASE_URL + request.path)}, false, stream_context_create($options));`
}

const writers: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl: curlSample,
  TypeScript: typescriptSample,
  Python: pythonSample,
  PHP: phpSample
}

export const sampleOf = (request: SampleRequest, language: Language) => writers[language](request)
