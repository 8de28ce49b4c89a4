/** The states of the meeting page, on both sides. */
import type { Page } from "playwright-core"
import { doctorsMeeting } from "../../../tests/support/meetings.ts"
import { cancelled, linkTo, press, type Scene, type Stage, type State, startingIn } from "../scene.ts"
import { forbidMedia, giveScreen, losePackets } from "./media.ts"

const ENTER = ".controls .primary"
const STEP_OUT = ".controls .control:nth-last-child(2)"

const patientIn = async (at: Scene, page = at.page, appointment = startingIn(at, -60)) => {
  const uid = await appointment
  await page.goto(await linkTo(at, uid, "join"))
  await press(page, "form .primary")
  await page.locator(".preview").waitFor()
  return uid
}
const waiting = async (at: Scene, appointment?: Promise<string>) => {
  const uid = await patientIn(at, at.page, appointment)
  await press(at.page, ENTER)
  await at.page.locator("[data-standing]").waitFor()
  return uid
}
const doctorIn = async ({ server, world }: Scene, page: Page, uid: string) => {
  await page.goto(await doctorsMeeting(server, world, uid))
  await press(page, ENTER)
  await page.locator("#queue").waitFor()
}
const connected = (page: Page) => page.locator('[data-call="connected"]').waitFor()

interface Call {
  readonly page: Page
  readonly other: Page
  readonly uid: string
}

/** A patient and a doctor in a call; the state's page is that of one of them. */
const calling =
  ({ scene }: Stage) =>
  (
    whose: "patient" | "doctor",
    then: (call: Call) => Promise<unknown> = async () => {},
    prepare: (page: Page) => Promise<unknown> = async () => {}
  ) =>
    scene({}, async (at) => {
      const other = await at.another()
      const [patient, doctor] = whose === "patient" ? [at.page, other] : [other, at.page]
      await prepare(at.page)
      const uid = await patientIn(at, patient)
      await press(patient, ENTER)
      await doctorIn(at, doctor, uid)
      await press(doctor, ".queue button")
      await Promise.all([connected(patient), connected(doctor)])
      await then({ page: at.page, other, uid })
    })

export const meetingStates = (stage: Stage): ReadonlyArray<State> => {
  const { scene } = stage
  const call = calling(stage)
  return [
    { name: "patient before the waiting room", open: scene({}, (at) => patientIn(at)) },
    ...(["NotAllowedError", "NotFoundError", "NotReadableError", "unsupported"] as const).map((reason) => ({
      name: `patient before the waiting room, ${reason}`,
      open: scene({}, async (at) => {
        await forbidMedia(at.page, reason)
        await patientIn(at)
        await at.page.locator("[role=alert] .notice").waitFor()
      })
    })),
    { name: "waiting room", open: scene({}, (at) => waiting(at)) },
    {
      name: "waiting room, without camera and microphone",
      open: scene({}, async (at) => {
        await forbidMedia(at.page, "NotAllowedError")
        await waiting(at)
      })
    },
    {
      name: "waiting room, a conversation before",
      open: scene({ type: { room_strategy: "persistent_per_provider" } }, async (at) => {
        const [first, doctor] = [await at.another(), await at.another()]
        const end_date = Math.floor(Date.now() / 1000) + 240
        const uid = await patientIn(at, first, startingIn(at, -60, { end_date }))
        await press(first, ENTER)
        await doctorIn(at, doctor, uid)
        await press(doctor, ".queue button")
        await connected(first)
        await waiting(at, startingIn(at, 240))
      })
    },
    {
      name: "waiting room, connection to the service lost",
      open: scene({}, async (at) => {
        let lost = false
        let cut = () => {}
        await at.page.routeWebSocket(/socket/, (wire) => {
          if (lost) return void wire.close({ code: 1011 })
          const toServer = wire.connectToServer()
          cut = () => {
            lost = true
            void toServer.close()
            void wire.close({ code: 1011 })
          }
        })
        await waiting(at)
        cut()
        await at.page.locator("p.notice.warn[role=status]").waitFor()
      })
    },
    {
      name: "waiting room, the appointment cancelled",
      open: scene({}, async (at) => {
        await cancelled(at, await waiting(at))
        await at.page.locator(".actions").waitFor()
      })
    },
    {
      name: "refused token",
      open: scene({}, async (at) => {
        await at.page.routeWebSocket(/socket/, (wire) => wire.close({ code: 4401 }))
        await patientIn(at)
        await press(at.page, ENTER)
        await at.page.locator(".actions").waitFor()
      })
    },
    { name: "patient in a call", open: call("patient") },
    {
      name: "patient in a call, the doctor away",
      open: call("patient", async ({ page, other }) => {
        await press(other, STEP_OUT)
        await press(other, "[role=alertdialog] .secondary")
        await page.locator(".stage .blank").waitFor()
      })
    },
    {
      name: "patient in a call on a weak line",
      open: call(
        "patient",
        ({ page }) => page.locator(".notice.warn button").waitFor(),
        (page) => losePackets(page)
      )
    },
    {
      name: "patient has left",
      open: call("patient", async ({ page }) => {
        await press(page, ".controls .leave")
        await page.locator(".actions .primary").waitFor()
      })
    },
    {
      name: "call ended by the doctor",
      open: call("patient", async ({ page, other }) => {
        await press(other, ".controls .leave")
        await page.locator(".actions .secondary").waitFor()
      })
    },
    {
      name: "doctor before the room",
      open: scene({}, async (at) => at.goTo(await doctorsMeeting(at.server, at.world, await startingIn(at, -60))))
    },
    { name: "doctor's empty room", open: scene({}, async (at) => doctorIn(at, at.page, await startingIn(at, -60))) },
    {
      name: "doctor's room, a patient late",
      open: scene({}, async (at) => {
        const uid = await startingIn(at, -60)
        const patient = await at.another()
        await patient.goto(await linkTo(at, uid, "join"))
        await patient.locator("details:has(#minutes) summary").click()
        await press(patient, "button[value=late]")
        await patient.locator("[data-notice]").waitFor()
        await doctorIn(at, at.page, uid)
        await at.page.locator(".late").waitFor()
      })
    },
    {
      name: "doctor's room, a patient waiting",
      open: scene({}, async (at) => {
        const patient = await at.another()
        const uid = await patientIn(at, patient)
        await press(patient, ENTER)
        await doctorIn(at, at.page, uid)
        await at.page.locator(".queue button").waitFor()
      })
    },
    { name: "doctor in a call", open: call("doctor") },
    {
      name: "doctor in a call, the patient away",
      open: call("doctor", async ({ page, other }) => {
        await press(other, ".controls .leave")
        await page.locator(".stage .blank").waitFor()
      })
    },
    {
      name: "doctor in a call, screen shared",
      open: call(
        "doctor",
        async ({ page }) => {
          await press(page, ".controls .control:nth-child(3)")
          await page.locator(".controls .control:nth-child(3).off").waitFor()
        },
        giveScreen
      )
    },
    {
      name: "doctor in a call, asked about stepping out",
      open: call("doctor", async ({ page }) => {
        await press(page, STEP_OUT)
        await page.locator("[role=alertdialog]").waitFor()
      })
    },
    {
      name: "open in another window",
      open: scene({}, async (at) => {
        const uid = await startingIn(at, -60)
        await doctorIn(at, at.page, uid)
        await doctorIn(at, await at.another(), uid)
        await at.page.locator(".actions").waitFor()
      })
    }
  ]
}
