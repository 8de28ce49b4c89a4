/** The states of the booking page, of moving an appointment, and of invalid links. */
import { inDays } from "../../../tests/support/world.ts"
import {
  cancelled,
  change,
  confirm,
  consent,
  expireSessions,
  moving,
  press,
  range,
  type Scene,
  type Stage,
  type State,
  take
} from "../scene.ts"

/** The first offered time, and its doctor. */
const offered = async ({ page }: Scene) => {
  const [start = "", ...doctor] = ((await page.locator(".next button").getAttribute("value")) ?? "").split(".")
  return { start: Number(start), doctor: doctor.join(".") }
}

const alert = ({ page }: Scene) => page.locator("[role=alert]").waitFor()

export const bookingStates = ({ scene }: Stage): ReadonlyArray<State> => [
  { name: "times", open: scene({}, async ({ world, booking }) => booking(await world.session("p", range))) },
  {
    name: "times, later days, by one doctor, in the morning",
    open: scene({}, async ({ world, booking, page }) => {
      await booking(await world.session("p", range), `?doctor=${world.doctor}&part=morning`)
      await press(page, ".pager a")
      await page.locator(".pager a").first().waitFor()
    })
  },
  {
    name: "times, one held",
    open: scene({}, async ({ world, booking, page }) => {
      const code = await world.session("p", range)
      await booking(code)
      await take(page)
      await booking(code, "?step=times")
    })
  },
  {
    name: "times, the chosen one taken",
    status: 409,
    open: scene({ doctors: 1 }, async (at) => {
      await at.booking(await at.world.session("p", range))
      await at.world.booked((await offered(at)).start, "q")
      await press(at.page, ".next button")
      await alert(at)
    })
  },
  {
    name: "times, the chosen one not offered any more",
    status: 409,
    open: scene({}, async (at) => {
      await at.booking(await at.world.session("p", range))
      await change(
        at,
        (sql, owner) => sql`DELETE FROM availability_rules WHERE organisation_uid = ${owner}
        AND doctor_uid = ${at.world.doctor}`
      )
      await at.page.locator(`button[value$="${at.world.doctor}"]`).first().click()
      await alert(at)
    })
  },
  {
    name: "times, as many appointments as the practice allows",
    status: 409,
    open: scene({ organisation: { patient_future_appointments_max: 1 } }, async (at) => {
      await at.world.booked(inDays(3), "p")
      await at.booking(await at.world.session("p", range))
      await press(at.page, ".next button")
      await alert(at)
    })
  },
  {
    name: "no time",
    open: scene({}, async ({ world, booking }) =>
      booking(await world.session("p", { ...range, from: inDays(1) + 60, to: inDays(1) + 120 }))
    )
  },
  {
    name: "details",
    open: scene({}, async ({ world, booking, page }) => {
      await booking(await world.session("p", range))
      await take(page)
    })
  },
  {
    name: "details, with consent",
    open: scene({ organisation: { consent: consent(true) } }, async ({ world, booking, page }) => {
      await booking(await world.session("p", range))
      await take(page)
    })
  },
  {
    name: "details, consent not given",
    status: 409,
    open: scene({ organisation: { consent: consent(true) } }, async (at) => {
      await at.booking(await at.world.session("p", range))
      await take(at.page)
      await at.page.locator(".consent input").evaluate((box) => box.removeAttribute("required"))
      await press(at.page, ".actions .primary")
      await alert(at)
    })
  },
  {
    name: "details, overlapping",
    open: scene({}, async (at) => {
      await at.booking(await at.world.session("p", range))
      const { start, doctor } = await offered(at)
      const doctor_uid = at.world.doctors.find((uid) => uid !== doctor)
      await at.world.booked(start, "p", { doctor_uid })
      await at.page.reload()
      await take(at.page)
      await at.page.locator(".notice.warn").first().waitFor()
    })
  },
  {
    name: "details, hold lapsed",
    open: scene({ type: { hold_ttl_seconds: 1 } }, async ({ world, booking, page }) => {
      await booking(await world.session("p", range))
      await take(page)
      await page.locator("[data-over]:visible").waitFor()
    })
  },
  {
    name: "details, the network gone for a press",
    open: scene({}, async ({ world, booking, page }) => {
      await booking(await world.session("p", range))
      await take(page)
      await page.context().setOffline(true)
      await press(page, ".actions .primary")
      await page.locator("[data-unreachable]:visible").first().waitFor()
      await page.context().setOffline(false)
    })
  },
  {
    name: "details, another time chosen in a second window",
    status: 409,
    open: scene({}, async (at) => {
      const code = await at.world.session("p", range)
      await at.booking(code)
      await take(at.page)
      await at.world.hold(code, inDays(4))
      await press(at.page, ".actions .primary")
      await alert(at)
    })
  },
  {
    name: "booked",
    open: scene({ organisation: { messages: ["confirmation"] } }, async ({ world, booking, page }) => {
      await booking(await world.session("p", range))
      await take(page)
      await confirm(page)
    })
  },
  { name: "new times", open: scene({}, async ({ world, booking }) => booking(await moving(world))) },
  {
    name: "new time",
    open: scene({}, async ({ world, booking, page }) => {
      await booking(await moving(world))
      await take(page)
    })
  },
  {
    name: "new time, the appointment cancelled meanwhile",
    status: 410,
    open: scene({}, async (at) => {
      const uid = await at.world.booked(inDays(2), "p")
      await at.booking(await at.world.session("p", { mode: "rebooking", appointment_uid: uid }))
      await take(at.page)
      await cancelled(at, uid)
      await press(at.page, ".actions .primary")
      await at.page.locator("body[data-stage=error]").waitFor()
    })
  },
  {
    name: "moved",
    open: scene({}, async ({ world, booking, page }) => {
      await booking(await moving(world))
      await take(page)
      await confirm(page)
    })
  },
  {
    name: "type no longer offered",
    status: 410,
    open: scene({}, async (at) => {
      const code = await at.world.session("p", range)
      await change(
        at,
        (sql, owner) => sql`UPDATE appointment_types SET active = false WHERE organisation_uid = ${owner}`
      )
      await at.booking(code)
    })
  },
  {
    name: "session expired",
    status: 404,
    open: scene({}, async (at) => {
      const code = await at.world.session("p", range)
      await expireSessions(at)
      await at.booking(code)
    })
  },
  {
    name: "session expired over what was typed",
    status: 404,
    open: scene({}, async (at) => {
      const code = await at.world.session("p", range)
      await at.booking(code)
      await take(at.page)
      await at.page.locator("textarea").fill("Husten")
      await expireSessions(at)
      await at.booking(code)
      await at.page.locator("[data-typed]:visible").waitFor()
    })
  }
]
