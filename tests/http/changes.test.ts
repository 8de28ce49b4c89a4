/** The filter by time of change, on every list of mutable records. Rule 2.5.6. */
import { beforeAll, describe, expect, test } from "bun:test"
import { type Ask, testServer } from "../support/server.ts"
import { inDays, random } from "../support/world.ts"
import { keyKind, type Operation, operations, resolved } from "./matrix/operations.ts"
import { pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"

// without jobs: nothing changes but by requests
const server = testServer({ ROLE: "http" })
let tenant: Tenant
beforeAll(async () => {
  tenant = await makeTenant(server.current)
  for (const base of ["/v1/management/notification-subscriptions", "/v1/external_pharmacy_api/webhooks"])
    await tenant.valueOf(base, "delivery_uid")
  const { world } = tenant
  await world.provision({
    availability_date_overrides: [
      { uid: random("ovr"), doctor_uid: world.doctor, date: inDays(20), start_time: 60, end_time: 200 },
      { uid: random("ovr"), resource_uid: tenant.named.resource_uid, date: inDays(20), start_time: 60, end_time: 200 }
    ]
  })
})

const lists = operations.filter(({ method, answer }) => {
  const { data } = answer === undefined ? {} : (resolved(answer).properties ?? {})
  return method === "GET" && data !== undefined
})
const takesIt = ({ parameters }: Operation) => parameters.some(({ name }) => name === "updated_after")

test("the lists without the filter are logs, totals and short lists of current state", () => {
  expect(lists.filter((one) => !takesIt(one)).map(({ id }) => id.replace("GET /v1/", ""))).toEqual([
    "management/scheduling/absences/{absence_uid}/appointments",
    "management/holidays",
    "management/events",
    "management/audit-log",
    "management/statistics",
    "management/statistics/resources",
    "management/statistics/recalls",
    "management/messages",
    "scheduling/appointment-types",
    "doctor/waiting",
    "doctor/patients",
    "doctor/prescriptions",
    "doctor/articles",
    "admin/scheduling/booking-token-secrets",
    "admin/scheduling/organisations/{organisation_uid}/booking-token-secrets",
    "admin/api-keys",
    "operator/queues",
    "operator/dead-letters",
    "operator/webhooks",
    "operator/parked-payouts",
    "operator/waiting-orders",
    "operator/audit-log",
    "requests",
    "external_pharmacy_api/events"
  ])
})

describe.each(lists.filter(takesIt))("$id", (operation) => {
  test("returns what has changed since an earlier time, and nothing for a later one", async () => {
    const [kind] = kindsOf(operation, keyKind(operation))
    const as: Ask = kind === undefined ? {} : await tenant.credentials[kind]()
    const path = await pathFor(operation, tenant)
    const since = async (moment: number) => {
      const at = `${path}${path.includes("?") ? "&" : "?"}updated_after=${moment}`
      const { status, body } = await server.current.api("GET", at, as)
      expect([status, at]).toEqual([200, at])
      return body
    }
    const all = await since(0)
    expect(all.data).not.toBeEmpty()
    const times: ReadonlyArray<number> = all.data.map((one: { updated_at: number }) => one.updated_at)
    for (const at of times) expect(at).toBeInteger()
    const latest = Math.max(...times)
    expect((await since(latest - 1)).data).toEqual(
      all.data.filter((one: { updated_at: number }) => one.updated_at === latest)
    )
    const none = await since(latest)
    expect([none.data, none.totalRegistries ?? 0]).toEqual([[], 0])
  })
})
