/** The booking page asks for profile fields that a partner sent in a form that cannot be used. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

/** A held time of a patient whose token had these values. */
const held = async (fields: Readonly<Record<string, unknown>>) => {
  const world = await makeWorld(server.current)
  const customer = random("p")
  const patient_profile_fields = Object.entries(fields).map(([field, value]) => ({ field, value, source: "shop" }))
  const token = await world.token(customer, { patient_profile_fields })
  const { body } = await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    token,
    body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(0), to: inDays(30) }
  })
  const code = body.booking_launch_code
  const { hold_uid, ignored_profile_fields } = (await world.hold(code, inDays(3, 9))).body
  const page = `/meet/booking/${code}`
  const confirm = async (entered: Readonly<Record<string, string>>) => {
    const answer = await server.current.api("POST", `${page}/confirm`, {
      body: new URLSearchParams({ hold_uid, visit_reason: "Husten", ...entered })
    })
    expect(answer.status).toBe(303)
    return answer.headers.get("location") ?? ""
  }
  const profile = async () =>
    (await world.api("GET", `/v1/management/patients?shop_customer_id=${customer}`)).body.data[0].profile
  const read = async (path = page) => (await server.current.api("GET", path)).text
  return { confirm, profile, read, ignored_profile_fields }
}

test("the page asks for them alone, and stores what is entered; Rule 1.6.6", async () => {
  const { confirm, profile, read, ignored_profile_fields } = await held({
    first_name: "Ada",
    phone: "n/a",
    gender: "unknown",
    country_code: "Neverland",
    nickname: "x"
  })
  expect(ignored_profile_fields.toSorted()).toEqual(["country_code", "gender", "phone"])
  const asked = await read()
  for (const name of ["phone", "gender", "country_code"]) expect(asked).toContain(`name="profile_${name}"`)
  expect(asked).not.toContain('name="profile_first_name"')
  await confirm({ profile_phone: "030 123456", profile_gender: "divers", profile_first_name: "Eve" })
  expect(await read()).toContain('data-stage="confirmed"')
  expect(await profile()).toMatchObject({ first_name: "Ada", gender: "divers", phone: expect.stringContaining("30") })
})

test("a value that cannot be used is asked for again with what was entered, and nothing is booked; Rule 1.6.6", async () => {
  const { confirm, profile, read } = await held({ first_name: "Ada", phone: "n/a", date_of_birth: "soon" })
  const back = await confirm({ profile_phone: "030 123456", profile_date_of_birth: "2031-01-01" })
  expect(back).not.toContain("2031")
  const again = await read(back)
  expect(again).toContain('value="2031-01-01"')
  expect(again).toContain('aria-invalid="true"')
  expect(again).toContain("Husten")
  expect(again).not.toContain('name="profile_phone"')
  await confirm({ profile_date_of_birth: "" })
  expect(await read()).toContain('data-stage="confirmed"')
  expect(Object.keys(await profile())).toContain("phone")
})
