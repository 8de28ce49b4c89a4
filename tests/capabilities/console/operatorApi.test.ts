/** Operators' operations of the API. Section 8.5. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Boss } from "../../../src/services/queue/Jobs.ts"
import { DEAD_LETTERS } from "../../../src/services/queue/queues.ts"
import { version } from "../../../src/version.ts"
import { giveUp, giveUpJob } from "../../support/givenUp.ts"
import { worldWithPatient } from "../../support/provisioned.ts"
import { ownServer } from "../../support/server.ts"
import { accessToken } from "../../support/staff.ts"
import { recording } from "../../support/statements.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

// statements are recorded, and no worker runs jobs
const server = ownServer({ ROLE: "http" })
const operator = () => accessToken(server.current, { role: "operator", ttlSeconds: 300 })
const sendRequest = async (method: string, path: string, body?: unknown) =>
  server.current.api(method, `/v1/operator${path}`, { bearer: await operator(), ...(body !== undefined && { body }) })

test("the status names this process, its versions and the master key; Rule 8.5.1", async () => {
  const { status, body } = await sendRequest("GET", "/status")
  expect(status).toBe(200)
  expect(body).toMatchObject({ ready: true, reason: null, versions: { service: version, bun: Bun.version } })
  expect(body.replicas.map((one: { version: string }) => one.version)).toContain(version)
  expect(body.master_key).toMatchObject({ opens: true, key_id: expect.stringMatching(/^[0-9a-f]{8}$/) })
  expect(body.mails).toMatchObject({ sent_by: "folder", waiting: expect.any(Number), failed: 0 })
  expect(body.disk.database_bytes).toBeGreaterThan(1_000_000)
  expect(body.disk.files.free_bytes).toBeLessThanOrEqual(body.disk.files.total_bytes)
  expect(body.backup).toEqual({ kept_by: "nothing", working: false, last_at: null })
  expect(body.errors).toMatchObject({ failed: expect.any(Number), since: expect.any(Number) })
  // each is counted once it was answered
  expect((await sendRequest("GET", "/status")).body.errors.answered).toBeGreaterThan(body.errors.answered)
  const { body: listed } = await sendRequest("GET", "/queues")
  expect(listed.data.map(({ name }: { name: string }) => name)).toContain("dead_letters")
})

test("organisations and pharmacies are found by name, uid and shop, page by page; Rule 8.5.11", async () => {
  const word = random("Hafen")
  const organisations = ["b", "a"].map((end) => ({
    uid: random("org"),
    name: `${word} ${end}`,
    timezone: "Europe/Berlin"
  }))
  const [late, early] = organisations.map(({ uid }) => uid)
  const shop_identifier = random("shop").toLowerCase().replaceAll("_", "-")
  const pharmacies = [{ uid: random("pha"), name: `${word} c` }]
  const storefront = { kind: "embedded" }
  const shops = [{ uid: random("shop"), organisation_uid: late, shop_identifier, storefront }]
  await sendRequest("POST", "/provisioning", { file: { organisations, pharmacies, shops }, dry_run: false })
  const found = async (query: string) => (await sendRequest("GET", `/owners?${query}`)).body
  const uidsOf = ({ data }: { data: ReadonlyArray<{ uid: string }> }) => data.map(({ uid }) => uid)
  const all = await found(`search=${word}`)
  expect(uidsOf(all)).toEqual([early, late, pharmacies[0]?.uid])
  expect(all).toMatchObject({
    totalRegistries: 3,
    next: null,
    data: [{ doctors: 0 }, { shops: [shop_identifier] }, { kind: "pharmacy", created_at: null }]
  })
  const first = await found(`search=${word}&limit=1`)
  expect(first).toMatchObject({ totalRegistries: 3, totalPages: 3 })
  expect(uidsOf(await found(`search=${word}&limit=1&after=${first.next}`))).toEqual([late])
  expect(uidsOf(await found(`search=${shop_identifier}`))).toEqual([late])
  expect(uidsOf(await found(`uids=${late},${early}&kind=organisation`))).toEqual([early, late])
  expect(uidsOf(await found("search=%25"))).toEqual([])
  expect((await sendRequest("GET", "/owners?kind=shop")).status).toBe(400)
})

test("a dead letter is listed with its queue and error, retried once, or deleted; Rules 8.5.3 and 8.5.4", async () => {
  const prescription_uid = random("pre")
  const uid = await giveUpJob(server.current, prescription_uid)
  const { body } = await sendRequest("GET", "/dead-letters")
  expect(body.data.find((one: { uid: string }) => one.uid === uid)).toMatchObject({
    queue: "prescription.forget",
    payload: { prescription_uid },
    error: "the file store is away"
  })
  expect(await sendRequest("POST", `/dead-letters/${uid}/retry`)).toMatchObject({ status: 200, body: { uid } })
  expect(await sendRequest("POST", `/dead-letters/${uid}/retry`)).toMatchObject({ status: 404 })
  const other = await giveUpJob(server.current, random("pre"))
  expect((await sendRequest("DELETE", `/dead-letters/${other}`)).status).toBe(204)
  expect((await sendRequest("DELETE", `/dead-letters/${other}`)).status).toBe(404)
  expect((await sendRequest("POST", "/dead-letters/no-uuid/retry")).status).toBe(404)
})

test("only the newest dead letters are read, however many there are; Rule 8.5.3", async () => {
  const data = { data: { prescription_uid: random("pre") } }
  await server.current.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(() =>
        boss.insert(
          DEAD_LETTERS,
          Array.from({ length: 205 }, () => ({ data }))
        )
      )
    )
  )
  const { result, statements } = await recording(() => sendRequest("GET", "/dead-letters"), server.current.databaseUrl)
  expect(result.body.data).toHaveLength(200)
  const reading = statements.filter(({ values }) => values.includes(DEAD_LETTERS))
  expect(reading).not.toBeEmpty()
  for (const { text } of reading) expect(text).toMatch(/LIMIT/)
})

test("a retried payment request starts its attempts again; Rule 8.5.4", async () => {
  const draft_order_id = random("draft")
  const uid = await giveUp(server.current, "storefront.invoice", {
    shop_identifier: "none",
    draft_order_id,
    put_back: 12
  })
  expect((await sendRequest("POST", `/dead-letters/${uid}/retry`)).status).toBe(200)
  const jobs = await server.current.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(() =>
        boss.findJobs<object>("storefront.invoice", { data: { data: { draft_order_id } }, queued: true })
      )
    )
  )
  expect(jobs.map(({ data }) => data)).toEqual([{ data: { shop_identifier: "none", draft_order_id } }])
})

test("the backlog lists subscriptions with their pending deliveries; Rule 8.5.5", async () => {
  const world = await makeWorld(server.current)
  const hook = { notification_type: "REBOOKED", url: "http://127.0.0.1:9/hook" }
  const path = "/v1/management/notification-subscriptions"
  const { body: made } = await world.api("POST", path, hook)
  await world.api("POST", `${path}/${made.uid}/test`)
  const { body } = await sendRequest("GET", "/webhooks")
  expect(body.data).toContainEqual(
    expect.objectContaining({ owner_uid: world.organisation_uid, subscription_uid: made.uid, url: hook.url })
  )
})

test("a comparison is in the log of each owner whose records it shows, and shows no personal data; Rule 8.5.8", async () => {
  const [one, other] = [await worldWithPatient(server.current), await worldWithPatient(server.current)]
  const patient = ({ world, patient_uid }: typeof one) => ({
    uid: patient_uid,
    organisation_uid: world.organisation_uid,
    shop_uid: world.shop_uid,
    shop_customer_id: "anna",
    profile: { first_name: "Guessed", last_name: "Name" }
  })
  const { status, body } = await sendRequest("POST", "/provisioning", {
    file: { patients: [patient(one), patient(other)] }
  })
  expect(status).toBe(200)
  expect(body.differences).toHaveLength(2)
  expect(body.differences[0].fields).toEqual([{ field: "profile", before: null, after: null }])
  expect(JSON.stringify(body)).not.toContain("Muster")
  for (const { world } of [one, other]) {
    const log = await world.api("GET", "/v1/management/audit-log?action=operator.provision")
    expect(log.body.data).toMatchObject([{ action: "operator.provision", actor: { kind: "operator" } }])
  }
})

test("a file is compared before it is applied, and its faults name their path; Rule 8.5.8", async () => {
  const uid = random("org")
  const file = { organisations: [{ uid, name: "Praxis am Park", timezone: "UTC" }] }
  const dry = await sendRequest("POST", "/provisioning", { file })
  expect(dry).toMatchObject({
    status: 200,
    body: { applied: false, written: 1, differences: [{ list: "organisations", index: 0, outcome: "created" }] }
  })
  const applied = await sendRequest("POST", "/provisioning", { file, dry_run: false })
  expect(applied.body).toMatchObject({ applied: true, written: 1 })
  const faulty = await sendRequest("POST", "/provisioning", { file: { organisations: [{ uid }] } })
  expect(faulty.status).toBe(400)
  expect(JSON.stringify(faulty.body.error)).toContain("file.organisations[0].name")
})

test("reading an owner's audit log adds an entry to it; Rule 8.5.9", async () => {
  const world = await makeWorld(server.current)
  await world.api("GET", "/v1/management/patients")
  const entries = async () =>
    (await sendRequest("GET", `/audit-log?owner_uid=${world.organisation_uid}&limit=500`)).body.data
  const actions = (found: ReadonlyArray<{ action: string }>) => found.map(({ action }) => action)
  expect(actions(await entries())).toContain("organisation.patients.list")
  expect(actions(await entries())).toContain("operator.audit.list")
})

test("an organisation's state has what it lacks and its members, no patients, and is recorded; Rule 8.5.12", async () => {
  const world = await makeWorld(server.current)
  await world.patient({ first_name: "Ottilie" })
  const path = `/organisations/${world.organisation_uid}`
  const { body } = await sendRequest("GET", path)
  expect(body).toMatchObject({
    uid: world.organisation_uid,
    setup: { hours: true, legal: false, booked: false },
    mails: { waiting: 0, failed: 0, last_sent_at: null }
  })
  expect(body.members).toContainEqual(
    expect.objectContaining({ kind: "doctor", uid: world.doctor, active: true, subject: null })
  )
  expect(JSON.stringify(body)).not.toContain("Ottilie")
  await world.booked(inDays(3))
  const later = (await sendRequest("GET", path)).body
  expect(later.setup.booked).toBe(true)
  const log = await world.api("GET", "/v1/management/audit-log?action=operator.organisation")
  expect(log.body.data).toMatchObject([{ actor: { kind: "operator" } }, { actor: { kind: "operator" } }])
  for (const uid of ["none", `${world.organisation_uid},none`])
    expect((await sendRequest("GET", `/organisations/${uid}`)).status).toBe(404)
})

test("hours of a doctor who is gone are no hours; Rule 8.5.12", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  expect((await world.api("DELETE", `/v1/management/doctors/${world.doctor}`)).status).toBe(204)
  const { body } = await sendRequest("GET", `/organisations/${world.organisation_uid}`)
  expect(body.setup.hours).toBe(false)
})
