/** What a page's form may have at most (Rule 22.9.4). */
import { expect, test } from "bun:test"
import { PARTS_MAX, sentFormOf } from "../../../src/capabilities/forms/http/multipart.ts"
import type { FormItem } from "../../../src/capabilities/forms/schemas/Form.ts"
import { answerOf } from "../../../src/capabilities/forms/services/screens.ts"

const item: FormItem = {
  ...({ link_id: "one", type: "string", text: "Was?", required: false, repeats: true, options: [] } as const),
  ...({ max_length: null, min: null, max: null, enable_when: [], enable_behavior: "all", items: [] } as const)
}

test("fields beyond the most are left out, in both forms in which browsers send them", () => {
  const boundary = "--one"
  const part = `\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n${boundary}`
  for (const body of ["a=x&".repeat(3 * PARTS_MAX), `${boundary}${part.repeat(3 * PARTS_MAX)}--`])
    expect(sentFormOf(Buffer.from(body)).fields.getAll("a")).toHaveLength(PARTS_MAX)
})

test("of a text's lines no more are read than a form refuses", () => {
  expect(answerOf(item, ["x\n".repeat(100_000)])).toHaveLength(1_000)
})
