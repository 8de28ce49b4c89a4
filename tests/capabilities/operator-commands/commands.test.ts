import { describe, expect, test } from "bun:test"
import { makeShop } from "../../checkout/support/shop.ts"
import { commandLine } from "../../support/cli.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"

const server = testServer()

/** The words of a command line. */
const cli = (line: string) => commandLine({ DATABASE_URL: server.current.databaseUrl })(...line.split(" "))
const refused = async (why: string, line: string) => {
  const { status, said } = await cli(line)
  expect([line, status, said]).toEqual([line, 1, expect.stringContaining(why)])
}

describe("keys", () => {
  test("are created, listed and revoked", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const made = await cli(`keys create --organisation ${organisation_uid} --name partner --permission scheduling:read`)
    expect(made.status).toBe(0)
    expect(made.last).toMatch(/^spr_[A-Za-z0-9_-]{43}$/)
    const requested = () => server.current.api("GET", "/v1/management/scheduling/doctors", { key: made.last })
    expect((await requested()).status).toBe(200)
    const listed = await cli(`keys list --organisation ${organisation_uid}`)
    const line = listed.said.split("\n").find((each) => each.includes("\tpartner\t")) ?? ""
    expect(line).toContain("scheduling:read")
    expect(listed.said).not.toContain(made.last)
    const revoke = () => cli(`keys revoke ${line.split("\t")[0]}`)
    expect((await revoke()).status).toBe(0)
    expect((await requested()).status).toBe(401)
    expect((await revoke()).status).not.toBe(0)
  })

  test("need one existing owner, and permissions of its kind", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const create = "keys create --name x"
    const read = "--permission scheduling:read"
    await refused("exactly one of --organisation", `${create} ${read}`)
    await refused("org_nowhere not found", `${create} --organisation org_nowhere ${read}`)
    const foreign = `${create} --organisation ${organisation_uid} --permission stock_read`
    await refused("stock_read: not for a organisation", foreign)
  })
})

test("orders waiting lists orders that no pharmacy can fill", async () => {
  const shop = await makeShop(server.current, { default_pharmacy: false })
  await shop.sql`DELETE FROM pharmacy_skus WHERE pharmacy_uid = ${shop.pharmacy_uid}`
  await shop.sendWebhook("orders/paid", shop.order({ name: "#7" }))
  const { status, said } = await cli("orders waiting")
  expect([status, said]).toEqual([0, expect.stringContaining(`${shop.shop_identifier}\t#7\torders/paid\t`)])
})
