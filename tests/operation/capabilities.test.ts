/** CAPABILITIES selects what is served beyond the core. Rule 14.1.7. */
import { afterAll, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { installed } from "../../src/capabilities/index.ts"
import { select } from "../../src/layers/Capabilities.ts"
import { freshDatabase } from "../support/postgres.ts"
import { COMMAND_LINE, run, SERVICE, startService, temporaryFolder } from "../support/processes.ts"
import { migrated } from "../support/server.ts"

const names = installed.map(({ name }) => name)
const chosen = (text: string) =>
  Effect.runSync(Effect.either(Effect.map(select(text, installed), (on) => on.map(({ name }) => name))))
const folder = temporaryFolder()
afterAll(folder.remove)

const settings = async (capabilities: string) => ({
  CAPABILITIES: capabilities,
  DATABASE_URL: (await freshDatabase(migrated)).url,
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  DATA_DIR: folder.path,
  DEMO: "true"
})

test("all, none, or some by name, in the order of the list; an unknown name is refused", () => {
  expect(chosen("all")).toEqual(Either.right(names))
  expect(chosen("none")).toEqual(Either.right([]))
  expect(chosen(` ${[...names].reverse().join(" , ")} `)).toEqual(Either.right(names))
  expect(String(Either.getOrThrow(Either.flip(chosen("recalls,nothing"))).message)).toStartWith(
    "CAPABILITIES: nothing is not one of "
  )
})

test("a capability without another that it needs is refused", () => {
  const some = [
    { ...installed[0], name: "a", needs: ["b"] },
    { ...installed[0], name: "b", needs: [] }
  ] as unknown as typeof installed
  const result = Effect.runSync(Effect.either(select("a", some)))
  expect(Either.isLeft(result) && result.left.message).toBe("CAPABILITIES: a needs b")
  expect(Either.isRight(Effect.runSync(Effect.either(select("a,b", some))))).toBe(true)
})

test("the core alone: no paths, no part of the documents, of provisioning and of the version", async () => {
  const environment = await settings("none")
  const service = await startService(environment)
  const ask = (path: string) => fetch(service.url + path)
  expect((await (await ask("/version")).json()).capabilities).toEqual([])
  const document = await (await ask("/openapi.json")).json()
  expect(Object.keys(document.paths)).toContain("/v1/scheduling/slots/search")
  expect(Object.keys(document.paths).join(" ")).not.toMatch(/recall|waitlist/)
  expect(JSON.stringify(document)).not.toMatch(/recall|WaitlistEntry/i)
  for (const path of ["recalls", "waitlist-entries"]) {
    const missing = await ask(`/v1/management/scheduling/${path}`)
    expect([missing.status, (await missing.json()).code]).toEqual([404, "unknown_route"])
  }
  const schema = run([...COMMAND_LINE, "provision", "--schema"], { env: environment })
  await schema.ended
  const { properties } = JSON.parse(schema.said())
  expect([properties.recalls, properties.waitlist_entries]).toEqual([undefined, undefined])
  await service.stop()
})

test("an unknown name does not start", async () => {
  const service = run(SERVICE, { env: { ...(await settings("recall")), PORT: "0" } })
  expect(await service.ended).toBe(1)
  expect(service.said()).toContain("CAPABILITIES: recall is not one of")
})
