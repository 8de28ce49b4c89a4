/** The states of an appointment's page and of its device test. */
import { inDays } from "../../../tests/support/world.ts"
import { cancelled, consent, linkTo, press, type Scene, type Stage, type State, startingIn } from "../scene.ts"
import { forbidMedia, neverConnect } from "./media.ts"

const strict = { type: { cancellation_min_notice_minutes: 100_000, rebooking_min_notice_minutes: 100_000 } }

const inTwoDays = async (at: Scene, action: "join" | "cancel" | "rebook") => {
  const uid = await at.world.booked(inDays(2), "p")
  await at.goTo(await linkTo(at, uid, action))
  return uid
}

const toDevices = async (at: Scene) => {
  await inTwoDays(at, "join")
  await press(at.page, 'a[href*="/devices"]')
  await at.page.locator("[data-connection]").waitFor()
}

/** The device test in a browser that lacks these features. */
const devices = ({ scene }: Stage): ReadonlyArray<State> => [
  {
    name: "test of devices, all well",
    open: scene({}, async (at) => {
      await toDevices(at)
      await at.page.locator('[data-connection="good"]').waitFor()
      await at.page.locator("meter").waitFor()
    })
  },
  {
    name: "test of devices, no connection",
    open: scene({}, async (at) => {
      await neverConnect(at.page)
      await toDevices(at)
      await at.page.locator('[data-connection="none"]').waitFor()
    })
  },
  ...(["NotAllowedError", "NotFoundError", "NotReadableError", "unsupported"] as const).map((reason) => ({
    name: `test of devices, ${reason}`,
    open: scene({}, async (at) => {
      await forbidMedia(at.page, reason)
      await toDevices(at)
      await at.page.locator("[data-connection]:not([data-connection=checking])").waitFor()
    })
  }))
]

export const appointmentStates = (stage: Stage): ReadonlyArray<State> => {
  const { scene } = stage
  return [
    ...(["join", "cancel", "rebook"] as const).map((action) => ({
      name: `appointment in two days, link to ${action}`,
      open: scene({ organisation: { consent: consent(false) } }, (at) => inTwoDays(at, action))
    })),
    {
      name: "appointment, consent given",
      open: scene({ organisation: { consent: consent(false) } }, async (at) => {
        await inTwoDays(at, "join")
        await at.page.locator("summary").last().click()
        await press(at.page, "button[value=agree]")
        await at.page.locator("button[value=withdraw]").waitFor({ state: "attached" })
        await at.page.locator("summary").last().click()
      })
    },
    ...(
      [
        ["within the hour", 1500],
        ["room open", 60],
        ["over", -9000]
      ] as const
    ).map(([name, seconds]) => ({
      name: `appointment, ${name}`,
      open: scene({}, async (at) => at.goTo(await linkTo(at, await startingIn(at, seconds), "join")))
    })),
    {
      name: "appointment in the practice",
      open: scene({}, async (at) =>
        at.goTo(await linkTo(at, await startingIn(at, 1500, { meeting_format: "IN_PERSON" }), "join"))
      )
    },
    {
      name: "appointment, said to be late",
      open: scene({}, async (at) => {
        await at.goTo(await linkTo(at, await startingIn(at, 1500), "join"))
        await at.page.locator("details:has(#minutes) summary").click()
        await press(at.page, "button[value=late]")
        await at.page.locator("[data-notice]").waitFor()
      })
    },
    ...(["cancel", "rebook"] as const).map((action) => ({
      name: `appointment, too late to ${action}`,
      open: scene(strict, (at) => inTwoDays(at, action))
    })),
    {
      name: "appointment, cancelled by the practice while its page was open",
      status: 409,
      open: scene({}, async (at) => {
        await cancelled(at, await inTwoDays(at, "cancel"))
        await press(at.page, "button[value=cancel]")
        await at.page.locator("[role=alert]").waitFor()
      })
    },
    {
      name: "appointment, cancelled",
      open: scene({}, async (at) => {
        await inTwoDays(at, "cancel")
        await press(at.page, "button[value=cancel]")
        await at.page.locator(".done").waitFor()
      })
    },
    {
      name: "appointment, old link after a move",
      open: scene({}, async (at) => {
        const uid = await at.world.booked(inDays(2), "p")
        const link = await linkTo(at, uid, "cancel")
        const code = await at.world.session("p", { mode: "rebooking", appointment_uid: uid })
        const held = await at.world.hold(code, inDays(5, 8))
        await at.world.confirm(code, held.body.hold_uid)
        await at.goTo(link)
      })
    },
    ...devices(stage)
  ]
}
