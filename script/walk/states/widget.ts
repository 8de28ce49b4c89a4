/** The states of the widget: the booking page in a frame on a partner's page. */
import { change, confirm, expireSessions, moving, press, range, type Stage, type State, take } from "../scene.ts"

export const widgetStates = ({ widget }: Stage): ReadonlyArray<State> => [
  {
    name: "widget, times",
    open: widget({}, async ({ world }, show) => show(await world.session("p", range)))
  },
  {
    name: "widget, details",
    open: widget({}, async ({ world }, show) => take(await show(await world.session("p", range))))
  },
  {
    name: "widget, hold lapsed",
    open: widget({ type: { hold_ttl_seconds: 1 } }, async ({ world }, show) => {
      const frame = await show(await world.session("p", range))
      await take(frame)
      await frame.locator("[data-over]:visible").waitFor()
    })
  },
  {
    name: "widget, booked",
    open: widget({}, async ({ world }, show) => {
      const frame = await show(await world.session("p", range))
      await take(frame)
      await confirm(frame)
    })
  },
  {
    name: "widget, moved",
    open: widget({}, async ({ world }, show) => {
      const frame = await show(await moving(world))
      await take(frame)
      await confirm(frame)
    })
  },
  {
    name: "widget, session expired",
    status: 404,
    open: widget({}, async (at, show) => {
      const frame = await show(await at.world.session("p", range))
      await expireSessions(at)
      await press(frame, ".next button")
      await frame.locator(".plain").waitFor()
    })
  },
  {
    name: "widget, type no longer offered",
    status: 410,
    open: widget({}, async (at, show) => {
      const code = await at.world.session("p", range)
      await change(
        at,
        (sql, owner) => sql`UPDATE appointment_types SET active = false WHERE organisation_uid = ${owner}`
      )
      await show(code)
    })
  },
  { name: "widget, unknown launch code", status: 404, anonymous: true, open: widget({}, (_, show) => show("blc_x")) }
]
