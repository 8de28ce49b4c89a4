/** Real clients, SMART backend services, XML (section 20). */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Client } from "fhir-kit-client"
import { generateKeyPair } from "jose"
import { readResource, write } from "../../../src/capabilities/fhir/http/serialise.ts"
import { testServer } from "../../support/server.ts"
import { adminOf } from "../../support/staff.ts"
import { inDays, random } from "../../support/world.ts"
import { type Body, booking, fhirWorld, idOf, iso, smartClient } from "./support.ts"

const server = testServer()
const world = () => fhirWorld(server.current)

test("fhir-kit-client searches, books and reads", async () => {
  const made = await world()
  const uid = await made.patient()
  const client = new Client({ baseUrl: made.base, customHeaders: { "x-api-key": made.key } })
  expect((await client.capabilityStatement()).resourceType).toBe("CapabilityStatement")
  const found: Body = await client.search({
    resourceType: "Slot",
    searchParams: {
      "schedule.actor": `Practitioner/${idOf(made.doctor)}`,
      start: `ge${iso(inDays(5, 9))}`,
      status: "free",
      _count: "3"
    }
  })
  expect(found.entry.length).toBe(3)
  const page: Body = await client.nextPage({ bundle: found })
  expect(page.entry[0].resource.start > found.entry[2].resource.start).toBe(true)
  const booked: Body = await client.operation({
    name: "$book",
    resourceType: "Appointment",
    input: made.proposal(found.entry[0].resource, uid)
  })
  expect(booked.status).toBe("booked")
  expect(await client.read({ resourceType: "Appointment", id: booked.id })).toEqual(booked)
  const cancelled: Body = await client.patch({
    resourceType: "Appointment",
    id: booked.id,
    jsonPatch: [{ op: "replace", path: "/status", value: "cancelled" }]
  })
  expect(cancelled.status).toBe("cancelled")
})

test("a SMART client gets a token for its scopes, with either algorithm", async () => {
  const made = await world()
  const { token_endpoint, ...rest } = (await made.send("/.well-known/smart-configuration")).body
  expect(token_endpoint).toBe(`${server.current.url}/fhir/token`)
  expect((await made.send(`${server.current.url}/.well-known/smart-configuration`)).body).toEqual({
    token_endpoint,
    ...rest
  })
  for (const alg of ["ES384", "RS384"]) {
    const client = await smartClient(server.current, made, ["system/Slot.rs", "system/Appointment.crs"], alg)
    const { status, body } = await client.exchange(await client.assertion(), {
      scope: "system/*.read system/Appointment.c"
    })
    expect([alg, status, body.expires_in, body.scope]).toEqual([alg, 200, 300, "system/Slot.rs system/Appointment.crs"])
    const headers = { authorization: `Bearer ${body.access_token}` }
    const send = (path: string, options = {}) => made.send(path, { key: null, headers, ...options })
    expect((await send("/Schedule")).status).toBe(403)
    const slots = await send(`/Slot?start=ge${iso(inDays(6, 9))}&status=free&_count=1`)
    expect(slots.status).toBe(200)
    const proposal = made.proposal(slots.body.entry[0].resource, await made.patient())
    const booked = await send("/Appointment/$book", {
      method: "POST",
      body: proposal,
      headers: { ...headers, "content-type": "application/fhir+json" }
    })
    expect(booked.status).toBe(201)
    const move = booking(proposal, { name: "cancelled-appt-id", valueUri: booked.body.id })
    expect((await send("/Appointment/$book", { method: "POST", body: move })).status).toBe(403)
    await made.provision({ fhir_clients: [{ ...client.entry, active: false }] })
    expect((await send("/Slot?start=ge2035-01-01")).status).toBe(401)
  }
})

test("an assertion is accepted once, and none that is not right", async () => {
  const made = await world()
  const client = await smartClient(server.current, made, ["system/Slot.rs"])
  const assertion = await client.assertion()
  expect((await client.exchange(assertion)).status).toBe(200)
  const now = Math.floor(Date.now() / 1000)
  const other = await generateKeyPair("ES384")
  const wrong: Readonly<Record<string, string>> = {
    replayed: assertion,
    audience: await client.assertion({ aud: made.base }),
    expired: await client.assertion({ exp: now - 125 }),
    "too long": await client.assertion({ exp: now + 3600 }),
    "no jti": await client.assertion({ jti: undefined }),
    subject: await client.assertion({ sub: "somebody" }),
    issuer: await client.assertion({ iss: "somebody" }),
    key: await client.assertion({}, other.privateKey),
    text: "x.y.z"
  }
  const invalid = { status: 401, body: { error: "invalid_client" } }
  for (const [what, sent] of Object.entries(wrong))
    expect({ what, ...(await client.exchange(sent)) }).toMatchObject({ what, ...invalid })
  for (const [error, fields] of [
    ["invalid_scope", { scope: "system/Patient.rs" }],
    ["unsupported_grant_type", { grant_type: "password" }]
  ] as const)
    expect(await client.exchange(await client.assertion(), fields)).toMatchObject({ status: 400, body: { error } })
  const headers = { authorization: "Bearer x.y.z" }
  expect((await made.send("/Slot?start=ge2035-01-01", { key: null, headers })).status).toBe(401)
})

const strict = testServer({ WEBHOOK_ALLOW_PRIVATE: "false" })

// Shows: SSRF through the address of a client's keys
test("an address of keys is examined where it is entered, by administrators and in provisioning files; Rule 20.3.7", async () => {
  const made = await fhirWorld(strict.current)
  const bearer = await adminOf(strict.current, made)
  const scopes = ["system/Slot.rs"]
  const admin = (method: string, path: string, body: object) =>
    strict.current.api(method, `/v1/admin/fhir-clients${path}`, { bearer, body })
  const client_id = random("client")
  const entered = { client_id, name: "A", scopes, jwks_uri: "https://93.184.215.14/jwks.json" }
  expect((await admin("POST", "", entered)).status).toBe(201)
  const refused = { status: 400, body: { error: ["jwks_uri: must lead to a public address"] } }
  for (const jwks_uri of [
    "https://169.254.169.254/keys",
    "https://[::1]/keys",
    "http://127.0.0.1:5432/",
    "https://10.1.2.3/"
  ]) {
    expect(await admin("POST", "", { ...entered, client_id: random("client"), jwks_uri })).toMatchObject(refused)
    expect(await admin("PATCH", `/${client_id}`, { jwks_uri })).toMatchObject(refused)
    const { organisation_uid } = made
    const file = made.provision({ fhir_clients: [{ ...entered, organisation_uid, jwks_uri }] })
    await expect(file).rejects.toThrow("fhir_clients[0].jwks_uri: must lead to a public address")
  }
})

test("an assertion may be of a clock two minutes off; Rule 1.5.6", async () => {
  const client = await smartClient(server.current, await world(), ["system/Slot.rs"])
  const now = Math.floor(Date.now() / 1000)
  const statuses: Array<readonly [string, number]> = []
  for (const [what, claims] of [
    ["behind", { exp: now - 100.5 }],
    ["ahead", { iat: now + 100, nbf: now + 100.5, exp: now + 400 }],
    ["too far ahead", { iat: now + 140, exp: now + 300 }],
    ["too far behind", { exp: now - 125 }]
  ] as const)
    statuses.push([
      what,
      (await client.exchange(await client.assertion({ aud: [`${server.current.url}/fhir/token`], ...claims }))).status
    ])
  expect(statuses).toEqual([
    ["behind", 200],
    ["ahead", 200],
    ["too far ahead", 401],
    ["too far behind", 401]
  ])
})

test("keys at an address are read there", async () => {
  const made = await world()
  const client = await smartClient(server.current, made, ["system/Slot.rs"])
  const host = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(client.jwks) })
  const { jwks: _, ...entry } = client.entry
  await made.provision({ fhir_clients: [{ ...entry, jwks_uri: `http://127.0.0.1:${host.port}/jwks.json` }] })
  expect((await client.exchange(await client.assertion())).status).toBe(200)
  await host.stop(true)
})

test("every answer is the same in XML, and XML is read", async () => {
  const made = await world()
  const uid = await made.patient()
  const [slot, next] = await made.slots(iso(inDays(7, 9)), "&status=free")
  const xml = { "content-type": "application/fhir+xml", accept: "application/fhir+xml" }
  const booked = await made.book(write(made.proposal(slot, uid, { comment: `<Husten> & "mehr"\nzwei` }), "xml"), xml)
  expect([booked.status, booked.headers.get("content-type")]).toEqual([201, "application/fhir+xml; charset=utf-8"])
  const appointment: Body = Effect.runSync(readResource(booked.text))
  expect(appointment).toMatchObject({ status: "booked", comment: `<Husten> & "mehr"\nzwei` })
  const replaced = { name: "cancelled-appt-id", valueUri: `Appointment/${appointment.id}` }
  const moved = await made.book(write(booking(made.proposal(next, uid), replaced), "xml"), xml)
  expect(moved.status).toBe(201)
  const range = `start=ge${iso(inDays(7, 9))}&start=lt${iso(inDays(7, 12))}`
  const paths = [
    "/metadata",
    "/Schedule",
    `/Slot?${range}`,
    "/Appointment?_count=5",
    `/Appointment/${appointment.id}`,
    `/Patient/${idOf(uid)}`,
    `/Practitioner/${idOf(made.doctor)}`,
    `/HealthcareService/${idOf(made.type_uid)}`,
    "/Schedule?active=false",
    "/Slot/unknown"
  ]
  const timeless = (body: Body) =>
    JSON.parse(
      JSON.stringify(body, (key, value) =>
        key === "date" || (key === "meta" && body.type === "searchset" && value.profile === undefined) || key === "url"
          ? undefined
          : value
      )
    )
  for (const path of paths) {
    const json = await made.send(path)
    const text = await made.send(`${path}${path.includes("?") ? "&" : "?"}_format=xml`)
    expect([path, text.status]).toEqual([path, json.status])
    expect(timeless(Effect.runSync(readResource(text.text)))).toEqual(timeless(json.body))
  }
})

test("values that are wrong are 400, in either format", async () => {
  const made = await world()
  for (const path of [
    "/Schedule?active=perhaps",
    "/Schedule?actor=Patient/x",
    "/Slot?start=tomorrow",
    "/Slot?start=ap2035-01-01",
    "/Slot?start=2035-02-31",
    "/Slot?start=ge2035-01-01&start=lt2037-01-01",
    "/Slot?start=ge2035-01-01&status=open",
    "/Appointment?status=open",
    "/Appointment?_cursor=x",
    "/Appointment?_count=x",
    "/Appointment?_summary=x",
    "/Patient?birthdate=1980"
  ]) {
    const refused = await made.send(path)
    expect([path, refused.status, refused.body.resourceType]).toEqual([path, 400, "OperationOutcome"])
  }
  expect((await made.send("/Schedule?_format=yaml")).status).toBe(400)
  const doctype = await made.book('<!DOCTYPE x><Appointment xmlns="http://hl7.org/fhir"/>', {
    "content-type": "application/fhir+xml"
  })
  expect(doctype.status).toBe(400)
  const text = await made.book("x", { "content-type": "text/plain" })
  expect([text.status, text.body.resourceType]).toEqual([415, "OperationOutcome"])
  const form = await made.send("/Schedule/_search", {
    method: "POST",
    body: "active=true",
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
  expect([form.status, form.body.total]).toEqual([200, 2])
})

test("administrators register clients, whose tokens follow every change", async () => {
  const [made, other] = [await world(), await world()]
  const [bearer, others] = [await adminOf(server.current, made), await adminOf(server.current, other)]
  const client = await smartClient(server.current, made, ["system/Slot.rs"])
  const { organisation_uid: _, ...entry } = client.entry
  await made.provision({ fhir_clients: [{ ...client.entry, name: "Z" }] })
  const admin = (method: string, path = "", body?: object, as = bearer) =>
    server.current.api(method, `/v1/admin/fhir-clients${path}`, { bearer: as, ...(body !== undefined && { body }) })
  const client_id = random("client")
  const jwks_uri = "https://portal.example.org/jwks.json"
  const fields = { client_id, name: "A", jwks_uri, scopes: ["system/Slot.rs"] }
  const created = await admin("POST", "", fields)
  expect(created).toMatchObject({ status: 201, body: { client_id, jwks: null, jwks_uri, active: true } })
  expect((await admin("GET")).body.data.map((one: Body) => one.name)).toEqual(["A", "Z"])

  // over all organisations, by the database too
  expect(await admin("POST", "", fields, others)).toMatchObject({ status: 409, body: { code: "already_used" } })
  const racing = { ...fields, client_id: `${client_id}-2` }
  const races = await Promise.all([bearer, others].map((as) => admin("POST", "", racing, as)))
  expect(races.map(({ status }) => status).sort()).toEqual([201, 409])

  const change = (body: object, uid = client_id) => admin("PATCH", `/${uid}`, body)
  expect(await change({ jwks_uri, jwks: client.jwks })).toMatchObject({
    status: 400,
    body: { code: "invalid_request" }
  })
  expect((await change({ jwks: { keys: [{ ...client.jwks.keys[0], d: "AAAA" }] } })).status).toBe(400)
  const { body: changed } = await change({ jwks: client.jwks })
  expect(changed).toMatchObject({ name: "A", jwks: client.jwks, jwks_uri: null, scopes: ["system/Slot.rs"] })

  const exchanged = async () => client.exchange(await client.assertion())
  const headers = { authorization: `Bearer ${(await exchanged()).body.access_token}` }
  const search = async () => (await made.send("/Slot?start=ge2035-01-01&_count=1", { key: null, headers })).status
  expect(await search()).toBe(200)
  for (const [scope, status] of [
    ["system/Appointment.rs", 403],
    ["system/Slot.s", 200]
  ] as const) {
    expect((await change({ scopes: [scope] }, client.client_id)).status).toBe(200)
    expect([scope, await search()]).toEqual([scope, status])
  }
  expect((await admin("DELETE", `/${client.client_id}`)).status).toBe(204)
  expect([await search(), (await exchanged()).status]).toEqual([401, 401])
  expect((await admin("DELETE", `/${client.client_id}`)).status).toBe(404)

  // the name is free again, for any organisation
  expect((await admin("POST", "", entry, others)).status).toBe(201)
  expect([(await exchanged()).status, await search()]).toEqual([200, 401])
})
