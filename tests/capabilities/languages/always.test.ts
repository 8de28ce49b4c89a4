/** Languages beside German and English are on wherever their folder is. Rules 5.5.8 and 14.1.7. */
import { expect, test } from "bun:test"
import { ownServer } from "../../support/server.ts"

const server = ownServer({ CAPABILITIES: "none" })

test("with no capability selected, pages are in further languages, and the version does not name them", async () => {
  const page = await fetch(`${server.current.url}/meet/booking/blc_1?lang=tr`, { headers: { accept: "text/html" } })
  expect(await page.text()).toContain('<html lang="tr"')
  expect((await (await fetch(`${server.current.url}/version`)).json()).capabilities).toEqual([])
})
