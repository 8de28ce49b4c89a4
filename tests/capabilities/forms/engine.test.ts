/** Conditions and validation against a second evaluator, over random forms (Rules 22.1.3 and 22.2.1 to 22.2.5). */
import { expect, test } from "bun:test"
import { Schema } from "effect"
import { type Condition, FormItem, NewForm } from "../../../src/capabilities/forms/schemas/Form.ts"
import { faultsOfItems } from "../../../src/capabilities/forms/schemas/formRules.ts"
import { flattened, judge } from "../../../src/capabilities/forms/services/engine.ts"

const FORMS = 10_000
const decodeForm = Schema.decodeUnknownSync(NewForm)

/** mulberry32: a seed repeats a form. */
const generator = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const types = ["group", "display", "boolean", "choice", "string", "text", "integer", "decimal", "date", "file"] as const
const dates = ["1999-12-31", "2024-02-29", "2026-06-01"]

const valuesOf: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  boolean: [true, false],
  choice: ["a", "b", "c"],
  string: ["x", "y", "z"],
  text: ["x", "y", "z"],
  integer: [0, 1, 2, 3],
  decimal: [0, 0.5, 1.5],
  date: dates,
  file: ["fil_1"]
}

const randomForm = (random: () => number) => {
  const pick = <A>(of: ReadonlyArray<A>) => of[Math.floor(random() * of.length)] as A
  const earlier: Array<{ link_id: string; type: string }> = []
  let made = 0
  const items = (depth: number): ReadonlyArray<Record<string, unknown>> =>
    Array.from({ length: 1 + Math.floor(random() * (depth === 0 ? 6 : 3)) }, () => {
      const type = depth > 2 ? pick(types.slice(1)) : pick(types)
      const link_id = `q${made++}`
      const enable_when = Array.from({ length: earlier.length === 0 ? 0 : Math.floor(random() * 3) }, () => {
        const named = pick(earlier)
        const ordered = ["integer", "decimal", "date"].includes(named.type)
        const operator =
          named.type === "file" ? "exists" : pick(ordered ? ["=", "!=", ">", "<", "exists"] : ["=", "!=", "exists"])
        const answer = operator === "exists" ? random() < 0.5 : pick(valuesOf[named.type] ?? [])
        return { link_id: named.link_id, operator, answer }
      })
      const answered = type !== "group" && type !== "display"
      const item = {
        link_id,
        type,
        text: "?",
        enable_when,
        enable_behavior: pick(["all", "any"]),
        required: answered && random() < 0.3,
        repeats: answered && type !== "boolean" && random() < 0.3,
        ...(type === "choice" && { options: ["a", "b", "c"].map((code) => ({ code, text: code })) }),
        ...(type === "group" && { items: items(depth + 1) })
      }
      if (answered) earlier.push({ link_id, type })
      return item
    })
  return { title: "Random", items: items(0) }
}

/**
 * The second evaluator. It knows a form as a flat list of items with every condition above them, and looks for the greatest set of
 * answers that is consistent: it starts with all answers, and takes away those of disabled items until nothing changes.
 */
const secondOpinion = (items: ReadonlyArray<FormItem>, sent: Readonly<Record<string, unknown>>) => {
  interface Flat {
    readonly item: FormItem
    readonly gates: ReadonlyArray<FormItem>
  }
  const flat: Array<Flat> = []
  const walk = (some: ReadonlyArray<FormItem>, gates: ReadonlyArray<FormItem>) => {
    for (const item of some) {
      flat.push({ item, gates: [...gates, item] })
      walk(item.items, [...gates, item])
    }
  }
  walk(items, [])
  const values = (link_id: string): ReadonlyArray<unknown> => [sent[link_id] ?? []].flat()
  const open = new Map<string, boolean>()
  const verdict = ({ link_id, operator, answer }: Condition) => {
    const found = open.get(link_id) === true ? values(link_id) : []
    const compared = found.map((one) =>
      Math.sign(Number(String(one) > String(answer)) - Number(String(one) < String(answer)))
    )
    const numeric = found.map((one) => (typeof one === "number" ? Math.sign(one - Number(answer)) : undefined))
    const signs = compared.map((sign, i) => numeric[i] ?? sign)
    return {
      exists: (found.length !== 0) === answer,
      "=": signs.some((sign) => sign === 0),
      "!=": found.length > 0 && !signs.some((sign) => sign === 0),
      ">": signs.some((sign) => sign === 1),
      "<": signs.some((sign) => sign === -1)
    }[operator]
  }
  const passes = ({ enable_when, enable_behavior }: FormItem) => {
    const failed = enable_when.filter((one) => !verdict(one)).length
    return enable_when.length === 0 || (enable_behavior === "all" ? failed === 0 : failed < enable_when.length)
  }
  for (const { item, gates } of flat) open.set(item.link_id, gates.every(passes))
  const asked = flat.filter(
    ({ item }) => open.get(item.link_id) === true && item.type !== "group" && item.type !== "display"
  )
  return {
    answers: Object.fromEntries(
      asked.flatMap(({ item }) => (values(item.link_id).length > 0 ? [[item.link_id, sent[item.link_id]]] : []))
    ),
    missing: asked.flatMap(({ item }) => (item.required && values(item.link_id).length === 0 ? [item.link_id] : [])),
    enabled: [...open].flatMap(([link_id, isOpen]) => (isOpen ? [link_id] : [])).toSorted()
  }
}

test(`conditions of ${FORMS} random forms agree with a second evaluator`, () => {
  let conditions = 0
  let disabled = 0
  for (let seed = 1; seed <= FORMS; seed++) {
    const random = generator(seed)
    const { items } = decodeForm(randomForm(random))
    const all = flattened(items)
    const sent: Record<string, unknown> = {}
    for (const { link_id, type, repeats } of all) {
      const values = valuesOf[type]
      if (values === undefined || random() < 0.3) continue
      const some = values.filter(() => random() < 0.5)
      if (repeats) sent[link_id] = some
      else if (some.length > 0) sent[link_id] = some[0]
    }
    const found = judge(items, { ...sent, unknown: 1 })
    const expected = secondOpinion(items, sent)
    conditions += all.reduce((sum, { enable_when }) => sum + enable_when.length, 0)
    disabled += all.length - found.enabled.size
    const got = { answers: found.answers, missing: found.missing, enabled: [...found.enabled].toSorted() }
    if (!Bun.deepEquals(got, expected)) expect({ seed, ...got }).toEqual({ seed, ...expected })
    expect(found.faults).toEqual([])
  }
  expect(conditions).toBeGreaterThan(FORMS)
  expect(disabled).toBeGreaterThan(FORMS)
})

const item = (fields: Readonly<Record<string, unknown>>) => ({ link_id: "one", type: "string", text: "?", ...fields })
const formOf = (...items: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  decodeForm({ title: "Form", items }).items

test.each([
  [{ type: "boolean" }, "yes", "must be true or false"],
  [{ type: "choice", options: [{ code: "a", text: "A" }] }, "b", "must be the code of an option"],
  [{ type: "string", max_length: 3 }, "four", "must be text of at most 3 characters"],
  [{ type: "string" }, "\u0000", "must be text of at most 255 characters"],
  [{ type: "text" }, "x".repeat(2_001), "must be text of at most 2000 characters"],
  [{ type: "integer" }, 1.5, "must be an integer"],
  [{ type: "integer", min: 1, max: 9 }, 10, "must be at most 9"],
  [{ type: "decimal", min: 1 }, 0.5, "must be at least 1"],
  [{ type: "date" }, "2026-02-30", "must be a date, YYYY-MM-DD"],
  [{ type: "string" }, ["a"], "must not be a list"],
  [{ type: "string", repeats: true }, "a", "must be a list"],
  [{ type: "string", repeats: true }, Array(51).fill("a"), "must have at most 50 entries"],
  [{ type: "file" }, "fil_other", "must be the uid of a file of this form that is not rejected"]
])("an answer that does not fit is named by its item: %p", (fields, answer, message) => {
  const judged = judge(formOf(item(fields)), { one: answer }, () => false)
  expect(judged.faults).toEqual([{ field: "answers.one", message }])
})

test("answers are tidied; blank is none; those of groups and inherited names are dropped", () => {
  const items = formOf(
    item({}),
    item({ link_id: "toString", type: "integer", required: true }),
    item({ link_id: "group", type: "group", items: [item({ link_id: "inner", type: "text" })] })
  )
  expect(judge(items, { one: " a\n b ", inner: "  ", group: "x" })).toMatchObject({
    answers: { one: "a  b" },
    faults: [],
    missing: ["toString"]
  })
})

test.each([
  [[item({}), item({})], "items[1].link_id: is there already"],
  [
    [item({ enable_when: [{ link_id: "two", operator: "exists", answer: true }] }), item({ link_id: "two" })],
    "items[0].enable_when[0].link_id: must name an earlier item"
  ],
  [
    [item({}), item({ link_id: "two", enable_when: [{ link_id: "one", operator: ">", answer: "a" }] })],
    "items[1].enable_when[0].answer: has no order"
  ],
  [[item({ type: "choice" })], "items[0].options: must have at least one entry"],
  [[item({ type: "group", repeats: true })], "items[0].repeats: is of items that are answered"],
  [[item({ link_id: "1a" })], "items[0].link_id: must begin with a letter"],
  [[item({ items: [item({ link_id: "two" })] })], "items[0].items: are of a group alone"],
  [[item({ type: "integer", min: 2, max: 1 })], "items[0].max: must not be less than min"]
])("a form that cannot be asked is refused by name", (items, message) => {
  expect(() => decodeForm({ title: "Form", items })).toThrow(message)
})

test("a form has at most 200 items in at most five groups", () => {
  const nested = (depth: number): Record<string, unknown> =>
    item({ link_id: `g${depth}`, type: "group", items: depth === 0 ? [item({})] : [nested(depth - 1)] })
  expect(faultsOfItems(formOf(nested(4)))).toEqual([])
  expect(() => formOf(nested(6))).toThrow("may lie in at most 5 groups")
  const halves = [0, 1].map((half) => Array.from({ length: 100 }, (_, i) => item({ link_id: `q${half}-${i}` })))
  const groups = halves.map((items, half) => item({ link_id: `g${half}`, type: "group", items }))
  expect(() => formOf(...groups)).toThrow("must have at most 200 entries")
  expect(Schema.is(FormItem)(formOf(item({}))[0])).toBe(true)
})
