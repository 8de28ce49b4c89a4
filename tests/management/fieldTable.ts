import { expect, test } from "bun:test"
import type { Answer } from "../support/server.ts"

type Body = Readonly<Record<string, unknown>>

/** One field of a resource: valid values including its bounds, invalid values, and its default. */
export interface Field {
  readonly accepts: ReadonlyArray<unknown>
  readonly refuses: ReadonlyArray<unknown>
  /** If omitted, the field is required. */
  readonly default?: unknown
  /** Null is allowed on create but not in an update, where a clear flag is used instead. */
  readonly nullOnCreate?: boolean
}

export interface Resource {
  /** A valid body; called for each use, so that bodies do not conflict. */
  readonly body: () => Body
  readonly fields: Readonly<Record<string, Field>>
  readonly create: (body: Body) => Promise<Answer>
  readonly update: (uid: string, body: Body) => Promise<Answer>
}

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length} characters)` : text
}

/** The only error names the field and does not quote the value. */
export const expectFault = (answer: Answer, field: string) => {
  expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } })
  expect(answer.body.error).toHaveLength(1)
  expect(answer.body.error[0]).toStartWith(`${field}: `)
  expect(answer.body.trace_id).toBeString()
}

/** Wrong types for any field that is not text. */
export const NOT_A_NUMBER = ["1", 1.5, true, [], {}, Number.MAX_SAFE_INTEGER + 1]
export const NOT_TEXT = [1, true, [], {}, "with \u0000 in it"]
export const NOT_A_FLAG = ["true", 1, [], {}]

/** For each field, on create and on update: valid values are stored, invalid ones refused. */
export const testFields = ({ body, fields, create, update }: Resource) => {
  const created = async (): Promise<Readonly<Record<string, unknown>> & { readonly uid: string }> => {
    const answer = await create(body())
    expect(answer.status).toBe(201)
    return { ...answer.body }
  }

  for (const [name, field] of Object.entries(fields)) {
    for (const value of field.accepts) {
      test(`${name} may be ${shown(value)}`, async () => {
        const answer = await create({ ...body(), [name]: value })
        expect(answer).toMatchObject({ status: 201, body: { [name]: value } })
        const before = await created()
        const { updated_at: _, ...rest } = before
        const updated = await update(before.uid, { [name]: value })
        expect(updated).toMatchObject({ status: 200, body: { ...rest, [name]: value } })
      })
    }

    const takesNull = field.nullOnCreate === true || field.accepts.includes(null) || field.refuses.includes(null)
    // Rule 2.2.12
    if (!takesNull)
      test(`${name} null is its absence`, async () => {
        const answer = await create({ ...body(), [name]: null })
        if ("default" in field) expect(answer).toMatchObject({ status: 201, body: { [name]: field.default } })
        else expectFault(answer, name)
        const before = await created()
        expect(await update(before.uid, { [name]: null })).toMatchObject({
          status: 200,
          body: { [name]: before[name] }
        })
      })
    for (const value of field.refuses) {
      test(`${name} may not be ${shown(value)}`, async () => {
        expectFault(await create({ ...body(), [name]: value }), name)
        const before = await created()
        expectFault(await update(before.uid, { [name]: value }), name)
        expect(await update(before.uid, {})).toMatchObject({ status: 200, body: { [name]: before[name] } })
      })
    }

    test("default" in field ? `${name} is ${shown(field.default)} when left out` : `${name} is required`, async () => {
      const { [name]: _, ...without } = body()
      const answer = await create(without)
      if ("default" in field) expect(answer).toMatchObject({ status: 201, body: { [name]: field.default } })
      else expectFault(answer, name)
    })

    if (field.nullOnCreate === true) {
      test(`${name} may be null on create, and null clears it in an update`, async () => {
        expect(await create({ ...body(), [name]: null })).toMatchObject({ status: 201, body: { [name]: null } })
        const cleared = await update((await created()).uid, { [name]: null })
        expect(cleared).toMatchObject({ status: 200, body: { [name]: null } })
      })
    }
  }

  test("an update of nothing changes nothing", async () => {
    const { updated_at: _, ...before } = await created()
    expect(await update(before.uid as string, {})).toMatchObject({ status: 200, body: before })
  })
}
