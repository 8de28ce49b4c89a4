import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import type * as DevelopmentIssuer from "../../src/layers/identity/DevelopmentIssuer.ts"
import type { Forbidden, Unauthenticated, Unavailable } from "../../src/schemas/problems.ts"
import { Staff } from "../../src/services/access/Staff.ts"
import type { CurrentTenant } from "../../src/services/tenancy/Tenancy.ts"
import { commandLine } from "../support/cli.ts"
import { temporaryFolder } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { accessToken } from "../support/staff.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer()

type Person = DevelopmentIssuer.Person
type Portal = "doctor" | "admin" | "pharmacy" | "operator"

/** The identity that a portal reads from a token, or the reason of its refusal. */
const enter = async (portal: Portal, person: Omit<Person, "ttlSeconds">) => {
  const token = await accessToken(server.current, { ttlSeconds: 300, ...person })
  return server.current.run(
    Effect.flatMap(
      Staff,
      (staff): Effect.Effect<unknown, Forbidden | Unauthenticated | Unavailable, CurrentTenant> => staff[portal](token)
    ).pipe(
      Effect.catchAll((error) => Effect.succeed({ refused: error._tag, reason: error.reason })),
      Effect.provide(Staff.Default)
    )
  )
}

const makePharmacy = async () => {
  const world = await makeWorld(server.current)
  const [pharmacy_uid, pharmacy_group_uid] = [random("pha"), random("phg")]
  await world.provision({
    pharmacy_groups: [{ uid: pharmacy_group_uid, name: "Group" }],
    pharmacies: [{ uid: pharmacy_uid, name: "Pharmacy", group_uid: pharmacy_group_uid }]
  })
  return { world, pharmacy_uid, pharmacy_group_uid }
}

describe("the role pharmacy", () => {
  test("acts for one pharmacy or for a group", async () => {
    const { pharmacy_uid, pharmacy_group_uid } = await makePharmacy()
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_uid })).toMatchObject({
      pharmacy_uid,
      pharmacy_group_uid: null,
      actor: { kind: "pharmacy" }
    })
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_group_uid })).toMatchObject({
      pharmacy_uid: null,
      pharmacy_group_uid
    })
  })

  test("is refused without a pharmacy, with two, or with one that does not exist", async () => {
    const { pharmacy_uid, pharmacy_group_uid } = await makePharmacy()
    const refused = { refused: "Forbidden", reason: "The token names no pharmacy of this service" }
    expect(await enter("pharmacy", { role: "pharmacy" })).toEqual(refused)
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_uid, pharmacy_group_uid })).toEqual(refused)
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_uid: "pha_none" })).toEqual(refused)
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_uid: pharmacy_group_uid })).toEqual(refused)
    expect(await enter("pharmacy", { role: "pharmacy", pharmacy_group_uid: pharmacy_uid })).toEqual(refused)
  })
})

test("an operator's token names no organisation or pharmacy", async () => {
  expect(await enter("operator", { role: "operator" })).toEqual({
    actor: { kind: "operator", uid: "operator@sprechstunde" }
  })
})

test("each role opens only its own portal", async () => {
  const { world, pharmacy_uid } = await makePharmacy()
  const { organisation_uid, doctor } = world
  const person = { organisation_uid, doctor_uid: doctor, pharmacy_uid }
  const roles = ["doctor", "admin", "pharmacy", "operator"] as const
  for (const role of roles)
    for (const portal of roles) {
      const outcome = await enter(portal, { ...person, role })
      if (portal === role) expect(outcome).toMatchObject({ actor: { kind: role } })
      else expect(outcome).toEqual({ refused: "Forbidden", reason: `This needs the role ${portal}` })
    }
})

describe("cli idp token", () => {
  const folder = temporaryFolder()
  const command = commandLine({ DATA_DIR: folder.path, BASE_URL: "http://127.0.0.1:8080" })
  const cli = (...args: ReadonlyArray<string>) => command("idp", "token", ...args)
  const claims = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())

  test("mints a token for every role", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, object]> = [
      [
        ["--role", "doctor", "--organisation", "o", "--doctor", "d"],
        { organisation_uid: "o", doctor_uid: "d", sub: "d" }
      ],
      [["--role", "admin", "--organisation", "o"], { organisation_uid: "o" }],
      [["--role", "pharmacy", "--pharmacy", "p"], { pharmacy_uid: "p" }],
      [["--role", "pharmacy", "--pharmacy-group", "g"], { pharmacy_group_uid: "g" }],
      [["--role", "operator", "--ttl", "60"], {}]
    ]
    for (const [args, expected] of cases) {
      const { status, last } = await cli(...args)
      expect(status).toBe(0)
      expect(claims(last)).toMatchObject({ roles: [args[1]], ...expected })
    }
  })

  test("refuses incomplete and invalid arguments", async () => {
    const cases = [
      ["--role", "doctor", "--organisation", "o"],
      ["--role", "admin"],
      ["--role", "pharmacy"],
      ["--role", "pharmacy", "--pharmacy", "p", "--pharmacy-group", "g"],
      ["--role", "operator", "--ttl", "86401"],
      ["--role", "nurse"]
    ]
    for (const args of cases) expect((await cli(...args)).status).not.toBe(0)
    folder.remove()
  })
})
