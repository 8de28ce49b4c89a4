/** Every kind of credential and code of one tenant, each valid where it belongs. */
import { Effect } from "effect"
import { RecallUid } from "../../../src/capabilities/recalls/schemas/Recall.ts"
import { Recalls } from "../../../src/capabilities/recalls/services/Recalls.ts"
import { organisationPermissions, pharmacyPermissions } from "../../../src/schemas/access/permissions.ts"
import { OrganisationUid, PrescriptionUid } from "../../../src/schemas/ids.ts"
import { codeKinds } from "../../../src/schemas/scheduling/ActionLink.ts"
import { FileAddresses } from "../../../src/services/prescriptions/FileAddresses.ts"
import { PrescriptionRendering } from "../../../src/services/prescriptions/PrescriptionRendering.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { smartClient } from "../../capabilities/fhir/support.ts"
import { issuedCode } from "../../support/codes.ts"
import { asAdmin, asDoctor, asOperator, asPharmacy, cookieOf } from "../../support/console.ts"
import { openAppointment } from "../../support/meetings.ts"
import type { Ask, TestServer } from "../../support/server.ts"
import { accessToken } from "../../support/staff.ts"
import { random } from "../../support/world.ts"
import type { Tenant } from "./tenant.ts"

export const roles = ["doctor", "admin", "pharmacy", "operator"] as const
export type StaffRole = (typeof roles)[number]

/** A credential that a request carries in a header. */
export interface Carried {
  readonly kind: string
  readonly ask: Ask
  /** Its text. */
  readonly secret: string
  readonly scheme: "apiKey" | "bookingToken" | "bearer" | "fhir" | "cookie"
  /** Of a key, and whether it is a pharmacy's. */
  readonly permission?: string
  readonly isPharmacys?: boolean
  /** Of a person, and of the SMART client. */
  readonly role?: StaffRole
}

const keysOf = async ({ world, named }: Tenant): Promise<ReadonlyArray<Carried>> => {
  const { organisation_uid, provision } = world
  const owned = <A extends string>(permissions: ReadonlyArray<A>, isPharmacys: boolean, owner: object) =>
    permissions.map((permission) => ({ permission, isPharmacys, owner, key: random("spr_key_that_is_long_enough") }))
  const made = [
    ...owned(organisationPermissions, false, { organisation_uid }),
    ...owned(pharmacyPermissions, true, { pharmacy_uid: named.pharmacy_uid })
  ]
  await provision({
    api_keys: made.map(({ key, permission, owner }) => ({ key, name: permission, permissions: [permission], ...owner }))
  })
  return made.map(({ key, permission, isPharmacys }) => ({
    kind: `key with ${permission}`,
    ask: { key },
    secret: key,
    scheme: "apiKey",
    permission,
    isPharmacys
  }))
}

const personOf = ({ world, named }: Tenant, role: StaffRole) => {
  const { organisation_uid, doctor: doctor_uid } = world
  if (role === "operator") return { role, ttlSeconds: 3_600 }
  if (role === "pharmacy") return { role, pharmacy_uid: named.pharmacy_uid ?? "", ttlSeconds: 3_600 }
  return { role, organisation_uid, ttlSeconds: 3_600, ...(role === "doctor" && { doctor_uid }) }
}

/** A token of a new client with every right; it lasts five minutes. */
export const fhirToken = async (server: TestServer, { world }: Tenant) => {
  const client = await smartClient(server, world, ["system/*.*"])
  await world.api("PATCH", "/v1/management/organisation", { fhir: { enabled: true } })
  const assertion = await client.assertion()
  const { body } = await client.exchange(assertion)
  return { token: String(body.access_token), assertion }
}

/** The browsers of the tenant's staff, with the token of their forms. */
const sessionsOf = async (server: TestServer, { world, named }: Tenant) => {
  const signIn = {
    doctor: () => asDoctor(server, world),
    admin: () => asAdmin(server, world),
    pharmacy: () => asPharmacy(server, named.pharmacy_uid ?? ""),
    operator: () => asOperator(server)
  }
  const opened: Array<{ readonly role: StaffRole; readonly cookie: string; readonly csrf: string }> = []
  for (const role of roles) {
    const browser = await signIn[role]()
    opened.push({ role, cookie: cookieOf(browser), csrf: browser.csrf })
  }
  return opened
}

/** All that a request may carry in a header, and the browsers among them. */
export const carriedBy = async (server: TestServer, tenant: Tenant) => {
  const token = await tenant.world.token("customer-1", { exp: Math.floor(Date.now() / 1000) + 3_500 })
  const fhir = await fhirToken(server, tenant)
  const sessions = await sessionsOf(server, tenant)
  const bearers = await Promise.all(
    roles.map(async (role) => ({ role, secret: await accessToken(server, personOf(tenant, role)) }))
  )
  const carried: ReadonlyArray<Carried> = [
    ...(await keysOf(tenant)),
    { kind: "booking token", ask: { token }, secret: token, scheme: "bookingToken" },
    ...bearers.map(({ role, secret }) => ({
      kind: `access token of a ${role}`,
      ask: { bearer: secret },
      secret,
      scheme: "bearer" as const,
      role
    })),
    { kind: "SMART token", ask: { bearer: fhir.token }, secret: fhir.token, scheme: "fhir" },
    ...sessions.map(({ role, cookie }) => ({
      kind: `console's cookie of a ${role}`,
      ask: { headers: { cookie } },
      secret: cookie.slice(cookie.indexOf("=") + 1),
      scheme: "cookie" as const,
      role
    }))
  ]
  return { carried, sessions, assertion: fhir.assertion }
}

/** The token of a prescription's file; it lasts five minutes. */
export const fileToken = async (server: TestServer, { world, named }: Tenant) => {
  const organisation_uid = OrganisationUid.make(world.organisation_uid)
  const prescription = { organisation_uid, prescription_uid: PrescriptionUid.make(named.prescription_uid ?? "") }
  const { url } = await server.run(
    Effect.gen(function* () {
      yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(prescription))
      return yield* Effect.flatMap(FileAddresses, ({ addressOf }) => addressOf(prescription))
    }).pipe(onlyOwner({ organisation_uid }), Effect.provide(FileAddresses.Default))
  )
  return url.split("/").at(-1) ?? ""
}

/** Every code that a path or a query carries, by its kind. */
export const codesOf = async (server: TestServer, tenant: Tenant) => {
  const { world, named, valueOf } = tenant
  const owner = OrganisationUid.make(world.organisation_uid)
  const appointment_uid = named.appointment_uid ?? ""
  const actions = await Promise.all(
    codeKinds.map(async (kind) => [kind, await issuedCode(server, world, appointment_uid, kind)] as const)
  )
  const recall = await server.run(
    Effect.flatMap(Recalls, ({ notice }) =>
      notice({ organisation_uid: owner, subject_uid: RecallUid.make(named.recall_uid ?? "") }, { language: "en" })
    )
  )
  const open = await issuedCode(server, world, await openAppointment(world), "join")
  const joined = await server.api("POST", `/v1/scheduling/appointment-actions/${open}/join`)
  const offer = await valueOf("/v1/scheduling/waitlist-offers/{code}", "code")
  const feed = await valueOf("/v1/calendar-feeds/{code}", "code")
  const room = String(joined.body.room_name)
  const codes: Readonly<Record<string, string>> = {
    ...Object.fromEntries(actions.map(([kind, code]) => [`${kind} code`, code])),
    // of the session with an entry of the waiting list
    "launch code": named.booking_launch_code ?? "",
    "offer's code": offer ?? "",
    "recall's code": /rcl_[\w-]+/.exec(JSON.stringify(recall))?.[0] ?? "",
    "guest's code": named.guest_code ?? "",
    "calendar feed's code": feed ?? "",
    "file's token": await fileToken(server, tenant),
    "shop's identifier": world.shop_identifier,
    "booking secret": world.secret,
    "booking secret's id": world.key_id,
    "room's name": room,
    "join token": String(joined.body.token)
  }
  return { codes, room }
}
