/** Transferred bytes of a page of each workspace: the document, its style and its script. */
import { expect, test } from "bun:test"
import { asAdmin, asDoctor, asOperator, asPharmacy, type ConsoleVisitor, cookieOf } from "../../support/console.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const LIMIT = 60_000

const bytesOf = async (address: string, cookie: string) => {
  const answer = await fetch(new URL(address, server.current.url), {
    headers: { cookie, "accept-encoding": "gzip" },
    decompress: false
  })
  expect([address, answer.status]).toEqual([address, 200])
  return (await answer.arrayBuffer()).byteLength
}

/** Bytes of each page, by its address. */
const sizesOf = async (browser: ConsoleVisitor, addresses: ReadonlyArray<string>) => {
  const cookie = cookieOf(browser)
  const assets = [...browser.page.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js))"/g)].map(([, path = ""]) => path)
  expect(assets.length).toBe(2)
  const [css = 0, js = 0] = await Promise.all(assets.map((path) => bytesOf(path, cookie)))
  return Promise.all(addresses.map(async (address) => [address, css + js + (await bytesOf(address, cookie))] as const))
}

test("every page with its style and script transfers less than 60 kB", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uids = [await world.booked(inDays(2, 9)), await world.booked(inDays(2, 10)), await world.booked(inDays(2, 11))]
  const { patient_uid: patient } = await stored(server.current, uids[0] ?? "")
  const pharmacy = random("pha")
  await world.provision({ pharmacies: [{ uid: pharmacy, name: "Apotheke" }] })
  const week = dayOf(inDays(7))
  const practice = `?view=week&day=${week} /patients /patients/${patient} /absences?from=${week}&until=${week} /hours?day=${week}
    /types?type=${world.type_uid} /messages /statistics /prescriptions /settings /people /shops /branding /access /webhooks /audit`
  const workspaces = [
    [await asAdmin(server.current, world), "practice", practice],
    [await asDoctor(server.current, world), "doctor", `/ /week /hours?day=${week} /prescriptions /patients/${patient}`],
    [await asPharmacy(server.current, pharmacy), "pharmacy", "/ /stock /payouts /webhooks"],
    [await asOperator(server.current), "operator", "/ /jobs /backlog /provisioning /audit"]
  ] as const
  const found: Array<readonly [string, number]> = []
  for (const [browser, room, paths] of workspaces) {
    const addresses = paths.split(/\s+/).map((path) => `/console/${room}${path.replace(/^\/$/, "")}`)
    found.push(...(await sizesOf(browser, addresses)))
  }
  expect(found.filter(([, bytes]) => bytes > LIMIT)).toEqual([])
  console.info(
    found.map(([address, bytes]) => `${(bytes / 1000).toFixed(1).padStart(6)} kB ${address.split("?")[0]}`).join("\n")
  )
})
