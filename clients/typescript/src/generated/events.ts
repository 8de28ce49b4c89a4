// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.
import type {  } from "./schemas.ts"

/** The events by their type. */
export interface Events {
}

/** An example of each event, as the OpenAPI document has it. */
export const exampleEvents: Events = {}
