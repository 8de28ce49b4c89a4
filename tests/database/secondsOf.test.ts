/** Times as PostgreSQL writes them. */
import { expect, test } from "bun:test"
import { secondsOf } from "../../src/layers/Sql.ts"

const byRuntime = (text: string) =>
  Math.floor(Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) / 1000)

test("a timestamp is read as the runtime reads it, for every day of 500 years, each hour and zone", () => {
  const digits = (value: number) => String(value).padStart(2, "0")
  for (let day = -100 * 365; day < 400 * 365; day++) {
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
    const zone = `${day % 2 === 0 ? "+" : "-"}${digits(Math.abs(day) % 15)}${day % 3 === 0 ? ":30" : ""}`
    const text = `${date} ${digits(Math.abs(day) % 24)}:${digits(Math.abs(day) % 60)}:${digits(Math.abs(day * 7) % 60)}${day % 5 === 0 ? ".987654" : ""}${zone}`
    if (secondsOf(text) !== byRuntime(text)) expect([text, secondsOf(text)]).toEqual([text, byRuntime(text)])
  }
  expect(secondsOf("2026-03-15 10:00:00.5+01")).toBe(1_773_565_200)
  expect(secondsOf("1969-12-31 23:59:59.5+00")).toBe(-1)
})
