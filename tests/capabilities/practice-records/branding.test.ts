/** Branding of a practice, its doctors and its types. Rules 12.1.19 to 12.1.22. */
import { expect, test } from "bun:test"
import { noBranding } from "../../../src/capabilities/shared/schemas/BrandingBodies.ts"
import { accentTokens, contrast, isLegibleAccent } from "../../../src/schemas/access/contrast.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"

const server = testServer()

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
/** Unique per test: another owner of the same picture would keep it in the database. */
const aPicture = () =>
  `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...crypto.getRandomValues(new Uint8Array(16))]).toString("base64")}`

const scene = async (options: Parameters<typeof makeWorld>[1] = {}) => {
  const world = await makeWorld(server.current, { doctors: 1, ...options })
  const call = (method: string, at: string, body?: unknown) => world.api(method, `/v1/management${at}`, body)
  return { ...world, call }
}

test("branding is provisioned, read, and changed field by field", async () => {
  const { call } = await scene({ organisation: { branding: { accent_colour: "#0a6b63", phone: "+49 30 1" } } })
  const before = (await call("GET", "/organisation")).body.branding
  expect(before).toEqual({ ...noBranding, accent_colour: "#0a6b63", phone: "+49 30 1" })
  const changed = await call("PATCH", "/organisation", { branding: { phone: null, support_email: "a@example.org" } })
  expect(changed.body.branding).toEqual({ ...before, phone: null, support_email: "a@example.org" })
  expect((await call("PATCH", "/organisation", { name: "Other" })).body.branding).toEqual(changed.body.branding)
})

test("a colour with too little contrast is refused, by the API and by provisioning", async () => {
  const { call, provision, organisation_uid } = await scene()
  for (const accent_colour of ["#ffcc00", "#8cc8c0", "red", "#0A6B63"]) {
    const refused = await call("PATCH", "/organisation", { branding: { accent_colour } })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: [expect.stringMatching(/^branding.accent_colour: /)] }
    })
  }
  const file = { organisations: [{ uid: organisation_uid, name: "Praxis", branding: { accent_colour: "#ffcc00" } }] }
  expect(await provision(file).catch(String)).toContain("organisations[0].branding.accent_colour")
})

test("every accepted accent is legible on every background, in light and dark mode", () => {
  const steps = ["00", "33", "66", "99", "cc", "ff"]
  const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))
  const accepted = colours.filter(isLegibleAccent)
  expect(accepted.length).toBeGreaterThan(40)
  for (const colour of accepted)
    for (const [tokens, ground] of [
      [accentTokens(colour).light, "#ffffff"],
      [accentTokens(colour).dark, "#162124"]
    ] as const)
      for (const [one, other] of [
        [tokens["--accent"], ground],
        [tokens["--accent"], tokens["--accent-soft"]],
        [tokens["--accent-strong"], tokens["--accent-soft"]],
        [tokens["--on-accent"], tokens["--accent"]],
        [tokens["--on-accent"], tokens["--accent-strong"]]
      ] as const)
        expect([colour, one, other, contrast(one, other) >= 4.5]).toEqual([colour, one, other, true])
})

test("a logo is uploaded as data and served at an address that changes with it; the replaced one is 404", async () => {
  const { call } = await scene()
  const [one, other] = [aPicture(), aPicture()]
  const first = (await call("PATCH", "/organisation", { branding: { logo: one } })).body.branding.logo as string
  const served = await fetch(first)
  expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/jpeg"])
  expect(Buffer.from(await served.arrayBuffer()).toString("base64")).toBe(one.split(",")[1] ?? "")
  expect((await call("PATCH", "/organisation", { branding: { phone: "1" } })).body.branding.logo).toBe(first)
  const second = (await call("PATCH", "/organisation", { branding: { logo: other } })).body.branding.logo as string
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([404, 200])
  expect((await call("PATCH", "/organisation", { branding: { logo: null } })).body.branding.logo).toBeNull()
  expect((await fetch(second)).status).toBe(404)
})

test("a file that is not a picture, or is too large, is refused", async () => {
  const { call } = await scene()
  const large = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(65_536)]).toString("base64")
  for (const logo of [
    "https://example.org/logo.png",
    PNG.replace("png", "svg+xml"),
    PNG.replace("image/png", "image/jpeg"),
    `data:image/jpeg;base64,${large}`
  ])
    expect((await call("PATCH", "/organisation", { branding: { logo } })).body.error[0]).toStartWith("branding.logo: ")
})

test("a doctor has title, specialty, languages and picture", async () => {
  const { call, doctor } = await scene()
  const more = { title: "Dr. med.", specialty: "Allgemeinmedizin", languages: ["de", "pt-BR"] }
  const made = await call("POST", "/doctors", { display_name: "Eins", ...more, picture: PNG })
  expect(made).toMatchObject({ status: 201, body: more })
  expect((await fetch(made.body.picture)).status).toBe(200)
  expect((await call("GET", `/doctors/${made.body.uid}`)).body).toEqual(made.body)
  expect((await call("GET", `/doctors/${doctor}`)).body).toMatchObject({ title: null, languages: [], picture: null })
  const changed = await call("PATCH", `/doctors/${made.body.uid}`, { specialty: "Kardiologie" })
  expect(changed.body).toMatchObject({ specialty: "Kardiologie", picture: made.body.picture })
  expect((await call("PATCH", `/doctors/${made.body.uid}`, { languages: ["German"] })).status).toBe(400)
})
