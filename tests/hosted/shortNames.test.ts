/** The name on a page that anyone with the link can read. */
import { expect, test } from "bun:test"
import { shortName } from "../../src/http/hosted/bookingContent.tsx"

test.each([
  ["Erika Muster", "Erika M."],
  ["Anna Maria von der Heide", "Anna Maria von der H."],
  ["Zoë E\u0301mile", "Zoë E\u0301."],
  ["Zoë 👩‍⚕️", "Zoë"],
  ["محمد عبد الله", "محمد"],
  ["Олена Шевченко", "Олена Ш."],
  ["李 明", "李"],
  ["  Cher ", "Cher"],
  [" ", null],
  ["", null]
])("of %p is %p", (name, shown) => {
  expect(shortName(name)).toBe(shown)
})
