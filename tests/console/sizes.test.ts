/** Transferred bytes of a page of each workspace: the document, its style and its script. */
import { expect, test } from "bun:test"
import { type ConsoleVisitor, signedIn } from "../support/console.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

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
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const assets = [...browser.page.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js))"/g)].map(([, path = ""]) => path)
  expect(assets.length).toBe(2)
  const shared = await Promise.all(assets.map((path) => bytesOf(path, cookie)))
  const pages: Array<readonly [string, number]> = []
  for (const address of addresses)
    pages.push([address, shared.reduce((sum, bytes) => sum + bytes, await bytesOf(address, cookie))])
  return pages
}

test("every page with its style and script transfers less than 60 kB", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  for (const minute of [0, 20, 40]) await world.booked(inDays(2, 9, minute))
  const { body } = await world.api("GET", "/v1/management/patients")
  const patient = body.data[0].uid
  const pharmacy = random("pha")
  await world.provision({ pharmacies: [{ uid: pharmacy, name: "Apotheke" }] })
  const week = new Date(inDays(7) * 1000).toISOString().slice(0, 10)
  const under = (room: string, paths: ReadonlyArray<string>) => paths.map((path) => `/console/${room}${path}`)
  const { organisation_uid } = world
  const found = [
    ...(await sizesOf(
      await signedIn(server.current, ["admin", organisation_uid, organisation_uid]),
      under("practice", [
        `?view=week&day=${week}`, // every time of seven days is free
        "/patients",
        `/patients/${patient}`,
        `/absences?from=${week}&until=${week}`,
        `/hours?day=${week}`,
        `/types?type=${world.type_uid}`,
        "/messages",
        "/statistics",
        "/prescriptions",
        "/settings",
        "/people",
        "/shops",
        "/branding",
        "/access",
        "/webhooks",
        "/audit"
      ])
    )),
    ...(await sizesOf(
      await signedIn(server.current, ["doctor", world.doctor, organisation_uid]),
      under("doctor", ["", "/week", `/hours?day=${week}`, "/prescriptions", `/patients/${patient}`])
    )),
    ...(await sizesOf(
      await signedIn(server.current, ["pharmacy", pharmacy, pharmacy]),
      under("pharmacy", ["", "/stock", "/payouts", "/webhooks"])
    )),
    ...(await sizesOf(
      await signedIn(server.current, ["operator", "operator", "installation"]),
      under("operator", ["", "/jobs", "/backlog", "/provisioning", "/audit"])
    ))
  ]
  expect(found.filter(([, bytes]) => bytes > LIMIT)).toEqual([])
  console.info(
    found.map(([address, bytes]) => `${(bytes / 1000).toFixed(1).padStart(6)} kB ${address.split("?")[0]}`).join("\n")
  )
})
