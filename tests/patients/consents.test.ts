/** Consent texts of organisations, and consents of patients. Section 12.5. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { OrganisationUid, PatientUid } from "../../src/schemas/ids.ts"
import { Consents } from "../../src/services/patients/Consents.ts"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

const consentText = (purpose: string, version: string, text = `${purpose} ${version}`) => ({
  purpose,
  version,
  texts: [{ language: "de", text }]
})

const scene = async (
  consent: ReadonlyArray<unknown> = [consentText("video", "1"), consentText("data_processing", "1")]
) => {
  const world = await makeWorld(server.current, { organisation: { consent } })
  const call = (method: string, at: string, body?: unknown) => world.api(method, `/v1/management${at}`, body)
  const { uid } = (await call("POST", "/patients", { shop_uid: world.shop_uid })).body
  const missing = async () => {
    const texts = await server.current.run(
      Effect.flatMap(Consents, (consents) =>
        consents.missing(OrganisationUid.make(world.organisation_uid), PatientUid.make(uid))
      )
    )
    return texts.map(({ purpose, version }) => `${purpose} ${version}`)
  }
  return { ...world, call, uid, missing, at: `/patients/${uid}/consents` }
}

test("texts are set by the organisation, by provisioning and by the API; a changed text needs a new version", async () => {
  const { call, organisation_uid, provision } = await scene()
  const stored = { ...consentText("video", "1"), required: true }
  expect((await call("GET", "/organisation")).body.consent).toEqual([
    { ...consentText("data_processing", "1"), required: true },
    stored
  ])
  const patch = async (body: object) => (await call("PATCH", "/organisation", body)).body
  expect((await patch({ consent: [consentText("video", "1", "changed")] })).error).toEqual([
    "consent[0].version: is known with another text: another text needs another version"
  ])
  const entry = { uid: organisation_uid, name: "Praxis", consent: [consentText("video", "1", "changed")] }
  await expect(provision({ organisations: [entry] })).rejects.toThrow(
    /organisations\[0\]\.consent\[0\]\.version: is known/
  )
  const second = { ...consentText("video", "2"), required: false }
  expect((await patch({ consent: [second] })).consent).toEqual([second])
  expect((await patch({ name: "Other" })).consent).toEqual([second])
  expect((await patch({ consent: [consentText("video", "1")] })).consent).toEqual([stored])
  expect((await patch({ consent: [consentText("video", "1"), consentText("video", "2")] })).error).toEqual([
    "consent[1].purpose: has a text already"
  ])
})

test("a consent is stored with version and time, is valid until withdrawn, and can be given again", async () => {
  const { call, missing, at, uid } = await scene()
  expect(await missing()).toEqual(["data_processing 1", "video 1"])
  const given = await call("POST", at, { purpose: "video", version: "1", language: "de" })
  const record = { patient_uid: uid, purpose: "video", version: "1", language: "de", withdrawn_at: null }
  expect(given).toMatchObject({ status: 201, body: { ...record, given_at: expect.any(Number) } })
  expect((await call("POST", at, { purpose: "video", version: "1" })).body).toEqual(given.body)
  expect(await missing()).toEqual(["data_processing 1"])
  const withdrawn = await call("POST", `${at}/${given.body.uid}/withdraw`)
  expect(withdrawn).toMatchObject({ status: 200, body: { ...record, withdrawn_at: expect.any(Number) } })
  expect((await call("POST", `${at}/${given.body.uid}/withdraw`)).body).toEqual(withdrawn.body)
  expect(await missing()).toEqual(["data_processing 1", "video 1"])
  const again = await call("POST", at, { purpose: "video", version: "1" })
  expect(again.body.uid).not.toBe(given.body.uid)
  expect((await call("GET", at)).body.data).toEqual([withdrawn.body, again.body])
})

test("a new version of the text requires a new consent, and the old consent stays recorded", async () => {
  const { call, missing, at } = await scene([consentText("video", "1")])
  const given = await call("POST", at, { purpose: "video", version: "1" })
  expect(await missing()).toEqual([])
  await call("PATCH", "/organisation", { consent: [consentText("video", "2")] })
  expect(await missing()).toEqual(["video 2"])
  expect((await call("GET", at)).body.data).toEqual([given.body])
  expect((await call("POST", at, { purpose: "video", version: "3" })).body.error).toEqual([
    "version: is no version of a text that the organisation asks consent to"
  ])
})

test("concurrent agreements create one consent", async () => {
  const { call, at } = await scene()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call("POST", at, { purpose: "video", version: "1" }))
  )
  expect(new Set(answers.map(({ body }) => body.uid)).size).toBe(1)
})

test("a patient has at most 500 of them, withdrawn ones included; Rule 12.5.7", async () => {
  const { call, at, organisation_uid, uid } = await scene()
  await server.current
    .sql`INSERT INTO consents (organisation_uid, uid, patient_uid, purpose, version, given_at, withdrawn_at)
        SELECT ${organisation_uid}, ${uid} || n, ${uid}, 'video', '1', now(), now() FROM generate_series(1, 499) n`
  expect((await call("POST", at, { purpose: "video", version: "1" })).status).toBe(201)
  const again = await call("POST", at, { purpose: "video", version: "1" })
  expect(again.status).toBe(201) // it exists already
  const other = await call("POST", at, { purpose: "data_processing", version: "1" })
  expect(other).toMatchObject({
    status: 400,
    body: { error: [expect.stringMatching(/^version: there are 500 consents/)] }
  })
})
