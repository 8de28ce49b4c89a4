/** FHIR resources as JSON and XML, written and read by the table of elements. */

import { Effect, Predicate } from "effect"
import type { XMLParser } from "fast-xml-parser"
import { ensureFewValues, JsonTooLarge } from "../../../http/admission/largeJson.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { onFirstUse } from "../../../services/onFirstUse.ts"
import { FhirRefused, type Issue, refuse } from "../services/refused.ts"
import { attributesOf, complexTypes, type Element, primitives, resources } from "./elements.ts"

export type Format = "json" | "xml"
export type Json = { readonly [name: string]: unknown }

export const contentTypes: Readonly<Record<Format, string>> = {
  json: "application/fhir+json; charset=utf-8",
  xml: "application/fhir+xml; charset=utf-8"
}

const NAMESPACE = "http://hl7.org/fhir"
const escapes = byWord<string>({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })
/** Control characters that XML cannot have are left out. */
const attribute = (value: unknown) =>
  String(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has none of them
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
    .replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
const recordOf = (value: unknown): Json => (Predicate.isRecord(value) ? value : {})

const attributesText = (type: string, value: Json) =>
  attributesOf(type)
    .flatMap((name) => (value[name] === undefined ? [] : ` ${name}="${attribute(value[name])}"`))
    .join("")

const children = (elements: ReadonlyArray<Element>, value: Json): string =>
  elements.map((element) => childOf(element, value)).join("")

const childOf = ({ name, type }: Element, parent: Json): string => {
  if (primitives[type] !== undefined) {
    const values = listOf(parent[name])
    const extras = listOf(parent[`_${name}`])
    return Array.from({ length: Math.max(values.length, extras.length) }, (_, at) => {
      const extra = recordOf(extras[at])
      const value = values[at]
      const inner = listOf(extra.extension)
        .map((one) => complex("extension", "Extension", recordOf(one)))
        .join("")
      const shown = value === undefined || value === null ? "" : ` value="${attribute(value)}"`
      const id = extra.id === undefined ? "" : ` id="${attribute(extra.id)}"`
      return inner === "" ? `<${name}${id}${shown}/>` : `<${name}${id}${shown}>${inner}</${name}>`
    }).join("")
  }
  if (type === "Narrative") return ""
  return listOf(parent[name])
    .map((one) =>
      type === "Resource" ? `<${name}>${resourceXml(recordOf(one))}</${name}>` : complex(name, type, recordOf(one))
    )
    .join("")
}

const complex = (name: string, type: string, value: Json): string => {
  const inner = children(complexTypes[type] ?? [], value)
  const opening = `${name}${attributesText(type, value)}`
  return inner === "" ? `<${opening}/>` : `<${opening}>${inner}</${name}>`
}

const resourceXml = (resource: Json, attributes = ""): string => {
  const type = String(resource.resourceType)
  return `<${type}${attributes}>${children(resources[type] ?? [], resource)}</${type}>`
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/** The whole document. */
export const write = (resource: Json, format: Format): string =>
  format === "json" ? JSON.stringify(resource) : XML_DECLARATION + resourceXml(resource, ` xmlns="${NAMESPACE}"`)

/** A Bundle without entries, divided where they stand; and what stands between two of them. */
export const bundleAround = (rest: Json, format: Format) => {
  const whole = write(rest, format)
  return format === "json"
    ? { head: `${whole.slice(0, -1)},"entry":[`, tail: "]}", comma: "," }
    : { head: whole.slice(0, -"</Bundle>".length), tail: "</Bundle>", comma: "" }
}
export type BundleAround = ReturnType<typeof bundleAround>

export const writeEntry = (entry: Json, format: Format): string =>
  format === "json" ? JSON.stringify(entry) : complex("entry", "BundleEntry", entry)

const fastXml = (): { readonly XMLParser: typeof XMLParser } => require("fast-xml-parser")
const parser = onFirstUse(
  () =>
    new (fastXml().XMLParser)({
      ignoreAttributes: false,
      attributeNamePrefix: "@",
      parseTagValue: false,
      parseAttributeValue: false,
      trimValues: false,
      htmlEntities: true,
      ignoreDeclaration: true,
      removeNSPrefix: false,
      isArray: (_name, _path, _leaf, isAttribute) => !isAttribute
    })
)

const valueOf = (type: string, text: string): unknown => {
  const kind = primitives[type]
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text
  if (kind === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  return text
}

const attributesIn = (type: string, node: Json) =>
  Object.fromEntries(
    attributesOf(type).flatMap((name) => (node[`@${name}`] === undefined ? [] : [[name, node[`@${name}`]]]))
  )

/** The value of a parsed element; names that the table does not have are kept, so that the check finds them. */
const read = (elements: ReadonlyArray<Element>, node: Json): Json => {
  const known = new Map(elements.map((element) => [element.name, element]))
  const found = new Map<string, unknown>()
  // In the table's order, unknown ones last
  const names = [
    ...elements.map(({ name }) => name).filter((name) => Object.hasOwn(node, name)),
    ...Object.keys(node).filter((name) => !name.startsWith("@") && name !== "#text" && !known.has(name))
  ]
  for (const name of names) {
    const element = known.get(name)
    const nodes = listOf(node[name]).map(recordOf)
    if (element === undefined) {
      found.set(name, null)
      continue
    }
    const { type, many } = element
    if (type === "Narrative") continue
    if (primitives[type] === undefined) {
      const values = nodes.map((one) =>
        type === "Resource" ? resourceIn(one) : { ...attributesIn(type, one), ...read(complexTypes[type] ?? [], one) }
      )
      found.set(name, many || values.length > 1 ? values : values[0])
      continue
    }
    const values = nodes.map((one) => (one["@value"] === undefined ? null : valueOf(type, String(one["@value"]))))
    const extras = nodes.map((one) => {
      const extension = listOf(one.extension).map((inner) => ({
        ...attributesIn("Extension", recordOf(inner)),
        ...read(complexTypes.Extension ?? [], recordOf(inner))
      }))
      const extra = {
        ...(one["@id"] !== undefined && { id: one["@id"] }),
        ...(extension.length > 0 && { extension })
      }
      return Object.keys(extra).length === 0 ? null : extra
    })
    const isList = many || nodes.length > 1
    if (values.some((value) => value !== null)) found.set(name, isList ? values : values[0])
    if (extras.some((extra) => extra !== null)) found.set(`_${name}`, isList ? extras : extras[0])
  }
  return Object.fromEntries(found)
}

const resourceIn = (node: Json): Json => {
  const [type = ""] = Object.keys(node).filter((name) => !name.startsWith("@") && name !== "#text")
  return { resourceType: type, ...read(resources[type] ?? [], recordOf(listOf(node[type])[0])) }
}

/** Elements and attributes of XML, values of JSON; a booking has some 100. They are parsed while others wait: 20 ms. */
export const PARTS_MAX = 5_000

const unreadable = (what: string) => refuse(400, "structure", what)

const parseXml = Effect.fnUntraced(function* (text: string) {
  if ((text.match(/<(?![/!?])|=/g)?.length ?? 0) > PARTS_MAX)
    return yield* unreadable(`The body must have at most ${PARTS_MAX.toLocaleString("en")} elements and attributes`)
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return yield* unreadable("XML must have no document type")
  return yield* Effect.try({
    try: () => resourceIn(recordOf(parser().parse(text))),
    catch: () => unreadable("The body is no well-formed XML")
  })
})

/** Reads JSON, within the limit of values. */
export const parseJson = (text: string): Effect.Effect<unknown, FhirRefused> =>
  Effect.try({
    try: () => {
      ensureFewValues(Buffer.from(text), PARTS_MAX)
      return JSON.parse(text)
    },
    catch: (error) => unreadable(error instanceof JsonTooLarge ? `The body ${error.message}` : "The body is no JSON")
  })

const EXTRA_FIELDS = new Set(["id", "extension"])
/** Deeper values are refused. */
export const MAX_DEPTH = 30

const faultsOf = (
  value: unknown,
  elements: ReadonlyArray<Element>,
  at: string,
  own: ReadonlyArray<string>,
  depth: number
): ReadonlyArray<Issue> => {
  if (depth > MAX_DEPTH) return [{ code: "structure", text: "nests too deeply", at }]
  if (!Predicate.isRecord(value) || Array.isArray(value))
    return [{ code: "structure", text: `${at}: must be an object`, at }]
  const byName = new Map(elements.map((element) => [element.name, element]))
  return Object.entries(value).flatMap(([name, inner]): ReadonlyArray<Issue> => {
    if (own.includes(name)) {
      return typeof inner === "string"
        ? []
        : [{ code: "structure", text: `${at}.${name}: must be text`, at: `${at}.${name}` }]
    }
    const base = name.startsWith("_") ? name.slice(1) : name
    const element = byName.get(base)
    const place = `${at}.${base}`
    if (element === undefined || (name.startsWith("_") && primitives[element.type] === undefined))
      return [{ code: "structure", text: `${place}: is no element that is known here`, at: place }]
    if (element.many !== Array.isArray(inner))
      return [
        { code: "structure", text: `${place}: ${element.many ? "must be a list" : "must be one value"}`, at: place }
      ]
    const all = element.many ? listOf(inner) : [inner]
    if (all.length === 0) return [{ code: "structure", text: `${place}: must not be an empty list`, at: place }]
    return all.flatMap((one, index) => {
      const where = element.many ? `${place}[${index}]` : place
      return name.startsWith("_") ? faultsOfExtra(one, where, depth) : faultsOfValue(one, element, where, depth)
    })
  })
}

const faultsOfExtra = (value: unknown, at: string, depth: number): ReadonlyArray<Issue> => {
  if (value === null) return []
  if (!Predicate.isRecord(value) || Object.keys(value).some((name) => !EXTRA_FIELDS.has(name)))
    return [{ code: "structure", text: `${at}: has an id and extensions alone`, at }]
  return listOf(value.extension).flatMap((one, index) =>
    faultsOf(one, complexTypes.Extension ?? [], `${at}.extension[${index}]`, attributesOf("Extension"), depth + 1)
  )
}

const faultsOfValue = (value: unknown, { type, many }: Element, at: string, depth: number): ReadonlyArray<Issue> => {
  const kind = primitives[type]
  if (kind !== undefined) {
    // A list of primitives has null where only an extension is
    const isRight = typeof value === kind || (many && value === null)
    if (!isRight) return [{ code: "structure", text: `${at}: must be a ${kind === "string" ? "text" : kind}`, at }]
    return value === "" ? [{ code: "structure", text: `${at}: must not be empty`, at }] : []
  }
  if (type === "Narrative")
    return Predicate.isRecord(value) ? [] : [{ code: "structure", text: `${at}: must be an object`, at }]
  if (type === "Resource") return faultsOfResource(value, at, depth + 1)
  return faultsOf(value, complexTypes[type] ?? [], at, attributesOf(type), depth + 1)
}

const faultsOfResource = (value: unknown, at: string, depth: number): ReadonlyArray<Issue> => {
  const type = recordOf(value).resourceType
  if (typeof type !== "string") return [{ code: "structure", text: `${at}: must have a resourceType`, at }]
  const elements = resources[type]
  if (elements === undefined)
    return [{ code: "not-supported", text: `${at}: ${type.slice(0, 64)} is not taken here`, at }]
  return faultsOf(value, elements, at, ["resourceType"], depth)
}

const ISSUES_MAX = 50

/** Reads a resource from JSON or XML, whichever the text is, and checks its elements. */
export const readResource = Effect.fnUntraced(function* (text: string) {
  const sent = yield* text.trimStart().startsWith("<") ? parseXml(text) : parseJson(text)
  const type = recordOf(sent).resourceType
  const issues = faultsOfResource(sent, typeof type === "string" ? type : "Resource", 0)
  if (issues.length > 0) return yield* new FhirRefused({ status: 400, issues: issues.slice(0, ISSUES_MAX) })
  return recordOf(sent)
})
