/** Telephone numbers as patients write them (Rules 1.6 and 5.8). */
import { expect, test } from "bun:test"
import { phoneOf } from "../../src/schemas/phone.ts"

test.each([
  ["(030) 123456", "(030) 123456"],
  ["+49\u00a030\u202f1234-567", "+49 30 1234-567"],
  ["٠٣٠ ١٢٣٤٥٦", "030 123456"],
  ["\u200e+۹۸ ۲۱ ۱۲۳۴\u200f", "+98 21 1234"],
  ["０３０／１２３４５６", "030/123456"],
  ["030 – 12 34 56", "030 - 12 34 56"],
  ["+49 (0)30 / 12.34.56", "+49 (0)30 / 12.34.56"],
  ["112", "112"]
])("%s is %s", (typed, stored) => expect(phoneOf(typed)).toBe(stored))

test.each(["n/a", "-", "()", "12", "030 1234 ext. 5", `+${"1".repeat(40)}`, "<b>123</b>", "1".repeat(1000), ""])(
  "%s is no number",
  (typed) => expect(phoneOf(typed)).toBeUndefined()
)
