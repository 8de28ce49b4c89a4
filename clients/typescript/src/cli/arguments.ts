// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util"
import { type Sprechstunde, sprechstunde } from "../index.ts"

/** Something that the caller can put right: told in one line, without a stack. */
export class UsageError extends Error {}

const options = {
  "api-key": { type: "string" },
  "base-url": { type: "string" },
  forward: { type: "string" },
  secret: { type: "string" },
  type: { type: "string" },
  after: { type: "string" },
  count: { type: "string" },
  pharmacy: { type: "string" },
  shop: { type: "string" },
  "appointment-type": { type: "string" },
  prescription: { type: "string" },
  write: { type: "boolean" },
  help: { type: "boolean", short: "h" }
} as const

export type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>["values"]

export const parsed = (words: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const DEFAULT_URL = "http://127.0.0.1:8080"

/** The address of the installation that the options or the environment name. */
export const addressFrom = (values: Values) => values["base-url"] ?? process.env.SPRECHSTUNDE_URL ?? DEFAULT_URL
export const keyFrom = (values: Values) => {
  const apiKey = values["api-key"] ?? process.env.SPRECHSTUNDE_API_KEY
  if (apiKey === undefined) throw new UsageError("No key: set SPRECHSTUNDE_API_KEY, or give --api-key")
  return apiKey
}
/** The client of that installation and key. */
export const clientFrom = (values: Values): Sprechstunde =>
  sprechstunde({ baseUrl: addressFrom(values), apiKey: keyFrom(values) })

/** How many to handle before the command ends; without the option it runs until it is stopped. */
export const countFrom = ({ count }: Values) => {
  const number = Number(count ?? Number.POSITIVE_INFINITY)
  if (!(number >= 1)) throw new UsageError("--count: a number of at least 1")
  return number
}
