/** The states of the waiting list's pages, of series, recalls, holidays and profile fields to complete. */

import { Effect } from "effect"
import { Recalls } from "../../../src/capabilities/recalls/services/Recalls.ts"
import { present } from "../../../tests/support/body.ts"
import { mailsTo } from "../../../tests/support/codes.ts"
import { eventually } from "../../../tests/support/eventually.ts"
import { inDays, random } from "../../../tests/support/world.ts"
import { cancelled, change, linkTo, press, range, type Scene, type Stage, type State, take } from "../scene.ts"

/** Short times, so that a near one becomes free. */
const listed = { doctors: 1, type: { duration_minutes: 20, waitlist: true } }

const MINUTES_20 = 1200
/** A start within the next 24 hours, which is offered at once also at night. */
const near = () => Math.ceil((Date.now() / 1000 + 6 * 3600) / MINUTES_20) * MINUTES_20

const codeIn = async ({ server }: Scene, address: string, path: RegExp) => {
  const mails = await eventually(
    async () => (await mailsTo(server, address)).filter(({ text }) => path.test(text ?? "")),
    (found) => found.length > 0
  )
  return path.exec(mails.at(-1)?.text ?? "")?.[0] ?? ""
}

/** A patient who waits, by launch code. */
const waiting = async (at: Scene, customer: string) => {
  const code = await at.world.session(customer, range)
  const answer = await at.server.api("POST", `/v1/scheduling/booking-sessions/${code}/waitlist-entry`, { body: {} })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer))
  return code
}

/** Opens the page of an offer of a time that became free. */
const offered = async (at: Scene) => {
  const customer = random("p")
  const uid = await at.world.booked(near(), random("q"))
  await waiting(at, customer)
  await cancelled(at, uid)
  await at.goTo(`/meet${await codeIn(at, `${customer}@example.org`, /\/waitlist\/wlo_[\w-]+/)}`)
}

const asked = async (at: Scene, customer = random("p")) => {
  await at.booking(await at.world.session(customer, range))
  await press(at.page, 'a[href*="/waitlist"]')
  await press(at.page, "button[value=ask]")
  await at.page.locator("[data-notice]").waitFor()
  return customer
}

const pause = (at: Scene) =>
  change(
    at,
    (sql, owner) => sql`UPDATE waitlist_entries SET status = 'paused', unanswered = 3 WHERE organisation_uid = ${owner}`
  )

const recalled = async (at: Scene) => {
  const customer = random("p")
  await at.world.booked(inDays(2), customer)
  const { body } = await at.world.api("GET", `/v1/management/patients?shop_customer_id=${customer}`)
  const { uid: patient_uid } = body.data[0]
  const due_date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const recall = { patient_uid, appointment_type_uid: at.world.type_uid, due_date, message_text: "Bitte nüchtern." }
  const made = await at.world.api("POST", "/v1/management/scheduling/recalls", recall)
  if (made.status !== 201) throw new Error(JSON.stringify(made))
  // else up to a minute later
  await at.server.run(Effect.flatMap(Recalls, (recalls) => recalls.sendDue()))
  await at.goTo(`/meet${await codeIn(at, `${customer}@example.org`, /\/recall\/[\w-]+/)}`)
  return customer
}

const series = async (at: Scene) => {
  const customer = random("p")
  await at.world.booked(inDays(2), customer)
  const { body } = await at.world.api("GET", `/v1/management/patients?shop_customer_id=${customer}`)
  const { status, body: made } = await at.world.api("POST", "/v1/management/scheduling/appointment-series", {
    shop_uid: at.world.shop_uid,
    patient_uid: body.data[0].uid,
    doctor_uid: at.world.doctor,
    appointment_type_uid: at.world.type_uid,
    start_date: inDays(3, 9),
    count: 4,
    interval_weeks: 1
  })
  if (status !== 201) throw new Error(JSON.stringify(made))
  await cancelled(at, present(made.appointments[3]).uid)
  await at.goTo(await linkTo(at, present(made.appointments[1]).uid, "join"))
}

export const waitlistStates = ({ scene }: Stage): ReadonlyArray<State> => [
  {
    name: "times, with a waiting list",
    open: scene(listed, async ({ world, booking }) => booking(await world.session("p", range)))
  },
  {
    name: "no time, with a waiting list",
    open: scene(listed, async ({ world, booking }) =>
      booking(await world.session("p", { ...range, from: inDays(1) + 60, to: inDays(1) + 120 }))
    )
  },
  {
    name: "waiting list, a wish",
    open: scene({ ...listed, doctors: 2 }, async (at) => {
      await at.booking(await at.world.session("p", range))
      await press(at.page, 'a[href*="/waitlist"]')
      await at.page.locator("button[value=ask]").waitFor()
    })
  },
  { name: "waiting list, entered", open: scene(listed, (at) => asked(at)) },
  {
    name: "waiting list, an entry of the mail",
    open: scene(listed, async (at) => {
      const customer = await asked(at)
      await at.goTo(`/meet${await codeIn(at, `${customer}@example.org`, /\/waitlist\/wle_[\w-]+/)}`)
    })
  },
  {
    name: "waiting list, paused",
    open: scene(listed, async (at) => {
      const customer = await asked(at)
      const path = await codeIn(at, `${customer}@example.org`, /\/waitlist\/wle_[\w-]+/)
      await pause(at)
      await at.goTo(`/meet${path}`)
    })
  },
  { name: "waiting list, an offer", open: scene(listed, offered) },
  {
    name: "waiting list, an offer accepted",
    open: scene(listed, async (at) => {
      await offered(at)
      await press(at.page, "#accept")
      await at.page.locator(".done-mark").waitFor()
    })
  },
  {
    name: "waiting list, an offer lost",
    open: scene(listed, async (at) => {
      await offered(at)
      await at.world.booked(near(), random("q"))
      await at.page.reload()
    })
  },
  {
    name: "waiting list, left",
    open: scene(listed, async (at) => {
      await offered(at)
      await press(at.page, "#leave")
      await at.page.locator("body[data-stage=waitlist-left]").waitFor()
    })
  },
  {
    name: "appointment, an earlier time wanted",
    open: scene(listed, async (at) => {
      await at.goTo(await linkTo(at, await at.world.booked(inDays(5), "p"), "join"))
      await at.page.locator("details:has(button[value=sooner]) summary").click()
      await press(at.page, "button[value=sooner]")
      await at.page.locator("[data-notice]").waitFor()
    })
  },
  { name: "appointment of a series", open: scene({ type: { duration_minutes: 20 } }, series) },
  { name: "recall", open: scene({ type: { duration_minutes: 20 } }, (at) => recalled(at)) },
  {
    name: "recall, stopped",
    open: scene({ type: { duration_minutes: 20 } }, async (at) => {
      await recalled(at)
      await press(at.page, "#stop")
      await at.page.locator("#stop").waitFor({ state: "detached" })
    })
  },
  {
    name: "recall, booked by another way",
    open: scene({ type: { duration_minutes: 20 } }, async (at) => {
      await at.world.booked(inDays(5), await recalled(at))
      await at.page.reload()
      await at.page.locator("#stop").waitFor({ state: "detached" })
    })
  },
  {
    name: "times, a holiday among the days",
    open: scene(
      {
        organisation: {
          extra_holidays: [{ date: new Date(inDays(3) * 1000).toISOString().slice(0, 10), name: "Betriebsausflug" }]
        },
        type: {
          description:
            "Für neue Beschwerden, Fragen zu Befunden und zur laufenden Behandlung. Bitte bringen Sie Ihre Unterlagen mit.",
          price: "Gesetzlich Versicherte: kostenlos",
          cancellation_rule: "bis 24 Stunden vorher kostenlos"
        }
      },
      async ({ world, booking }) => booking(await world.session("p", range))
    )
  },
  {
    name: "details, profile fields to complete",
    open: scene({}, async (at) => {
      const code = await at.world.session("p", range)
      await change(
        at,
        (
          sql,
          owner
        ) => sql`UPDATE booking_sessions SET ignored_profile_fields = ARRAY['phone', 'gender', 'date_of_birth']
          WHERE organisation_uid = ${owner}`
      )
      await at.booking(code)
      await take(at.page)
    })
  }
]
