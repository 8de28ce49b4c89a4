/** Stored answers about an erased patient are found by the uids in them. Rule 12.2.11. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { Api } from "../../script/generate/wholeApi.ts"
import { endpointsOf } from "../../src/http/endpoints.ts"
import { keyUse } from "../../src/http/idempotent.ts"
import { AppointmentUid, PatientUid, PharmacyOrderUid } from "../../src/schemas/ids.ts"
import { Idempotency, uidsIn } from "../../src/services/Idempotency.ts"
import { onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { testServer } from "../support/server.ts"
import { withKey } from "../support/withKey.ts"
import { random } from "../support/world.ts"

const server = testServer()

const brandsOf = (ast: SchemaAST.AST) => Option.getOrElse(SchemaAST.getBrandAnnotation(ast), () => [])
/** By which an erasure searches. */
const searched = new Set([AppointmentUid, PatientUid, PharmacyOrderUid].flatMap(({ ast }) => brandsOf(ast)))

/** The names of the fields with such uids; "[]" for those in lists. */
const fieldsOf = (ast: SchemaAST.AST, field: string, seen = new Set<SchemaAST.AST>()): ReadonlyArray<string> => {
  if (brandsOf(ast).some((brand) => searched.has(brand))) return [field]
  if (seen.has(ast)) return []
  seen.add(ast)
  const within = (one: SchemaAST.AST, name = field) => fieldsOf(one, name, seen)
  if (SchemaAST.isTypeLiteral(ast))
    return ast.propertySignatures.flatMap(({ name, type }) => within(type, String(name)))
  if (SchemaAST.isTupleType(ast)) return [...ast.elements, ...ast.rest].flatMap(({ type }) => within(type, "[]"))
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((one) => within(one))
  if (SchemaAST.isSuspend(ast)) return within(ast.f())
  if (SchemaAST.isRefinement(ast)) return within(ast.from)
  if (SchemaAST.isTransformation(ast)) return [...within(ast.from), ...within(ast.to)]
  return SchemaAST.isDeclaration(ast) ? ast.typeParameters.flatMap((one) => within(one)) : []
}

test("every field of a stored answer that an erasure searches is one that is recorded", () => {
  const fields = new Set<string>()
  for (const { endpoint } of endpointsOf(Api))
    if (!["again", "none"].includes(keyUse(endpoint)))
      for (const field of fieldsOf(endpoint.successSchema.ast, "")) fields.add(field)
  expect(fields).toContain("patient_uid")
  const missed = [...fields].filter((field) => uidsIn(field === "[]" ? ["it"] : { [field]: "it" }).length === 0)
  expect(missed).toEqual([])
})

test("the answers about a patient are deleted without decrypting any of the organisation's", async () => {
  const owner_uid = random("org")
  const patient_uid = random("pat")
  const answer = Schema.Struct({ uid: Schema.String, cancelled: Schema.Array(Schema.String) })
  const keep = (key: string, uid: string, cancelled: ReadonlyArray<string> = []) =>
    Effect.flatMap(Idempotency, ({ once }) =>
      once({ owner_uid, scope: "api_key:one", answer }, Effect.succeed({ uid, cancelled }))
    ).pipe(withKey(key))
  const left = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keep("theirs", patient_uid)
      yield* keep("theirs too", random("apt"), [random("apt"), patient_uid])
      yield* keep("another's", `${patient_uid}0`)
      yield* sql`UPDATE idempotency_keys SET response_sealed = 'unreadable' WHERE owner_uid = ${owner_uid}`
      const { forget } = yield* Idempotency
      expect(yield* onlyOwner(random("org"))(forget(owner_uid, [patient_uid]))).toBe(0)
      expect(yield* forget(owner_uid, [random("pat"), patient_uid])).toBe(2)
      return yield* sql<{ key: string }>`SELECT key FROM idempotency_keys WHERE owner_uid = ${owner_uid}`
    }).pipe(onlyOwner(owner_uid), Effect.provide(Idempotency.Default))
  )
  expect(left).toEqual([{ key: "another's" }])
})
