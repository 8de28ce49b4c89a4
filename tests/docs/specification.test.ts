/** The specification and the code have the same permissions, states, operations and settings. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { OpenApi } from "@effect/platform"
import { Glob } from "bun"
import { Api } from "../../src/http/Api.ts"
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

test.each([...organisationPermissions, ...pharmacyPermissions])("section 1.4 has the permission %s", (permission) => {
  expect(rowsOf("1.4").flatMap(([names = ""]) => wordsOf(names))).toContain(permission)
})

test.each(Object.values(eventCatalogue))(
  "section 6.2 has the event $type, its notification type and its data",
  ({ type, notification_type, data }) => {
    const row = rowsOf("6.2").find(([names = ""]) => wordsOf(names).includes(type))
    expect(wordsOf(row?.[1] ?? "")).toEqual(notification_type === undefined ? [] : [notification_type])
    expect(wordsOf(row?.[3] ?? "")).toEqual(expect.arrayContaining(Object.keys(data.fields)))
  }
)

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

const allows = (section: string, from: string, to: string, froms: number, tos: number) =>
  rowsOf(section).some((cells) => {
    const [left = "", right = ""] = [cells[froms], cells[tos]]
    const isFrom = left.startsWith("every one but") ? !wordsOf(left).includes(from) : wordsOf(left).includes(from)
    return isFrom && wordsOf(right).includes(to)
  })

test.each(appointmentTransitions.map(({ from, to }) => [from, to]))("section 4.2 allows %s → %s", (from, to) => {
  expect(allows("4.2", from, to, 0, 2)).toBe(true)
})

test.each(prescriptionTransitions.map(({ from, to }) => [from, to]))("section 9.1 allows %s → %s", (from, to) => {
  expect(allows("9.1", from, to, 0, 2)).toBe(true)
})

test.each(pharmacyOrderTransitions.map(({ from, to }) => [from, to]))("section 10.4 allows %s → %s", (from, to) => {
  expect(allows("10.4", from, to, 0, 1)).toBe(true)
})

test.each(Object.keys(OpenApi.fromApi(Api).paths))("the specification names every part of %s", (path) => {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("{"))
  expect(parts.filter((part) => !specification.includes(part))).toEqual([])
})

const listed = readFileSync("docs/settings.md", "utf8")
const settings = [
  ...readFileSync("src/config.ts", "utf8").matchAll(/(?:Config\.\w+|whole)\(\s*"([A-Z_]+)"|\)\("([A-Z_]+)"\)/g)
].flatMap(([, name, literal]) => name ?? literal ?? [])

test.each(settings.filter((name) => !/^(OTEL_|NODE_ENV)/.test(name)))("docs/settings.md has the setting %s", (name) => {
  expect(listed).toContain(`\`${name}\``)
})
