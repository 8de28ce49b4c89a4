/** Clients generated from the OpenAPI document by common generators compile under `strict` and can book. Rule 2.1.7. */
import { beforeAll, describe, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const folder = join(import.meta.dir, "generators")
const generated = join(folder, "generated")
const server = testServer()

const step = async (command: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = run(command, { cwd: folder, env })
  expect({ status: await child.ended, said: child.said() }).toMatchObject({ status: 0 })
  return child.said()
}
/** A generator by the path of its program, and its arguments: under Bun, whichever Node the machine has. */
const generate = (line: string) =>
  step([
    process.execPath,
    "--bun",
    ...line.split(" ").map((word, at) => (at === 0 ? join("node_modules", word) : word))
  ])

beforeAll(async () => {
  await step([process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"])
  rmSync(generated, { recursive: true, force: true })
  const { body } = await server.current.api("GET", "/openapi.json")
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(body))
  await generate("openapi-typescript/bin/cli.js openapi.json -o generated/openapi-typescript.ts")
  await generate("@hey-api/openapi-ts/bin/run.js -i openapi.json -o generated/hey-api -c @hey-api/client-fetch")
  await generate("orval/dist/bin/orval.mjs --input ./openapi.json --output ./generated/orval.ts --client fetch")
}, 600_000)

test("generated clients compile under strict settings, and so do bookings with them", async () => {
  expect(await generate("typescript/bin/tsc -p .")).toBe("")
}, 300_000)

describe.each(["openapi-typescript", "hey-api", "orval"])("%s", (generator) => {
  test("makes a booking", async () => {
    const world = await makeWorld(server.current)
    const said = await step([process.execPath, "--no-install", join("bookings", `${generator}.ts`)], {
      BASE_URL: server.current.url,
      SHOP_UID: world.shop_uid,
      APPOINTMENT_TYPE_UID: world.type_uid,
      BOOKING_TOKEN: await world.token(),
      FROM: String(inDays(1)),
      TO: String(inDays(8))
    })
    expect(said.trim()).toBe("confirmed")
  }, 60_000)
})
