/** Names the bodies of an OpenAPI document, so that generators create one type for each. */
import { type JsonSchema, SCHEMAS } from "./examples.ts"

interface Media {
  schema: JsonSchema
}
interface Body {
  readonly content?: Readonly<Record<string, Media>>
}
interface Named {
  readonly operationId: string
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

const refTo = (name: string): JsonSchema => ({ $ref: `${SCHEMAS}${name}` })
const pascal = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

const isObject = ({ $ref, type, anyOf, oneOf, properties }: JsonSchema) =>
  $ref === undefined && (type === "object" || anyOf !== undefined || oneOf !== undefined || properties !== undefined)

/** Moves every anonymous body into `schemas` under its operation's name; identical schemas share one name. */
export const nameBodies = (operations: ReadonlyArray<Named>, schemas: Record<string, JsonSchema>) => {
  const known = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  const name = (media: Media, wanted: string) => {
    if (!isObject(media.schema)) return
    const text = JSON.stringify(media.schema)
    const found = known.get(text) ?? wanted
    known.set(text, found)
    schemas[found] ??= media.schema
    media.schema = refTo(found)
  }
  for (const { operationId, requestBody, responses } of operations) {
    for (const media of Object.values(requestBody?.content ?? {})) name(media, `${pascal(operationId)}Request`)
    for (const [status, { content }] of Object.entries(responses))
      for (const media of Object.values(content ?? {})) {
        const wanted = `${pascal(operationId)}Response`
        // a second status with a body of its own
        name(media, wanted in schemas ? `${wanted}${status}` : wanted)
      }
  }
}
