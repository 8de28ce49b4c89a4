/**
 * Conversion of values that our own code or database made, compiled once from their schema. It takes over the declared fields and converts
 * what the schema converts, and checks nothing: what comes from outside is decoded by Schema. The tests compare every conversion with
 * Schema's own (`comparison`).
 */
import { Schema, SchemaAST } from "effect"

type Way = "decoded" | "encoded"
/** The cast from `never`: each conversion is given what its part of the schema describes. */
type Convert = (value: never) => unknown

/** Annotation of a transformation that changes only what comes from outside: our own values are stored, read and written as they are. */
export const KeptAsIs = Symbol.for("sprechstunde/KeptAsIs")

/** Annotation of a declaration that only checks more of its parameter: our own values are converted as the parameter says. */
export const ChecksMore = Symbol.for("sprechstunde/ChecksMore")

const same: Convert = (value) => value

const bySchema = (ast: SchemaAST.AST, way: Way): Convert => {
  const schema = Schema.make<unknown, unknown, never>(ast)
  return way === "decoded" ? Schema.decodeUnknownSync(schema) : Schema.encodeSync(schema)
}

const isNull = (ast: SchemaAST.AST) => SchemaAST.isLiteral(ast) && ast.literal === null

/** The literal that the structs of a type have in this field. */
const literalOf = (struct: SchemaAST.TypeLiteral, field: PropertyKey) => {
  const type = struct.propertySignatures.find(({ name }) => name === field)?.type
  return type !== undefined && SchemaAST.isLiteral(type) ? type.literal : undefined
}

/** A union of structs that the literal of one field tells apart. */
const ofTagged = (types: ReadonlyArray<SchemaAST.AST>, way: Way): Convert | undefined => {
  const structs = types.filter(SchemaAST.isTypeLiteral)
  const tag = structs[0]?.propertySignatures.find(({ name }) => {
    const literals = structs.flatMap((struct) => literalOf(struct, name) ?? [])
    return new Set(literals).size === types.length
  })?.name
  if (tag === undefined) return undefined
  const converts = new Map(structs.map((struct) => [literalOf(struct, tag), ofStruct(struct, way)]))
  return (record: Readonly<Record<PropertyKey, never>>) => {
    const convert = converts.get(record[tag])
    if (convert === undefined)
      throw new Error(`no type of the union has ${JSON.stringify(record[tag])} as ${String(tag)}`)
    return convert(record as never) // of the type with this literal
  }
}

const ofUnion = (ast: SchemaAST.Union, way: Way): Convert => {
  const others = ast.types.filter((type) => !isNull(type))
  const converts = others.map((type) => compiled(type, way))
  const [only] = converts
  if (converts.every((convert) => convert === same)) return same
  if (only === undefined || converts.length > 1) return ofTagged(ast.types, way) ?? bySchema(ast, way)
  return (value) => (value === null ? null : only(value))
}

const ofList = (ast: SchemaAST.TupleType, way: Way): Convert => {
  const [items] = ast.rest
  if (items === undefined || ast.rest.length > 1 || ast.elements.length > 0) return bySchema(ast, way)
  const convert = compiled(items.type, way)
  return convert === same ? same : (values: ReadonlyArray<never>) => values.map((value) => convert(value))
}

const ofStruct = (ast: SchemaAST.TypeLiteral, way: Way): Convert => {
  if (ast.indexSignatures.length > 0) return bySchema(ast, way)
  const fields = ast.propertySignatures.map(({ name, type, isOptional }) => ({
    name,
    isOptional,
    convert: compiled(type, way)
  }))
  return (record: Readonly<Record<PropertyKey, never>>) => {
    const made: Record<PropertyKey, unknown> = {}
    for (const { name, isOptional, convert } of fields)
      if (!isOptional || Object.hasOwn(record, name)) made[name] = convert(record[name] as never) // of the field's own type
    return made
  }
}

const ofDeclaration = (ast: SchemaAST.Declaration, way: Way): Convert => {
  const [parameter] = ast.typeParameters
  if (parameter === undefined) return same // a check
  return ast.annotations[ChecksMore] === true ? compiled(parameter, way) : bySchema(ast, way)
}

/** A schema that refers to a list which is complete only after start. */
const whenUsed = (ast: SchemaAST.Suspend, way: Way): Convert => {
  let convert: Convert | undefined
  return (value) => {
    convert ??= compiled(ast.f(), way)
    return convert(value)
  }
}

const compiled = (ast: SchemaAST.AST, way: Way): Convert => {
  switch (ast._tag) {
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
    case "UndefinedKeyword":
    case "Literal":
    case "TemplateLiteral":
      return same
    case "Refinement":
      return compiled(ast.from, way)
    case "Transformation":
      return ast.annotations[KeptAsIs] === true ? same : bySchema(ast, way)
    case "Declaration":
      return ofDeclaration(ast, way)
    case "Union":
      return ofUnion(ast, way)
    case "TupleType":
      return ofList(ast, way)
    case "TypeLiteral":
      return ofStruct(ast, way)
    case "Suspend":
      return whenUsed(ast, way)
    default:
      return bySchema(ast, way)
  }
}

/** Set by the tests: is given each value with its schema, and what was made of it. */
export const comparison: {
  compare: ((schema: Schema.Schema.AnyNoContext, way: Way, value: unknown, made: unknown) => void) | null
} = { compare: null }

const converter = (schema: Schema.Schema.AnyNoContext, way: Way) => {
  let convert: Convert | undefined
  return (value: unknown): unknown => {
    convert ??= compiled(schema.ast, way)
    const made = convert(value as never) // as the schema says, since our own code or database made it
    comparison.compare?.(schema, way, value, made)
    return made
  }
}

/** Decodes what our own database or code has written. */
export const decoderOf = <A, I>(schema: Schema.Schema<A, I>) => converter(schema, "decoded") as (value: unknown) => A

/** Encodes what our own code has made. */
export const encoderOf = <A, I>(schema: Schema.Schema<A, I>) => converter(schema, "encoded") as (value: A) => I
