/** The published TypeScript client: its content, its size and its types. */
import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { clientFiles, generatedFiles } from "../../script/generate/client.ts"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { testBrowser } from "../support/browser.ts"
import { installedClient, node22 } from "../support/clientPackage.ts"
import { run } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const client = installedClient()
const server = testServer()
const browser = testBrowser()

/** Runs a module of the partner's project in Node. */
const evaluated = (text: string, node = client.node) => outcome([node, "--input-type=module", "--eval", text])
const outcome = async (command: ReadonlyArray<string>, cwd = client.project) => {
  const running = run(command, { cwd })
  return { status: await running.ended, said: running.said() }
}

test("the generated files match the document: bun script/generate/client.ts", () => {
  expect(generatedFiles()).toEqual(clientFiles())
})

test("there is a method for every operation of the document", async () => {
  const document = documentOf(Api)
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operation.operationId)
  )
  const others = ["receiveStorefrontWebhook", "getIssuerConfiguration", "getIssuerKeys"] // not called by partners
  const { said } = await evaluated(
    'import { sprechstunde } from "@sprechstunde/client"; console.log(Object.keys(sprechstunde({ baseUrl: "http://localhost" })).join())'
  )
  expect(said.trim().split(",").toSorted()).toEqual(ids.filter((id) => !others.includes(id)).toSorted())
})

describe("the package", () => {
  test("has no dependencies, and contains only modules and types", async () => {
    const installed = join(client.project, "node_modules/@sprechstunde/client")
    const { dependencies, peerDependencies, exports, type } = JSON.parse(
      readFileSync(join(installed, "package.json"), "utf8")
    )
    expect([dependencies, peerDependencies, type]).toEqual([undefined, undefined, "module"])
    for (const { types, default: module } of [exports["."], exports["./browser"]])
      for (const file of [types, module]) expect(await Bun.file(join(installed, file)).exists()).toBeTrue()
    const { said } = await outcome(["tar", "-tzf", client.tarball])
    const files = said.trim().split("\n")
    expect(files).toContain("package/LICENSE")
    expect(files).toContain("package/README.md")
    expect(
      files.filter((file) => !/^package\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file))
    ).toEqual([])
  })

  test("is what npm packs in its folder", async () => {
    const { said } = await outcome(["npm", "pack", "--silent", "--dry-run", "--json"], "clients/typescript")
    const [{ files }]: [{ readonly files: ReadonlyArray<{ readonly path: string }> }] = JSON.parse(said)
    const listed = (await outcome(["tar", "-tzf", client.tarball])).said.trim().split("\n")
    expect(files.map(({ path }) => `package/${path}`).toSorted()).toEqual(listed.toSorted())
  })

  test("weighs less than 128 kB packed, and its browser part less than 5 kB compressed", async () => {
    expect(Bun.file(client.tarball).size).toBeLessThan(128_000)
    const entry = join(client.project, "node_modules/@sprechstunde/client/dist/browser.js")
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true })
    const script = await outputs[0]?.text()
    expect(script).not.toContain("x-api-key: ")
    expect(Bun.gzipSync(script ?? "").length).toBeLessThan(5_000)
  })
})

const compile = (file: string, text: string, more = "") => {
  writeFileSync(join(client.project, file), text)
  const modules = join(import.meta.dir, "../../node_modules")
  const strict = "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --skipLibCheck false"
  const target = "--target es2022 --module nodenext --lib es2023,dom,dom.iterable --types node"
  const options = [strict, target, more].join(" ").trim().split(" ")
  return outcome([join(modules, ".bin/tsc"), ...options, "--typeRoots", join(modules, "@types"), file])
}

test("runs in Node 22", async () => {
  const { key, shop_uid } = await makeWorld(server.current)
  const { said } = await evaluated(
    `import { sprechstunde } from "@sprechstunde/client"
     const client = sprechstunde({ baseUrl: "${server.current.url}", apiKey: "${key}" })
     const { data } = await client.listAppointmentTypes({ shop_uid: "${shop_uid}" })
     console.log(process.version.split(".")[0], data.length > 0)`,
    await node22()
  )
  expect(said.trim()).toBe("v22 true")
})

describe("the types", () => {
  test("hold under strict settings", async () => {
    const text = `
import { isApiError, sprechstunde, verifyWebhook, type Appointment, type CodeOf } from "@sprechstunde/client"
import { bookingClient } from "@sprechstunde/client/browser"
const client = sprechstunde({ baseUrl: "http://localhost", apiKey: "spr_x" })
const list: ReadonlyArray<Appointment> = (await client.listAppointments({ status: "all" })).data
for await (const appointment of client.listAppointments()) appointment.status === "confirmed"
// @ts-expect-error: no such status
client.listAppointments({ status: "lost" })
// @ts-expect-error: a body without its start
client.bookAppointment({ body: { shop_uid: "s", appointment_type_uid: "t" } })
// @ts-expect-error: the path needs its uid
client.getAppointment({})
// @ts-expect-error: no such operation
client.readMinds()
// @ts-expect-error: a browser client has no operations that need keys
bookingClient({ baseUrl: "" }).listAppointments()
// @ts-expect-error: a single response is not a list
for await (const one of client.getAppointment({ appointment_uid: "a" })) one
const code: CodeOf<"bookAppointment"> = "slot_taken"
// @ts-expect-error: not an error of this operation
const other: CodeOf<"bookAppointment"> = "order_not_paid"
const error: unknown = null
if (isApiError(error, "slot_taken", "too_many_holds")) {
  const known: "slot_taken" | "too_many_holds" | "unknown" = error.code
  void known
}
// @ts-expect-error: no such code
isApiError(error, "slot_stolen")
const event = await verifyWebhook({ headers: {}, body: "" }, "whsec_")
if (event.type === "rebooked") event.data.previous_meeting_uid.length
// @ts-expect-error: not every event has it
event.data.previous_meeting_uid
void [list, code, other]
`
    expect(await compile("partner.mts", text)).toEqual({ status: 0, said: "" })
  })

  test("hold in the example that is shown", async () => {
    const text = readFileSync("clients/typescript/examples/partner.mjs", "utf8")
    const checked = compile("example.mjs", text, "--allowJs --checkJs --noImplicitAny false")
    expect(await checked).toEqual({ status: 0, said: "" })
  })
})

test("the browser part books on a page", async () => {
  const world = await makeWorld(server.current, { organisation: { embed_origins: [server.current.url] } })
  const code = await world.session("c", { from: inDays(1), to: inDays(3) })
  const entry = join(client.project, "node_modules/@sprechstunde/client/dist/browser.js")
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true })
  const module = await outputs[0]?.text()
  const { page } = await browser.open(`${server.current.url}/healthz`)
  const booked = await page.evaluate(
    async ([source = "", booking_launch_code = "", shop_uid = ""]) => {
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
      const { bookingClient, isApiError } = await import(address)
      const client = bookingClient({ baseUrl: location.origin })
      const {
        appointment_type_uid,
        start_from: from,
        start_to: to
      } = await client.getBookingSession({ booking_launch_code })
      const { slots } = await client.searchSlots({ body: { shop_uid, appointment_type_uid, from, to, limit: 1 } })
      const [{ doctor_uid, start_date }] = slots
      const { status } = await client.bookSessionAppointment({ booking_launch_code, body: { doctor_uid, start_date } })
      const unknown = await client
        .getBookingSession({ booking_launch_code: "blc_unknown" })
        .catch((error: unknown) => (isApiError(error, "not_found") ? "refused" : String(error)))
      return [status, unknown]
    },
    [module ?? "", code, world.shop_uid]
  )
  expect(booked).toEqual(["confirmed", "refused"])
})

test("a back end's client refuses a page", async () => {
  const { said } = await evaluated(
    'globalThis.document = {}; const { sprechstunde } = await import("@sprechstunde/client"); sprechstunde({ baseUrl: "http://localhost", apiKey: "spr_x" })'
  )
  expect(said).toContain("API keys do not belong into a browser")
})
