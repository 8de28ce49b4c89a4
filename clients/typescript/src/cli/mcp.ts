// SPDX-License-Identifier: Apache-2.0
/** A server of the Model Context Protocol over stdio: what a key reads, the search of free times, and with `--write` four steps that change. */
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { addressFrom, keyFrom, UsageError, type Values } from "./arguments.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
  readonly description?: string
}
interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly "application/json"?: { readonly schema: Json } } }
}
interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}
type Json = unknown
type Given = Readonly<Record<string, unknown>>
interface Tool {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Described
  readonly isReading: boolean
}

/** Reads by POST. */
const SEARCH = "searchSlots"
/** What changes something: each a step of its own. */
const WRITING: Readonly<Record<string, string>> = {
  createHold: "hold",
  confirmHold: "confirm",
  cancelAppointment: "cancel",
  rebookPatientAppointment: "move"
}
const NEWEST = "2025-06-18"
const DEPTH = 12

const isRecord = (json: Json): json is Given => typeof json === "object" && json !== null && !Array.isArray(json)

/** The schema with its references put in. */
const whole = (json: Json, document: Document, depth = 0): Json => {
  if (Array.isArray(json)) return json.map((one) => whole(one, document, depth))
  if (!isRecord(json)) return json
  const { $ref } = json
  if (typeof $ref === "string")
    return depth > DEPTH ? {} : whole(document.components.schemas[$ref.split("/").at(-1) ?? ""], document, depth + 1)
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, whole(value, document, depth)]))
}

const toolsOf = (document: Document, isWriting: boolean): ReadonlyArray<Tool> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Array<Tool> => {
      const isByKey = operation.security?.some((way) => "apiKey" in way) === true
      const writes = WRITING[operation.operationId]
      const isReading = (isByKey && method === "get") || operation.operationId === SEARCH
      if (isReading) return [{ name: operation.operationId, method, path, operation, isReading }]
      return isByKey && isWriting && writes !== undefined ? [{ name: writes, method, path, operation, isReading }] : []
    })
  )

const inputOf = ({ operation }: Tool, document: Document) => {
  const shown = (operation.parameters ?? []).filter((one) => one.in === "path" || one.in === "query")
  const body = whole(operation.requestBody?.content["application/json"]?.schema, document)
  const fields = isRecord(body) && isRecord(body.properties) ? body.properties : {}
  const needed = isRecord(body) && Array.isArray(body.required) ? body.required : []
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(shown.map(({ name, schema }) => [name, whole(schema, document)])),
      ...fields
    },
    required: [...shown.filter(({ required }) => required).map(({ name }) => name), ...needed]
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))

export const mcp = async (values: Values) => {
  const [baseUrl, key] = [addressFrom(values).replace(/\/$/, ""), keyFrom(values)]
  const answer = await fetch(`${baseUrl}/openapi.json`)
  if (!answer.ok) throw new UsageError(`${baseUrl}/openapi.json: ${answer.status}`)
  const document: Document = await answer.json()
  const tools = toolsOf(document, values.write === true)

  const call = async (name: unknown, given: Given) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return { content: [{ type: "text", text: `No tool ${textOf(name)}` }], isError: true }
    const query = new URLSearchParams()
    const body: Record<string, unknown> = { ...given }
    let path = tool.path
    for (const { name, in: place } of tool.operation.parameters ?? []) {
      const value = body[name]
      if (place === "header" || value === undefined || value === null) continue
      delete body[name]
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(textOf(value)))
      else query.set(name, textOf(value))
    }
    const hasBody = tool.method !== "get"
    const response = await fetch(`${baseUrl}${path}${query.size === 0 ? "" : `?${query}`}`, {
      method: tool.method.toUpperCase(),
      headers: {
        "x-api-key": key,
        ...(hasBody && { "content-type": "application/json" }),
        ...(!tool.isReading && { "idempotency-key": randomUUID() })
      },
      ...(hasBody && { body: JSON.stringify(body) })
    })
    return { content: [{ type: "text", text: await response.text() }], isError: !response.ok }
  }

  const replyTo = async (method: unknown, params: Given) => {
    if (method === "initialize")
      return {
        protocolVersion: typeof params.protocolVersion === "string" ? params.protocolVersion : NEWEST,
        capabilities: { tools: {} },
        serverInfo: { name: "sprechstunde", version: document.info.version }
      }
    if (method === "ping") return {}
    if (method === "tools/list")
      return {
        tools: tools.map((tool) => ({
          name: tool.name,
          description: [tool.operation.summary, tool.operation.description].filter(Boolean).join("\n"),
          inputSchema: inputOf(tool, document),
          annotations: { readOnlyHint: tool.isReading, destructiveHint: tool.name === "cancel" }
        }))
      }
    return method === "tools/call" ? call(params.name, isRecord(params.arguments) ? params.arguments : {}) : undefined
  }

  const send = (message: Given) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue
    let message: Json
    try {
      message = JSON.parse(line)
    } catch {
      send({ id: null, error: { code: -32700, message: "Not well-formed JSON" } })
      continue
    }
    // a notification has no id and gets no answer
    if (!isRecord(message) || message.id === undefined) continue
    const { id, method, params } = message
    try {
      const result = await replyTo(method, isRecord(params) ? params : {})
      send(
        result === undefined ? { id, error: { code: -32601, message: `No method ${textOf(method)}` } } : { id, result }
      )
    } catch (error) {
      send({ id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } })
    }
  }
}
