/** The states of a booking without a partner. */
import { random } from "../../../tests/support/world.ts"
import { press, type Scene, type Stage, type State } from "../scene.ts"

const withPublic = { organisation: { public_booking: true } }

const openTypes = ({ world, goTo }: Scene) => goTo(`/meet/book/${world.shop_identifier}`)

const openTimes = async (at: Scene) => {
  await openTypes(at)
  await at.page.locator("input[name=format]").first().check()
  await press(at.page, ".actions .primary")
  await at.page.locator(".times button:visible").first().waitFor()
}

const openForm = async (at: Scene) => {
  await openTimes(at)
  await press(at.page, ".times button:visible >> nth=0")
  await at.page.locator("#first_name").waitFor()
}

const fillForm = async ({ page }: Scene, email = `${random("eva")}@example.org`) => {
  await page.locator("#first_name").fill("Eva")
  await page.locator("#last_name").fill("Muster")
  await page.locator("#date_of_birth").fill("1980-05-04")
  await page.locator("#email").fill(email)
  await press(page, ".actions .primary")
}

const toCode = async (at: Scene) => {
  await openForm(at)
  await fillForm(at)
  await at.page.locator("#code").waitFor()
}

const tryCode = async ({ page }: Scene) => {
  await page.locator("#code").fill("12")
  // the previous page may contain the same text
  await Promise.all([page.waitForNavigation(), press(page, ".actions .primary")])
  await page.locator("[role=alert]").waitFor()
}

export const publicBookingStates = ({ scene }: Stage): ReadonlyArray<State> => [
  { name: "booking without a partner", open: scene(withPublic, openTypes) },
  { name: "booking without a partner, free times", open: scene(withPublic, openTimes) },
  { name: "booking without a partner, for whom", open: scene(withPublic, openForm) },
  {
    name: "booking without a partner, for a relative",
    open: scene(withPublic, async (at) => {
      await openForm(at)
      await press(at.page, "details.folded summary")
    })
  },
  {
    name: "booking without a partner, no such mail address",
    status: 409,
    open: scene(withPublic, async (at) => {
      await openForm(at)
      // like browsers without form validation
      await at.page.locator("form[data-keep]").evaluate((form) => form.setAttribute("novalidate", ""))
      await fillForm(at, "nobody")
      await at.page.locator("[role=alert]").waitFor()
    })
  },
  {
    name: "booking without a partner, nothing offered",
    open: scene({ ...withPublic, type: { active: false } }, openTypes)
  },
  {
    name: "booking without a partner, too many codes",
    status: 409,
    open: scene(withPublic, async (at) => {
      const email = `${random("eva")}@example.org`
      for (const _ of [1, 2, 3]) {
        await openForm(at)
        await fillForm(at, email)
        await at.page.locator("#code").waitFor()
      }
      await openForm(at)
      await fillForm(at, email)
      await at.page.locator("[role=alert]").waitFor()
    })
  },
  { name: "code from the mail", open: scene(withPublic, toCode) },
  {
    name: "code from the mail, wrong",
    status: 409,
    open: scene(withPublic, async (at) => {
      await toCode(at)
      await tryCode(at)
    })
  },
  {
    name: "code from the mail, tried too often",
    status: 409,
    open: scene(withPublic, async (at) => {
      await toCode(at)
      for (const _ of [1, 2, 3, 4, 5, 6]) await tryCode(at)
    })
  }
]
