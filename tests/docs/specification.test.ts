/** The specification and the code have the same permissions, states, operations and settings. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { organisationPermissions, pharmacyPermissions } from "../../src/schemas/access/permissions.ts"
import { eventCatalogue } from "../../src/schemas/events/catalogue.ts"
import { pharmacyOrderTransitions } from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { prescriptionTransitions } from "../../src/schemas/prescriptions/PrescriptionStates.ts"
import { appointmentTransitions } from "../../src/schemas/scheduling/AppointmentStates.ts"
import { AppointmentType, PublicAppointmentType } from "../../src/schemas/scheduling/AppointmentType.ts"

const chapters = new Map(
  [...new Glob("docs/specification/*.md").scanSync(".")].map((path) => [
    path.replace(/.*\/(\d+)-.*/, (_, number) => String(Number(number))),
    readFileSync(path, "utf8")
  ])
)
const specification = [...chapters.values()].join("\n")

const sectionOf = (number: string) => {
  const [, text = ""] = (chapters.get(number.split(".")[0] ?? "") ?? "").split(`## ${number} `)
  return text.split("\n## ")[0] ?? ""
}
/** The rows of a section's table of rules, cell by cell, without the rule's number. */
const rowsOf = (section: string) =>
  [...sectionOf(section).matchAll(/^\| \*\*[\d.]+\*\* +\|(.*)\|$/gm)].map(([, cells = ""]) =>
    cells.split("|").map((cell) => cell.trim())
  )
const wordsOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)

test("section 1.4 has every permission", () => {
  const written = rowsOf("1.4").flatMap(([names = ""]) => wordsOf(names))
  expect(written).toEqual(expect.arrayContaining([...organisationPermissions, ...pharmacyPermissions]))
})

test("section 6.2 has every event, its notification type and its data", () => {
  for (const { type, notification_type, data } of Object.values(eventCatalogue)) {
    const row = rowsOf("6.2").find(([names = ""]) => wordsOf(names).includes(type))
    expect([type, wordsOf(row?.[1] ?? "")]).toEqual([type, notification_type === undefined ? [] : [notification_type]])
    expect([type, ...wordsOf(row?.[3] ?? "")]).toEqual(expect.arrayContaining([type, ...Object.keys(data.fields)]))
  }
})

test("Rule 7.3.1 lists every field of an appointment type, and marks those of the public list", () => {
  const rows = sectionOf("7.3")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
  const namedIn = (lines: ReadonlyArray<string>) =>
    lines.flatMap((line) => wordsOf(line.split("|")[1] ?? "")).toSorted()
  expect(namedIn(rows)).toEqual(Object.keys(AppointmentType.fields).toSorted())
  expect(namedIn(rows.filter((line) => /\| public +\|$/.test(line)))).toEqual(
    Object.keys(PublicAppointmentType.fields).toSorted()
  )
})

const allows = (section: string, from: string, to: string, tos: number) =>
  rowsOf(section).some((cells) => {
    const [left = "", right = ""] = [cells[0], cells[tos]]
    const isFrom = left.startsWith("every one but") ? !wordsOf(left).includes(from) : wordsOf(left).includes(from)
    return isFrom && wordsOf(right).includes(to)
  })

test("sections 4.2, 9.1 and 10.4 allow every transition", () => {
  const missing = (section: string, tos: number, all: ReadonlyArray<{ readonly from: string; readonly to: string }>) =>
    all.filter(({ from, to }) => !allows(section, from, to, tos))
  expect(missing("4.2", 2, appointmentTransitions)).toEqual([])
  expect(missing("9.1", 2, prescriptionTransitions)).toEqual([])
  expect(missing("10.4", 1, pharmacyOrderTransitions)).toEqual([])
})

test("the specification names every part of every path", () => {
  const parts = Object.keys(documentOf(Api).paths).flatMap((path) => path.split("/"))
  const named = parts.filter((part) => part !== "" && !part.startsWith("{"))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((part) => !specification.includes(part))).toEqual([])
})

const listed = readFileSync("docs/settings.md", "utf8")
const settings = [
  ...readFileSync("src/config.ts", "utf8").matchAll(/(?:Config\.\w+|whole)\(\s*"([A-Z_]+)"|\)\("([A-Z_]+)"\)/g)
].flatMap(([, name, literal]) => name ?? literal ?? [])

test("docs/settings.md has every setting", () => {
  const own = settings.filter((name) => !/^(OTEL_|NODE_ENV)/.test(name))
  expect(own.length).toBeGreaterThan(30)
  expect(own.filter((name) => !listed.includes(`\`${name}\``))).toEqual([])
})
