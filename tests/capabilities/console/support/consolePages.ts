/** The forms of every page of the console are operations of the interface. Rule 17.2.1. */
import { expect } from "bun:test"
import { Option, Schema, SchemaAST } from "effect"
import { Api } from "../../../../script/generate/wholeApi.ts"
import { operationIn } from "../../../../src/capabilities/console/http/PerformHttp.ts"
import type { ConsoleVisitor } from "../../../support/console.ts"

const operationOf = operationIn(Api)
const forms = (html: string) =>
  [...html.matchAll(/<form[^>]*action="\/console\/\w+\/do"[^>]*>.*?<\/form>/gs)].map(([form]) => ({
    operation: /name="@operation" value="([^"]*)"/.exec(form)?.[1] ?? "",
    fields: [...form.matchAll(/ name="([^"@][^"@]*)(?:@\w+)?"/g)].map(([, name = ""]) => name)
  }))

const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isRefinement(ast)) return namesIn(ast.from)
  if (SchemaAST.isTransformation(ast)) return namesIn(ast.from)
  if (SchemaAST.isDeclaration(ast)) return ast.typeParameters.flatMap(namesIn)
  return SchemaAST.getPropertySignatures(ast).map(({ name }) => String(name))
}

/** Forms without a known operation, or with a field that the operation does not have. */
const faults = (html: string) =>
  forms(html).flatMap(({ operation, fields }) => {
    if (operation === "") return []
    const found = operationOf(operation)
    if (Option.isNone(found)) return [`${operation} is no operation`]
    const known = namesIn(Schema.encodedSchema(found.value.payload as Schema.Schema.AnyNoContext).ast)
    return fields.filter((name) => !known.includes(name.split(".")[0] ?? "")).map((name) => `${operation}: ${name}`)
  })

/** Forms that a browser would send without the session's token. */
const forged = (html: string) =>
  [...html.matchAll(/<form[^>]*method="post".*?<\/form>/gs)].flatMap(([form]) =>
    form.includes('name="@csrf" value="') ? [] : [form]
  )

/** The page, which exists, and whose forms have the session's token and are operations. */
export const checked = async (browser: ConsoleVisitor, address: string) => {
  const { status, text } = await browser.ask(address)
  expect([address, status]).toEqual([address, 200])
  expect([address, ...faults(text), ...forged(text)]).toEqual([address])
  return text
}
