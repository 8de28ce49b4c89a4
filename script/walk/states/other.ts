/** Other pages: the service's root, unknown paths, errors, and the checkout. */
import { makeShop } from "../../../tests/checkout/support/shop.ts"
import { eventually } from "../../../tests/support/eventually.ts"
import { change, press, range, type Stage, type State, take } from "../scene.ts"

export const otherStates = ({ scene }: Stage): ReadonlyArray<State> => [
  { name: "unknown launch code", status: 404, anonymous: true, open: scene({}, ({ booking }) => booking("blc_x")) },
  {
    name: "appointment, unknown link",
    status: 404,
    anonymous: true,
    open: scene({}, ({ goTo }) => goTo("/meet/appointment/aac_x"))
  },
  {
    name: "unknown room",
    status: 404,
    anonymous: true,
    open: scene({}, ({ goTo }) => goTo("/meet/meeting/x?jwt=x"))
  },
  { name: "unknown address", status: 404, anonymous: true, open: scene({}, ({ goTo }) => goTo("/x")) },
  { name: "the service's own address", open: scene({}, ({ goTo }) => goTo("/")) },
  {
    name: "a fault of the service",
    status: 500,
    open: scene({}, async (at) => {
      await at.booking(await at.world.session("p", range))
      await take(at.page)
      await at.page.locator("textarea").fill("Husten")
      await change(at, (sql, owner) => sql`UPDATE organisations SET branding = '{}' WHERE organisation_uid = ${owner}`)
      await press(at.page, ".actions .primary")
      await at.page.locator(".plain").waitFor()
    })
  },
  {
    name: "checkout of the embedded shop",
    open: scene({}, async ({ server, goTo }) => {
      const shop = await makeShop(server)
      await goTo((await shop.prescribe()).body.checkout_url)
    })
  },
  {
    name: "checkout of the embedded shop, paid",
    open: scene({}, async ({ server, goTo, page }) => {
      const shop = await makeShop(server)
      await goTo((await shop.prescribe()).body.checkout_url)
      await press(page, "button")
      await page.locator(".paid").waitFor()
    })
  }
]

/** On a server with a low rate limit. */
export const limitedStates = ({ scene }: Stage): ReadonlyArray<State> => [
  {
    name: "too many requests",
    status: 429,
    open: scene({}, async ({ server, world, booking }) => {
      const code = await world.session("p", range)
      const flooded = async () => {
        await Promise.all(Array.from({ length: 100 }, () => fetch(`${server.url}/meet/booking/${code}`)))
        return (await booking(code))?.status()
      }
      await eventually(flooded, (status) => status === 429)
    })
  }
]
