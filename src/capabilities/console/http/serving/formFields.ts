/** Converts the fields of a console form to an operation's body; the operation's schema decides the type of each. */

import { HttpServerRequest } from "@effect/platform"
import { Effect, type Schema, SchemaAST } from "effect"
import { BodyTooLarge } from "../../../../http/admission/GuardedRequest.ts"
import { byWord } from "../../../../schemas/byWord.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import type { AddedUnits } from "../../../shared/http/pages.ts"
import { zonedInstant } from "../../../shared/pages/zoned.ts"

export type Fields = ReadonlyMap<string, ReadonlyArray<string>>

export const MAX_FIELDS = 2_000

/** Whether the character occurs more than `most` times. Checked before the text is split. */
export const hasMore = (text: string, character: string, most: number) => {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count++
  return count > most
}

/** The request's fields by name. Names that begin with @ are for the console, not the operation. Dies with `BodyTooLarge`. */
export const readFields = Effect.gen(function* () {
  const body = yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => text)
  if (hasMore(body, "&", MAX_FIELDS)) return yield* Effect.die(new BodyTooLarge({ limit: MAX_FIELDS }))
  const sent = new URLSearchParams(body)
  const fields: Fields = new Map(
    [...Map.groupBy(sent, ([name]) => name)].map(([name, pairs]) => [
      name,
      pairs.map(([, value]) => value.replaceAll("\r\n", "\n"))
    ])
  )
  return fields
})

/** The last value of a field; empty without one. */
export const valueIn = (fields: Fields) => (name: string) => fields.get(name)?.at(-1)?.trim() ?? ""

/** 09:30 → 570 */
export const clockMinutes = (text: string) => {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  return hours === undefined ? text : String(Number(hours) * 60 + Number(minutes))
}

const sixtieths = (text: string) => {
  const number = Number(text.replace(",", "."))
  return Number.isNaN(number) ? text : String(Math.round(number * 60))
}

/** Converts input formats to the API's units: `name@kind` in a form becomes `name`. Invalid text is passed on for the API to reject. */
const unitParsers = byWord<(text: string, zone: string) => string>({
  /** 12,50 → 1250 */
  euro: (text) => {
    const amount = /^\s*(\d+)(?:[.,](\d{1,2}))?\s*€?\s*$/.exec(text)
    return amount === null ? text : String(Number(amount[1]) * 100 + Number((amount[2] ?? "").padEnd(2, "0")))
  },
  /** 1,5 → 90: minutes to seconds */
  minutes: sixtieths,
  /** 1,5 → 90: hours to minutes */
  hours: sixtieths,
  /** 09:30 → 570 */
  clock: clockMinutes,
  /** 2026-05-01 → Unix seconds of the UTC midnight */
  day: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? String(Date.parse(`${text}T00:00Z`) / 1000) : text),
  /** 2026-05-01 → Unix seconds of the midnight in the zone, and of the one after it */
  from: (text, zone) => String(zonedInstant(`${text}T00:00`, zone) ?? text),
  until: (text, zone) => {
    const midnight = zonedInstant(`${text}T12:00`, zone)
    return midnight === undefined ? text : String(zonedInstant(nextDay(text), zone) ?? text)
  },
  /** 2026-05-01T09:30 → Unix seconds in the zone */
  local: (text, zone) => String(zonedInstant(text, zone) ?? text)
})

const nextDay = (text: string) =>
  `${new Date((Date.parse(`${text}T00:00Z`) / 1000 + DAY) * 1000).toISOString().slice(0, 10)}T00:00`

/** 0-720 of `times@ranges`, in minutes of the day, as the fields of a list: `times.0.from` and `times.0.to`. */
const rangesOf = (
  name: string,
  values: ReadonlyArray<string>
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  values.flatMap((text, index) => {
    const [from = "", to = ""] = text.split("-")
    return [
      [`${name}.${index}.from`, [from]],
      [`${name}.${index}.to`, [to]]
    ]
  })

/** A value of `list@each.{key}.{field}.{uid}` as an entry of the list: `list.0.{key}` is the uid. None for an empty field or 0. */
const entryOf = (
  name: string,
  unit: string,
  at: number,
  text: string
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const [, key, field, uid = ""] = /^each\.(\w+)\.(\w+)\.(.+)$/.exec(unit) ?? []
  return key === undefined || text === "" || text === "0"
    ? []
    : [
        [`${name}.${at}.${key}`, [uid]],
        [`${name}.${at}.${field}`, [text]]
      ]
}

/** Splits `@slot` of a button, `start.doctor`, into the operation's two fields. */
const slotOf = (fields: Fields): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const [start = "", ...doctor] = (fields.get("@slot")?.at(-1) ?? "").split(".")
  if (start === "") return []
  const named = fields.get("@operation")?.[0]?.endsWith("/rebook") ? "new_" : ""
  return [
    [`${named}start_date`, [start]],
    [`${named}doctor_uid`, [doctor.join(".")]]
  ]
}

/** Converts names and units to the API's. `added`: units of capabilities. */
export const withUnits = (fields: Fields, added: AddedUnits = {}): Fields => {
  const zone = fields.get("@zone")?.[0] ?? "Europe/Berlin"
  return new Map([
    ...slotOf(fields),
    ...[...fields].flatMap(([name, values], at): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
      if (name.startsWith("@")) return []
      const [plain = name, unit] = name.split("@")
      // `password@kept`: an empty field leaves the stored value as it is
      if (unit === "kept" && values.at(-1) === "") return []
      if (unit?.startsWith("each.") === true) return entryOf(plain, unit, at, values.at(-1) ?? "")
      if (unit === "ranges") return rangesOf(plain, values)
      const [own = "", of = ""] = unit?.split(".") ?? []
      if (Object.hasOwn(added, own)) return added[own]?.({ name: plain, of, values, fields }) ?? []
      const read = unit !== undefined && Object.hasOwn(unitParsers, unit) ? unitParsers[unit] : undefined
      return [[plain, read === undefined ? values : values.map((text) => (text === "" ? "" : read(text, zone)))]]
    })
  ])
}

/**
 * What a button of a form does to a list in it, which is then shown again unsent: `items.2 up`, `items.2 down`, `items.2 remove`, or
 * `items add type=text&…` with the fields of a new entry, `title set en=` with fields beside the others. Entries are numbered anew; `@at` is the place of the one that it was about.
 */
export const rearranged = (fields: Fields, text: string): Fields => {
  const [place = "", act, query = ""] = text.split(" ")
  const fresh = [...new URLSearchParams(query)]
  if (act === "set")
    return new Map([...fields, ...fresh.map(([name, value]) => [`${place}.${name}`, [value]] as const)])
  const [, list = place, number] = /^(.+)\.(\d+)$/.exec(place) ?? []
  const entries = entriesOf(list, fields).map(([at]) => at)
  const at = act === "add" ? entries.length : entries.indexOf(Number(number))
  if (at === -1) return fields
  const others = entries.toSpliced(at, 1)
  const to = Math.min(Math.max(at + (act === "up" ? -1 : act === "down" ? 1 : 0), 0), others.length)
  const order = act === "add" ? entries : act === "remove" ? others : others.toSpliced(to, 0, Number(number))
  const kept = [...fields].flatMap(([name, values]): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
    const [, own, rest = ""] = name.startsWith(`${list}.`)
      ? (/^(\d{1,3})(.*)$/s.exec(name.slice(list.length + 1)) ?? [])
      : []
    const index = own === undefined ? null : order.indexOf(Number(own))
    return index === null ? [[name, values]] : index === -1 ? [] : [[`${list}.${index}${rest}`, values]]
  })
  return new Map([
    ...kept,
    ...(act === "add" ? fresh : []).map(([name, value]) => [`${list}.${at}.${name}`, [value]] as const),
    ["@at", [`${list}.${to}`]]
  ])
}

/** The encoded schema, without refinements, transformations and suspensions. */
const bare = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (SchemaAST.isRefinement(ast)) return bare(ast.from)
  if (SchemaAST.isTransformation(ast)) return bare(ast.from)
  if (SchemaAST.isSuspend(ast)) return bare(ast.f())
  const inner = SchemaAST.isDeclaration(ast) ? ast.typeParameters[0] : undefined
  return inner === undefined ? ast : bare(inner)
}

const isNull = (ast: SchemaAST.AST) => SchemaAST.isLiteral(ast) && ast.literal === null

/** Parses a field of unknown type, or a record, as JSON; text that is not JSON stays text. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const single = (ast: SchemaAST.AST, text: string | undefined): unknown => {
  if (text === undefined) return undefined
  if (SchemaAST.isUnion(ast)) {
    const kinds = ast.types.map(bare)
    if (text === "" && kinds.some(isNull)) return null
    const scalars = kinds.filter((one) => !isNull(one) && !SchemaAST.isUndefinedKeyword(one))
    const [kind] = scalars
    // text, a number or yes and no: which of them, the form says
    if (scalars.some(SchemaAST.isStringKeyword) && scalars.some(SchemaAST.isBooleanKeyword)) return jsonIn(text)
    return kind === undefined ? text : single(kind, text)
  }
  if (SchemaAST.isNumberKeyword(ast))
    return text === "" || Number.isNaN(Number(text)) ? text || undefined : Number(text)
  if (SchemaAST.isUnknownKeyword(ast)) return jsonIn(text)
  if (SchemaAST.isBooleanKeyword(ast)) return text === "true" || text === "on"
  return text
}

/** Whether the form has the discriminator of this member of a union, e.g. its `kind`. */
const isDiscriminated = (ast: SchemaAST.AST, prefix: string, fields: Fields) =>
  SchemaAST.isTypeLiteral(ast) &&
  ast.propertySignatures.some(
    ({ name, type }) => SchemaAST.isLiteral(type) && fields.get(prefix + String(name))?.at(-1) === type.literal
  )

/** The object or array in a union: forms express null and undefined by omitting the field. */
const composite = (ast: SchemaAST.AST, name: string, fields: Fields): SchemaAST.AST => {
  const kind = bare(ast)
  if (!SchemaAST.isUnion(kind)) return kind
  const parts = kind.types
    .map((part) => composite(part, name, fields))
    .filter((part) => SchemaAST.isTypeLiteral(part) || SchemaAST.isTupleType(part))
  return parts.find((part) => isDiscriminated(part, name === "" ? "" : `${name}.`, fields)) ?? parts[0] ?? kind
}

const mayBeNull = (ast: SchemaAST.AST): boolean => {
  const kind = bare(ast)
  return SchemaAST.isUnion(kind) ? kind.types.some(mayBeNull) : isNull(kind)
}

/** The fields of each record of a list in a form, by its index, in order: from names such as `texts.0.language`. */
const entriesOf = (name: string, fields: Fields) => {
  const entries = new Map<number, Map<string, ReadonlyArray<string>>>()
  for (const [key, values] of fields) {
    const [number = ""] = key.startsWith(`${name}.`) ? key.slice(name.length + 1).split(".", 1) : []
    if (!/^\d{1,3}$/.test(number)) continue
    const entry = entries.get(Number(number)) ?? new Map<string, ReadonlyArray<string>>()
    entries.set(Number(number), entry.set(key, values))
  }
  return [...entries].sort(([a], [b]) => a - b)
}

const read = (ast: SchemaAST.AST, name: string, fields: Fields): unknown => {
  const kind = composite(ast, name, fields)
  if (SchemaAST.isTypeLiteral(kind)) {
    const whole = fields.get(name)?.at(-1)
    if (whole !== undefined && kind.propertySignatures.length === 0) return whole === "" ? null : jsonIn(whole)
    const named = kind.propertySignatures.map(({ name, type }) => [String(name), type] as const)
    const prefix = name === "" ? "" : `${name}.`
    const own = named.flatMap(([key, type]) => {
      const value = read(type, prefix + key, fields)
      return value === undefined ? [] : [[key, value] as const]
    })
    // Keys of an index signature
    const free = [...fields].flatMap(([key, [value]]) =>
      kind.indexSignatures.length > 0 && key.startsWith(prefix) && !named.some(([known]) => prefix + known === key)
        ? [[key.slice(prefix.length), value] as const]
        : []
    )
    const given = [...own, ...free].filter(([, value]) => value !== "" || name === "")
    // a record that may be null, without a value for any field
    if (name !== "" && given.length === 0 && whole === "" && mayBeNull(ast)) return null
    return name !== "" && given.length === 0 ? undefined : Object.fromEntries(given)
  }
  if (SchemaAST.isTupleType(kind)) {
    const entry = kind.rest[0]?.type
    const entries = entry === undefined ? [] : entriesOf(name, fields)
    if (entry !== undefined && entries.length > 0)
      return entries.flatMap(([number, own]) => {
        const value = read(entry, `${name}.${number}`, own)
        return value === undefined ? [] : [value]
      })
    // `patient_profile_fields.first_name` → { field, value }
    const pairs = [...fields].flatMap(([key, [value]]) =>
      key.startsWith(`${name}.`) && value !== undefined && value !== ""
        ? [{ field: key.slice(name.length + 1), value }]
        : []
    )
    if (pairs.length > 0) return pairs
    return fields
      .get(name)
      ?.flatMap((text) => (text === "" ? [] : [entry === undefined ? text : single(bare(entry), text)]))
  }
  return single(kind, fields.get(name)?.at(-1))
}

/** Builds the operation's body from a form's fields. */
export const bodyOf = (payload: Schema.Schema.All, fields: Fields, added?: AddedUnits): unknown => {
  const sent = read(payload.ast, "", withUnits(fields, added))
  return sent ?? {}
}
