/** CAPABILITIES selects what is served beyond the core. Rule 14.1.7. */
import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { Effect, Either } from "effect"
import { installed } from "../../src/capabilities/index.ts"
import { select } from "../../src/layers/Capabilities.ts"
import { commandLine } from "../support/cli.ts"
import { freshDatabase, rowsAt } from "../support/postgres.ts"
import { COMMAND_LINE, run, SERVICE, startService, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

const switched = installed.filter((one) => one.switched)
const names = switched.map(({ name }) => name)
/** The command `provision` shows which lists and fields there are. */
const provisions = installed.some(({ name }) => name === "provisioning")
const chosen = (text: string) =>
  Effect.runSync(
    Effect.either(Effect.map(select(text, installed), (on) => on.filter((one) => one.switched).map(({ name }) => name)))
  )
const folder = temporaryFolder()
afterAll(folder.remove)

const settings = async (capabilities: string) => ({
  CAPABILITIES: capabilities,
  DATABASE_URL: (await freshDatabase(migrated)).url,
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  DATA_DIR: folder.path,
  DEMO: "true"
})

test("all, none, or some by name, in the order of the list; an unknown name is refused", () => {
  expect(chosen("all")).toEqual(Either.right(names))
  expect(chosen("none")).toEqual(Either.right([]))
  expect(chosen(` ${[...names].reverse().join(" , ")} `)).toEqual(Either.right(names))
  expect(String(Either.getOrThrow(Either.flip(chosen("nothing"))).message)).toStartWith(
    "CAPABILITIES: nothing is not one of "
  )
})

test("a capability without another that it needs is refused", () => {
  const some = [
    { ...switched[0], name: "a", needs: ["b"] },
    { ...switched[0], name: "b", needs: [] }
  ] as unknown as typeof installed
  const result = Effect.runSync(Effect.either(select("a", some)))
  expect(Either.isLeft(result) && result.left.message).toBe("CAPABILITIES: a needs b")
  expect(Either.isRight(Effect.runSync(Effect.either(select("a,b", some))))).toBe(true)
})

test("a start does not evaluate the modules of a capability that is off, but for what holds while it is", async () => {
  const loading = run([
    process.execPath,
    "--no-install",
    "--eval",
    `await import("./src/capabilities/index.ts"); await import("./src/layers/App.ts")
     console.log(JSON.stringify(Object.keys(require.cache)))`
  ])
  expect(await loading.ended).toBe(0)
  const files: ReadonlyArray<string> = JSON.parse(loading.said())
  const evaluated = files.flatMap((file) => /src\/capabilities\/(.*)/.exec(file)?.[1] ?? [])
  expect(evaluated).toContain("index.ts")
  // Whose manifest is evaluated with its line: it finds out whether the database is a cluster
  for (const name of names.filter((one) => one !== "cluster")) {
    expect(evaluated).toContain(`${name}/index.ts`)
    const others = new RegExp(`^${name}/(?!index\\.ts$|schemas/|migrations/)`)
    expect(evaluated.filter((file) => others.test(file))).toEqual([])
  }
})

test("what holds of a capability while it is off is of that capability", () => {
  for (const one of installed) expect(one.manifest().name).toBe(one.name)
})

test("the core alone: no paths, no part of the documents and of the version", async () => {
  const environment = await settings("none")
  const service = await startService(environment)
  const ask = (path: string) => fetch(service.url + path)
  expect((await (await ask("/version")).json()).capabilities).toEqual([])
  if (installed.some(({ name }) => name === "documentation")) {
    const document = await (await ask("/openapi.json")).json()
    expect(Object.keys(document.paths)).toContain("/v1/scheduling/slots/search")
    expect(document.components.schemas.NewSessionForRebooking.properties.mode).toMatchObject({ enum: ["rebooking"] })
    expect(document.components.schemas.BookingSessionContext.properties.mode.enum).toEqual(["booking", "rebooking"])
    const words =
      /.{0,20}(?:recall|AbsenceKind|listAbsences|patient_rights|patient\.(merged|exported|erased)|previewHolidays|listHolidays|BusySource|StaffInvitation|waitlist|public_booking|fhir|scheduling\.waiting|sandbox(?!:clock)|series(?!_?uid)|DoctorsWeek|RequestType|NewSessionWithoutTime|PatientForm|form_uid|request\.(created|answered|closed)|\/statistics).{0,20}/gi
    expect(JSON.stringify(document).match(words)).toBeNull()
    const codes: ReadonlyArray<string> = document.components.schemas.ProblemCode.enum
    expect(codes).toContain("slot_taken")
    expect(codes.filter((code) => /entr(y|ies)|guests|request_closed|files|dead_letter/.test(code))).toEqual([])
  }
  for (const path of [
    "/v1/management/scheduling/recalls",
    "/v1/management/scheduling/absences",
    "/v1/management/scheduling/waitlist-entries",
    "/v1/management/scheduling/doctors/doc_1/busy-sources",
    "/v1/doctor/busy-sources",
    "/v1/admin/fhir-clients",
    "/fhir/r4/metadata",
    "/.well-known/smart-configuration",
    "/console",
    "/v1/operator/status",
    "/v1/management/messages",
    "/v1/management/staff",
    "/v1/management/scheduling/calendar",
    "/v1/doctor/waiting",
    "/v1/doctor/calendar-feed",
    "/v1/calendar-feeds/cal_1",
    "/dev-idp/authorize",
    "/demo",
    "/demo/practice",
    "/console/sign-in",
    "/console/practice",
    "/v1/sandbox/clock",
    "/v1/management/statistics",
    "/v1/management/holidays",
    "/v1/management/organisation/holidays/preview",
    "/v1/management/audit-log",
    "/v1/operator/audit-log",
    "/v1/management/scheduling/appointment-series",
    "/v1/management/forms",
    "/v1/management/request-types",
    "/v1/management/requests",
    "/v1/scheduling/booking-sessions/blc_1/entry",
    "/v1/scheduling/appointment-actions/aac_1/intake/frm_1",
    "/v1/management/scheduling/appointments/apt_1/intake",
    "/v1/doctor/appointments/apt_1/intake",
    "/meet/request/req_1",
    ...["export", "export-document", "erase", "restrict", "merge"].map(
      (act) => `/v1/management/patients/pat_demo/${act}`
    ),
    "/meet/book/demo-shop",
    "/meet/meeting/room_1",
    "/meet/appointment/aac_1/devices"
  ]) {
    const missing = await ask(path)
    expect([path, missing.status, (await missing.json()).code]).toEqual([path, 404, "unknown_route"])
  }
  await service.stop()
})

test.if(provisions)("the core alone: no lists of provisioning files", async () => {
  const schema = run([...COMMAND_LINE, "provision", "--schema"], { env: await settings("none") })
  await schema.ended
  const lists = Object.keys(JSON.parse(schema.said()).properties)
  expect(lists).toContain("organisations")
  expect(
    lists.filter((name) => ["recalls", "busy_sources", "fhir_clients", "staff", "waitlist_entries"].includes(name))
  ).toEqual([])
})

test.if(provisions)("fields of capabilities that are off are unknown, and what is stored in them stays", async () => {
  const environment = await settings("all")
  const provision = async (CAPABILITIES: string, fields: object) => {
    const file = join(folder.path, "fields.json")
    await Bun.write(file, JSON.stringify({ organisations: [{ uid: "org_fields", name: "Praxis", ...fields }] }))
    const command = run([...COMMAND_LINE, "provision", file], { env: { ...environment, CAPABILITIES } })
    return [await command.ended, command.said()] as const
  }
  const has = (name: string) => names.some((one) => one === name)
  const fields = {
    ...(has("public-booking") && { public_booking: true }),
    ...(has("waiting-list") && { waitlist_paused: true }),
    ...(has("fhir") && { fhir: { enabled: true } }),
    retention: has("waiting-list") ? { waitlist: 7 } : {}
  }
  const [refused, said] = await provision("none", fields)
  expect(refused).toBe(1)
  const { retention, ...added } = fields
  const unknown = [...Object.keys(added), ...Object.keys(retention).map((kind) => `retention.${kind}`)]
  for (const field of unknown) expect(said).toContain(`organisations[0].${field}: is not a known field`)
  expect(await provision("all", fields)).toMatchObject([0, expect.any(String)])
  expect(await provision("none", { name: "Praxis am Markt" })).toMatchObject([0, expect.any(String)])
  const stored = await rowsAt(environment.DATABASE_URL, "SELECT name, added, retention FROM organisations")
  expect(stored).toEqual([{ name: "Praxis am Markt", added: expect.objectContaining(added), retention }])
})

test("a database of a capability that is off does not start; Rule 14.1.8", async () => {
  const environment = await settings("none")
  await rowsAt(
    environment.DATABASE_URL,
    "CREATE FUNCTION cluster_tenancy(role text, organisation text, pharmacy text, request text) RETURNS void LANGUAGE sql AS ''"
  )
  const service = run(SERVICE, { env: { ...environment, PORT: "0" } })
  expect(await service.ended).toBe(1)
  expect(service.said()).toContain("CAPABILITIES: this database needs cluster")
})

test("commands are those of the capabilities that are on", async () => {
  const helpOf = async (capabilities: string) => {
    const cli = commandLine({ ...(await settings(capabilities)) })
    return [await cli("--help"), await cli("organisations", "--help"), await cli("patients", "--help")]
      .map(({ said }) => said)
      .join("\n")
  }
  const commands = [
    ["cluster", "rebalance"],
    ["audit", "audit verify"],
    ["cluster", "isolate"],
    ["patient-rights", "reapply-erasures"],
    ["console", "staff "]
  ] as const
  const none = await helpOf("none")
  const all = await helpOf("all")
  for (const [name, command] of commands) {
    expect(none).not.toContain(command)
    expect([command, all.includes(command)]).toEqual([command, names.includes(name)])
  }
})

test("an unknown name does not start", async () => {
  const service = run(SERVICE, { env: { ...(await settings("recall")), PORT: "0" } })
  expect(await service.ended).toBe(1)
  expect(service.said()).toContain("CAPABILITIES: recall is not one of")
})
