/** What the demo practice asks its patients, and what they have asked it. */
import { expect, test } from "bun:test"
import { demo } from "../../../src/capabilities/shared/services/demo.ts"
import { testServer } from "../../support/server.ts"

const server = testServer({ PROVISION_FILE: "" })
const { managementKey: key } = demo.practice
const listed = async (path: string) => {
  const { status, body } = await server.current.api("GET", path, { key })
  expect([path, status]).toEqual([path, 200])
  return body.data
}

test("the demo practice has forms, types of requests, requests of which some are overdue, and answers before a visit", async () => {
  const titles = (await listed("/v1/management/forms")).map(({ title }) => title.de)
  expect(titles.toSorted()).toEqual(["Anamnese", "Hautveränderung", "Ihr Anliegen", "Verlauf", "Wiederholungsrezept"])
  expect(await listed("/v1/management/request-types")).toHaveLength(3)
  const types = await listed("/v1/management/scheduling/appointment-types")
  const leads = types.flatMap(
    ({ uid, entry }) => entry?.rules.map((rule: Record<string, unknown>) => [uid, rule.then]) ?? []
  )
  expect(leads.toSorted()).toEqual([
    ["aty_nach", "refuse"],
    ["aty_therapie", "type"]
  ])
  const minutes = new Map(types.map(({ uid, duration_minutes }) => [uid, duration_minutes]))
  expect(minutes.get("aty_therapie_erst")).toBeGreaterThan(minutes.get("aty_therapie") ?? 0)
  const requests = await listed("/v1/management/requests")
  expect(requests).toHaveLength(4)
  expect(requests.filter(({ overdue }: { overdue: boolean }) => overdue)).toMatchObject([{ kind: "callback" }])
  const toDoctors = requests.filter(({ doctor_uid }: { doctor_uid: string | null }) => doctor_uid !== null)
  expect(toDoctors.map(({ kind }: { kind: string }) => kind)).toEqual(["prescription", "prescription"])
  const now = Math.floor(Date.now() / 1000)
  const ahead = await listed(`/v1/management/scheduling/appointments?from=${now}&status=confirmed&limit=200`)
  const next = ahead.find(({ appointment_type_uid }) => appointment_type_uid === "aty_haut")
  expect(await listed(`/v1/management/scheduling/appointments/${next?.uid}/intake`)).toMatchObject([
    { form_uid: "frm_haut", complete: true, answers: { place: "Linke Schulter" } }
  ])
})
