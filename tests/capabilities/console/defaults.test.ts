/** What the console's pages show before anything is chosen. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { CONSULTATION, dayOf, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

test("pages with free times open on the first type that has any, not on the first of the alphabet; Rule 17.6.17", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  // no doctor takes it
  const made = await world.api("POST", "/v1/management/scheduling/appointment-types", {
    ...CONSULTATION,
    name: "Aaa",
    doctor_assignment_mode: "selected_doctors_only"
  })
  await world.booked(inDays(2, 9))
  const patient = (await world.api("GET", "/v1/management/patients")).body.data[0].uid
  // in the last minutes of a day, no type has a time left on it
  const tomorrow = dayOf(inDays(1))
  const chosenIn = (html: string) =>
    /<select[^>]*name="(?:type|appointment_type_uid)"[^>]*>.*?<option value="([^"]*)" selected/.exec(html)?.[1]
  const practice = await asAdmin(server.current, world)
  const doctor = await asDoctor(server.current, world)
  for (const [browser, page] of [
    [practice, `practice?day=${tomorrow}`],
    [practice, `practice?view=week&day=${tomorrow}`],
    [practice, "practice?view=next"],
    [practice, `practice/patients/${patient}`],
    [doctor, `doctor/patients/${patient}`]
  ] as const)
    expect([page, chosenIn((await browser.open(`/console/${page}`)).text)]).toEqual([page, world.type_uid])
  expect((await practice.open("/console/practice/hours")).text).not.toContain('data-empty="slots"')
  // a chosen one stays, whether or not it has times
  const chosen = await practice.open(`/console/practice?view=next&type=${made.body.uid}`)
  expect(chosenIn(chosen.text)).toBe(made.body.uid)
})
