import { Effect, Option } from "effect"
import { WaitlistOfferUid } from "../../../src/capabilities/waiting-list/schemas/Waitlist.ts"
import { Offers } from "../../../src/capabilities/waiting-list/services/Offers.ts"
import { organisationPermissions, pharmacyPermissions } from "../../../src/schemas/access/permissions.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { Boss } from "../../../src/services/queue/Jobs.ts"
import { DEAD_LETTERS } from "../../../src/services/queue/queues.ts"
import { present } from "../../support/body.ts"
import { caldavStandIn } from "../../support/caldavStandIn.ts"
import type { Answer, Ask, TestServer } from "../../support/server.ts"
import { accessToken, adminOf, doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import type { Operation } from "./operations.ts"

const CUSTOMER = "customer-1"

const ok = async (asked: Promise<Answer>) => {
  const answer = await asked
  if (answer.status >= 300) throw new Error(`setting the scene: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** An organisation and a pharmacy with one record of every kind. */
export const makeTenant = async (server: TestServer) => {
  const consent = { purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }
  const world = await makeWorld(server, {
    doctors: 1,
    organisation: { consent: [consent], messages: ["confirmation"] }
  })
  const { organisation_uid, shop_uid, doctor, type_uid } = world
  const ids = {
    pharmacy_uid: random("pha"),
    pharmacy_group_uid: random("grp"),
    pharmacy_sku_uid: random("psk"),
    pharmacy_order_uid: random("ord"),
    prescription_uid: random("pre"),
    reminder_uid: random("rem"),
    rule_uid: random("rul"),
    override_uid: random("ovr"),
    resource_uid: random("res"),
    resource_rule_uid: random("rul"),
    resource_override_uid: random("ovr"),
    sku_uid: random("sku"),
    client_id: random("client"),
    product_uid: random("pro"),
    pharmacy_key: random("spr_key_that_is_long_enough")
  }
  const { pharmacy_uid, sku_uid, product_uid } = ids
  const line = { sku_uid, quantity: 1, unit_price: 900 }
  const jwks_uri = "https://portal.example.org/jwks.json"
  const hours = { date: inDays(300), start_time: 60, end_time: 1440 }
  await world.provision({
    reminders: [
      { uid: ids.reminder_uid, appointment_type_uid: type_uid, recipient_role: "patient", minutes_before: 77 }
    ],
    resources: [{ uid: ids.resource_uid, organisation_uid, kind: "room", name: "Room 1", always_available: false }],
    availability_rules: [
      // with a bound, so that replacing the weekly hours leaves it
      { uid: ids.rule_uid, doctor_uid: doctor, weekday: 0, start_time: 60, end_time: 1440, valid_from: 0 },
      { uid: ids.resource_rule_uid, resource_uid: ids.resource_uid, weekday: 0, start_time: 60, end_time: 1440 }
    ],
    availability_date_overrides: [
      { uid: ids.override_uid, doctor_uid: doctor, ...hours },
      { uid: ids.resource_override_uid, resource_uid: ids.resource_uid, ...hours }
    ],
    doctor_appointment_type_settings: [{ doctor_uid: doctor, appointment_type_uid: type_uid }],
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    products: [{ uid: product_uid, display_name: "Remedy", handle: "remedy" }],
    skus: [
      { uid: sku_uid, product_uid, display_name: "Drops", standard_selling_unit: 10, unit: "ml", selling_price: 900 }
    ],
    pharmacy_skus: [{ uid: ids.pharmacy_sku_uid, pharmacy_uid, sku_uid, external_id: "1", price: 500, stock: 5 }],
    prescriptions: [
      {
        ...{ uid: ids.prescription_uid, organisation_uid, shop_uid, doctor_uid: doctor, status: "WAITING_FOR_DOCTOR" },
        patient: { first_name: "Ada", last_name: "Patient", date_of_birth: null, gender: null },
        items: [{ sku_uid, quantity: 1 }]
      }
    ],
    pharmacy_orders: [{ uid: ids.pharmacy_order_uid, name: "#1", pharmacy_uid, shop_uid, lines: [line] }],
    api_keys: [{ key: ids.pharmacy_key, name: "all", permissions: pharmacyPermissions, pharmacy_uid }],
    fhir_clients: [{ client_id: ids.client_id, organisation_uid, name: "Portal", jwks_uri, scopes: ["system/Slot.rs"] }]
  })

  const appointment_uid = await world.booked(inDays(3, 9), CUSTOMER)
  const booking_launch_code = await world.session(CUSTOMER)
  const held = await ok(world.hold(booking_launch_code, inDays(4, 9)))
  const using = (method: string, path: string, body?: unknown) => ok(world.api(method, `/v1/${path}`, body))
  const post = (path: string, body?: unknown) => using("POST", path, body)
  const bookable = { shop_uid, shop_customer_id: CUSTOMER, doctor_uid: doctor, appointment_type_uid: type_uid }
  const keyHeld = await post("scheduling/holds", { ...bookable, start_date: inDays(5, 9) })
  const series = { ...bookable, start_date: inDays(6, 12), count: 2, interval_weeks: 1 }
  const { series_uid } = await post("management/scheduling/appointment-series", series)
  const rota = { kind: "ics", name: "Rota", url: "http://127.0.0.1:9/rota.ics", active: false }
  const { uid: busy_source_uid } = await post(`management/scheduling/doctors/${doctor}/busy-sources`, rota)
  const bearer = await doctorOf(server, world)
  const account = { provider: "caldav", url: caldavStandIn(), username: "ada", password: "secret" }
  const connection = await ok(server.api("POST", "/v1/doctor/calendar-connections", { bearer, body: account }))
  const calendars = [{ id: new URL("calendar/", account.url).href, writes: true }]
  const connections = `/v1/doctor/calendar-connections/${connection.uid}`
  await ok(server.api("PATCH", connections, { bearer, body: { calendars } }))
  const { patient_uid } = await using("GET", `management/scheduling/appointments/${appointment_uid}`)
  const [sent] = (await using("GET", `management/messages?patient_uid=${patient_uid}`)).data
  const message_uid = String(present(sent).uid)
  const due = { patient_uid, appointment_type_uid: type_uid, due_date: "2035-01-22" }
  const { uid: recall_uid } = await post("management/scheduling/recalls", due)
  const newForm = async (): Promise<string> =>
    (await post("management/forms", { title: "Form", items: [{ link_id: "one", type: "string", text: "?" }] })).uid
  const form_uid = await newForm()
  await using("PATCH", `management/scheduling/appointment-types/${type_uid}`, { intake: [{ form_uid }] })
  const newRequestType = async (): Promise<string> =>
    (
      await post("management/request-types", {
        ...{
          name: "Question",
          kind: "other",
          form_uid: await newForm(),
          answer_within_minutes: 60,
          recipient: "doctor"
        }
      })
    ).uid
  const request_type_uid = await newRequestType()
  const asked = await ok(
    server.api("POST", `/v1/scheduling/booking-sessions/${booking_launch_code}/requests`, {
      body: { request_type_uid }
    })
  )
  const ana = { role: "interpreter", name: "Ana" }
  const guest = await post(`management/scheduling/appointments/${appointment_uid}/guests`, ana)
  const away = { doctor_uid: doctor, from: inDays(200), to: inDays(201) }
  const { uid: absence_uid } = await post("management/scheduling/absences", away)
  const { uid: into } = await post("management/patients", { shop_uid })
  const { uid: staff_person_uid } = await post("management/staff", {
    display_name: "Kim",
    role: "billing",
    email: `${random("kim")}@example.org`
  })
  const admin_uid = random("adm")
  await using("PATCH", "management/organisation", { admins: [{ uid: admin_uid, display_name: "Front desk" }] })
  const given = { purpose: "video", version: "1" }
  const { uid: consent_uid } = await post(`management/patients/${patient_uid}/consents`, given)
  const codeFor = async (action: string): Promise<string> =>
    (await post(`management/scheduling/appointments/${appointment_uid}/action-links`, { action })).code

  const waiting = { patient_uid, appointment_type_uid: type_uid, from: inDays(60), to: inDays(61) }
  const { uid: waitlist_entry_uid } = await post("management/scheduling/waitlist-entries", waiting)
  await ok(server.api("POST", `/v1/scheduling/booking-sessions/${booking_launch_code}/waitlist-entry`, { body: {} }))
  /** The code of a new offer of the waiting list. */
  const offerCode = async (): Promise<string> => {
    const start_date = inDays(70 + Math.floor(Math.random() * 90), Math.floor(Math.random() * 23))
    // Of its own type and hours: an operation before this one may have changed the tenant's
    const appointment_type_uid = await world.otherType()
    const week = [0, 1, 2, 3, 4, 5, 6]
    await world.provision({
      availability_rules: week.map((weekday) => ({
        ...{ uid: random("rul"), doctor_uid: doctor, weekday },
        ...{ start_time: 0, end_time: 1440, appointment_type_uid }
      }))
    })
    const wanted = { ...bookable, shop_customer_id: random("customer"), appointment_type_uid, start_date }
    const booked = await post("management/scheduling/appointments", wanted)
    const customer = { shop_uid, shop_customer_id: random("customer"), profile: { first_name: "Ada" } }
    const { uid: waits } = await post("management/patients", customer)
    const range = { from: start_date, to: start_date + 1 }
    const entry = { ...waiting, appointment_type_uid, patient_uid: waits, need: "urgent", ...range }
    const { uid } = await post("management/scheduling/waitlist-entries", entry)
    await post(`scheduling/appointments/${booked.uid}/cancel`, { reason: null })
    const offered = await using("GET", "management/events?type=waitlist.offered&limit=200")
    const made = present(offered.data.find(({ data }) => data.entry.uid === uid))
    const owner = OrganisationUid.make(organisation_uid)
    const sent = await server.run(
      Effect.flatMap(Offers, (offers) => offers.toSend(owner, WaitlistOfferUid.make(made.data.offer.uid)))
    )
    return Option.getOrThrow(sent).url.split("/").at(-1) as string
  }

  /** By name; `segment/name` if the name is ambiguous; `segment` precedes it in the path. */
  const named: Readonly<Record<string, string>> = {
    ...ids,
    organisation_uid,
    shop_uid,
    shop_identifier: world.shop_identifier,
    patient_uid,
    consent_uid,
    series_uid,
    busy_source_uid,
    connection_uid: connection.uid,
    recall_uid,
    message_uid,
    form_uid,
    request_type_uid,
    request_uid: asked.uid,
    guest_uid: guest.uid,
    guest_code: String(guest.url).split("/").at(-1) ?? "",
    absence_uid,
    into,
    staff_person_uid,
    admin_uid,
    doctor_uid: doctor,
    new_doctor_uid: doctor,
    appointment_type_uid: type_uid,
    appointment_uid,
    waitlist_entry_uid,
    meeting_uid: appointment_uid,
    booking_launch_code,
    key_id: world.key_id,
    owner_uid: ids.pharmacy_uid,
    token: "unknown",
    "holds/hold_uid": keyHeld.hold_uid,
    hold_uid: held.hold_uid
  }

  const makeFeed = async (): Promise<string> => {
    const bearer = await doctorOf(server, world)
    return present((await ok(server.api("POST", "/v1/doctor/calendar-feed", { bearer }))).url.split("/").at(-1))
  }
  await makeFeed()

  const later: Readonly<Record<string, () => Promise<string>>> = {
    "/v1/scheduling/appointment-actions/{code}": () => codeFor("cancel"),
    "/v1/scheduling/appointment-actions/{code}/join": () => codeFor("join"),
    "/v1/scheduling/appointment-actions/{code}/cancel": () => codeFor("cancel"),
    "/v1/scheduling/appointment-actions/{code}/rebook-session": () => codeFor("rebook"),
    "/v1/scheduling/appointment-actions/{code}/intake/{form_uid}": () => codeFor("join"),
    "/v1/scheduling/appointment-actions/{code}/intake/{form_uid}/files": () => codeFor("join"),
    "/v1/scheduling/waitlist-offers/{code}": offerCode,
    "/v1/scheduling/waitlist-offers/{code}/accept": offerCode,
    "/v1/scheduling/waitlist-offers/{code}/decline": offerCode,
    "/v1/calendar-feeds/{code}": makeFeed,
    "/v1/admin/api-keys/{uid}": async () => {
      const bearer = await adminOf(server, world)
      return (await ok(server.api("GET", "/v1/admin/api-keys", { bearer }))).data[0].uid
    }
  }

  const made = new Map<string, Promise<string>>()
  const once = (what: string, make: () => Promise<string>) => {
    const known = made.get(what) ?? make()
    made.set(what, known)
    return known
  }
  const subscriptions = (path: string) =>
    path.startsWith("/v1/management")
      ? (["/v1/management/notification-subscriptions", world.key, { notification_type: "REBOOKED" }] as const)
      : ([
          "/v1/external_pharmacy_api/webhooks/",
          ids.pharmacy_key,
          { event_types: ["pharmacy_order.created"] }
        ] as const)
  const subscription = (path: string) => {
    const [list, key, subject] = subscriptions(path)
    const body = { url: "http://127.0.0.1:9/hook", ...subject }
    return once(list, async () => (await ok(server.api("POST", list, { key, body }))).uid)
  }
  const delivery = (path: string) => {
    const [list, key] = subscriptions(path)
    return once(`${list} delivery`, async () => {
      const one = `${list.replace(/\/$/, "")}/${await subscription(path)}`
      await ok(server.api("POST", `${one}/test`, { key }))
      return (await ok(server.api("GET", `${one}/deliveries`, { key }))).data[0].uid
    })
  }

  /** A job of the tenant without attempts left. */
  const deadLetter = () =>
    once("dead letter", () =>
      server.run(
        Effect.flatMap(Boss, (boss) =>
          Effect.promise(async () => {
            // of a prescription that does not exist: if retried, it would delete the files
            const data = { data: { organisation_uid, prescription_uid: random("pre") } }
            const queue = "prescription.forget"
            // for tomorrow, so that no worker takes it during the test
            await boss.insert(queue, [{ data, retryLimit: 0, startAfter: 86_400 }])
            const own = await boss.findJobs<object>(queue, { data })
            await boss.fail(queue, own[0]?.id ?? "", { message: "failed" })
            return (await boss.findJobs<object>(DEAD_LETTERS, { data }))[0]?.id ?? ""
          })
        )
      )
    )

  /** The value of a path parameter or a body field; undefined for an unknown name. */
  const valueOf = async (path: string, name: string): Promise<string | undefined> => {
    const isSessions = path.includes("{booking_launch_code}")
    if (name === "subscription_uid") return subscription(path)
    if (name === "delivery_uid") return delivery(path)
    if (name === "dead_letter_uid") return deadLetter()
    const special = path.includes(`{${name}}`) && !(name in named) ? later[path] : undefined
    if (special !== undefined) return special()
    const ofResource = path.includes("{resource_uid}") ? named[`resource_${name}`] : undefined
    if (ofResource !== undefined) return ofResource
    return (name === "hold_uid" && !isSessions ? named["holds/hold_uid"] : undefined) ?? named[name]
  }

  /** A key of the tenant with every permission except these. */
  const keyWithout = (kind: "organisation" | "pharmacy", needed: ReadonlyArray<string>) =>
    once(`key of the ${kind} without ${needed}`, async () => {
      const all: ReadonlyArray<string> = kind === "organisation" ? organisationPermissions : pharmacyPermissions
      const key = random("spr_key_that_is_long_enough")
      const bound = kind === "organisation" ? { organisation_uid } : { pharmacy_uid }
      const permissions = all.filter((one) => !needed.includes(one))
      await world.provision({ api_keys: [{ key, name: "some", permissions, ...bound }] })
      return key
    })

  const credentials = {
    organisation: async (): Promise<Ask> => ({ key: world.key }),
    pharmacy: async (): Promise<Ask> => ({ key: ids.pharmacy_key }),
    patient: async (): Promise<Ask> => ({ token: await world.token(CUSTOMER) }),
    doctor: async (): Promise<Ask> => ({ bearer: await doctorOf(server, world) }),
    admin: async (): Promise<Ask> => ({ bearer: await adminOf(server, world) }),
    operator: async (): Promise<Ask> => ({ bearer: await accessToken(server, { role: "operator", ttlSeconds: 300 }) })
  }
  // articles belong to the installation: every doctor finds them
  const secrets = Object.entries(named).flatMap(([name, value]) => (name === "sku_uid" ? [] : [value]))
  return { world, named, valueOf, keyWithout, credentials, secrets }
}
export type Tenant = Awaited<ReturnType<typeof makeTenant>>
export type CredentialKind = keyof Tenant["credentials"]

/** The kinds of credentials that an operation accepts. */
export const kindsOf = (operation: Operation, keys: "organisation" | "pharmacy"): ReadonlyArray<CredentialKind> =>
  operation.security.map((scheme) => {
    if (scheme === "apiKey") return keys
    if (scheme === "bookingToken") return "patient"
    if (operation.path.startsWith("/v1/operator/")) return "operator"
    return operation.path.startsWith("/v1/admin/") ? "admin" : "doctor"
  })
