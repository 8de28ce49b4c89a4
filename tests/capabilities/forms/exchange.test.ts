/** Answers for other systems: QuestionnaireResponse and Questionnaire. Rule 20.1.9. */
import { expect, test } from "bun:test"
import { pageLink } from "../../support/codes.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

test("answers are read as QuestionnaireResponse by patient, with their Questionnaire, in JSON and XML; Rule 20.1.9", async () => {
  const world = await makeWorld(server.current)
  await world.api("PATCH", "/v1/management/organisation", { fhir: { enabled: true } })
  const items = [
    { link_id: "allergies", type: "boolean", text: { de: "Haben Sie Allergien?" }, required: true },
    {
      ...{ link_id: "which", type: "choice", text: "Welche?", repeats: true },
      options: [{ code: "pollen", text: "Pollen" }],
      enable_when: [{ link_id: "allergies", operator: "=", answer: true }]
    }
  ]
  const form = await world.api("POST", "/v1/management/forms", { title: "Anamnese", items })
  const form_uid: string = form.body.uid
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { intake: [{ form_uid }] })
  const uid = await world.booked(inDays(1, 9))
  const { patient_uid } = (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const code = new URL(await pageLink(server.current, uid, "join")).pathname.split("/").at(-1)
  const body = { answers: { allergies: true, which: ["pollen"] } }
  await server.current.api("PUT", `/v1/scheduling/appointment-actions/${code}/intake/${form_uid}`, { body })
  const idOf = (text: string) => text.replaceAll("_", ".")
  const read = (path: string, key = world.key) => server.current.api("GET", `/fhir/r4/${path}`, { key })
  const found = await read(`QuestionnaireResponse?patient=${idOf(patient_uid)}`)
  const questionnaire = `Questionnaire/${idOf(form_uid)}-1`
  expect(found).toMatchObject({ status: 200, body: { resourceType: "Bundle", total: 1 } })
  const [{ resource }] = JSON.parse(found.text).entry
  expect(resource).toMatchObject({
    ...{ resourceType: "QuestionnaireResponse", status: "completed", questionnaire },
    subject: { reference: `Patient/${idOf(patient_uid)}` },
    item: [
      { linkId: "allergies", text: "Haben Sie Allergien?", answer: [{ valueBoolean: true }] },
      { linkId: "which", answer: [{ valueCoding: { code: "pollen", display: "Pollen" } }] }
    ]
  })
  expect((await read(`QuestionnaireResponse/${resource.id}`)).body).toEqual(resource)
  expect((await read(questionnaire)).body).toMatchObject({
    ...{ title: "Anamnese", version: "1", status: "active" },
    item: [
      { linkId: "allergies", type: "boolean", required: true },
      {
        ...{ linkId: "which", type: "choice", repeats: true, answerOption: [{ valueCoding: { code: "pollen" } }] },
        enableWhen: [{ question: "allergies", operator: "=", answerBoolean: true }]
      }
    ]
  })
  expect((await read(`QuestionnaireResponse/${resource.id}?_format=xml`)).text).toContain(
    '<valueBoolean value="true"/>'
  )
  const types = JSON.parse((await read("metadata")).text).rest[0].resource.map(({ type }: { type: string }) => type)
  expect(types).toContain("QuestionnaireResponse")
  // only with the permission, only in the organisation, and in the audit log
  expect((await read(`QuestionnaireResponse/${resource.id}`, await world.keyWith("patients:read"))).status).toBe(403)
  const other = await makeWorld(server.current)
  await other.api("PATCH", "/v1/management/organisation", { fhir: { enabled: true } })
  expect((await read(`QuestionnaireResponse/${resource.id}`, other.key)).status).toBe(404)
  expect((await read("QuestionnaireResponse")).status).toBe(400)
  const log = (await world.api("GET", "/v1/management/audit-log?limit=200")).body.data
  expect(
    log.filter(({ action }: { action: string }) => action === "fhir.questionnaireresponse.read").length
  ).toBeGreaterThan(0)
})
