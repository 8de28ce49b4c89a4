/**
 * Random requests from the OpenAPI document, valid and invalid, with valid, wrong and missing credentials. Every
 * response must have a documented status and a body that matches its schema.
 */
import addFormats from "ajv-formats"
import { Api } from "../../../script/generate/wholeApi.ts"
import { documentOf } from "../../../src/capabilities/documentation/http/openapi/openapi.ts"
import type { Ask, TestServer } from "../../support/server.ts"
import { validatorOf } from "../../support/validator.ts"
import { SEGMENTS, withInvalidField, written } from "./hostile.ts"
import { keyKind, type Operation, operations } from "./operations.ts"
import { bodyFor, pathFor } from "./samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./tenant.ts"

/** Pseudo-random numbers in [0, 1), reproducible by the seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const document = JSON.parse(JSON.stringify(documentOf(Api)))
const ajv = addFormats(validatorOf(document))

const pointer = (text: string) => encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"))

/** The answer's violation of the document; undefined if there is none. */
const faultOf = ({ path, method }: Operation, status: number, body: unknown): string | undefined => {
  if (status >= 500) return `${status} ${JSON.stringify(body)}`
  // about paths, not operations: an unknown path, or the path of another operation
  if (status === 405 || (status === 404 && Object(body).code === "unknown_route")) return undefined
  const at = method.toLowerCase()
  const response = document.paths[path][at].responses[status]
  if (response === undefined) return `${status} is not in the document: ${JSON.stringify(body)}`
  if (response.content?.["application/json"] === undefined) return undefined
  const place = ["paths", path, at, "responses", String(status), "content", "application/json", "schema"]
  const validate = ajv.getSchema(`document#/${place.map(pointer).join("/")}`)
  if (validate === undefined) return `no schema for ${status}`
  return validate(body) === true ? undefined : `${status}: ${ajv.errorsText(validate.errors)}`
}

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  readonly progress?: (done: number) => void
}

/** Sends the requests and returns the distinct faults, as `METHOD path: fault`. */
export const fuzz = async (server: TestServer, { requests, seed, progress }: FuzzOptions) => {
  const random = randomOf(seed)
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)] as A // never empty
  const faults = new Set<string>()
  const statuses = new Map<number, number>()

  const credential = async (operation: Operation, tenant: Tenant): Promise<Ask> => {
    const kinds = kindsOf(operation, keyKind(operation))
    if (random() < 0.1 || kinds.length === 0) return {}
    if (random() < 0.1) return { key: "x".repeat(40), token: "x.y.z", bearer: "x.y.z" }
    return tenant.credentials[pick(kinds)]()
  }
  const pathOf = async (operation: Operation, tenant: Tenant) => {
    const path = await pathFor(operation, tenant)
    if (random() < 0.8) return path
    const [head = "", ...query] = path.split("?")
    const parts = head.split("/")
    parts[1 + Math.floor(random() * (parts.length - 1))] = pick(SEGMENTS)
    return [parts.join("/"), ...query].join("?")
  }
  const bodyOf = async (operation: Operation, tenant: Tenant) => {
    const good = await bodyFor(operation, tenant)
    if (good === undefined || operation.body === undefined || random() < 0.3) return good
    const others = withInvalidField(operation.body, good, operation.example)
    return others.length === 0 ? good : pick(others)
  }
  const send = async (tenant: Tenant) => {
    const operation = pick(operations)
    const body = await bodyOf(operation, tenant)
    const path = await pathOf(operation, tenant)
    const sendRequest = { ...(await credential(operation, tenant)), ...(body !== undefined && { body: written(body) }) }
    const { status, body: answer } = await server.api(operation.method, path, sendRequest)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const fault = faultOf(operation, status, answer)
    if (fault !== undefined) faults.add(`${operation.id}: ${fault}`)
  }

  let tenant = await makeTenant(server)
  for (let done = 1; done <= requests; done++) {
    // If a request revoked the tenant's key or deleted referenced records, a new tenant replaces it
    if (done % 200 === 0) tenant = await makeTenant(server)
    await send(tenant).catch(async () => {
      tenant = await makeTenant(server)
    })
    if (done % 500 === 0) progress?.(done)
  }
  return { faults: [...faults], statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)) }
}
