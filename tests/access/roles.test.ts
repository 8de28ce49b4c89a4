import { expect, test } from "bun:test"
import { Effect } from "effect"
import type * as DevelopmentIssuer from "../../src/capabilities/shared/services/DevelopmentIssuer.ts"
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

test("the role pharmacy acts for one pharmacy or for a group; without one, with two or with an unknown one it is refused", async () => {
  const { pharmacy_uid, pharmacy_group_uid } = await makePharmacy()
  const pharmacy = { pharmacy_uid, pharmacy_group_uid: null, actor: { kind: "pharmacy" } }
  const refused = { refused: "Forbidden", reason: "The token names no pharmacy of this service" }
  const cases: ReadonlyArray<readonly [named: Partial<Person>, identity: object]> = [
    [{ pharmacy_uid }, pharmacy],
    [{ pharmacy_group_uid }, { ...pharmacy, pharmacy_uid: null, pharmacy_group_uid }],
    [{}, refused],
    [{ pharmacy_uid, pharmacy_group_uid }, refused],
    [{ pharmacy_uid: "pha_none" }, refused],
    [{ pharmacy_uid: pharmacy_group_uid }, refused],
    [{ pharmacy_group_uid: pharmacy_uid }, refused]
  ]
  for (const [named, identity] of cases)
    expect([named, await enter("pharmacy", { role: "pharmacy", ...named })]).toMatchObject([named, identity])
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

test("`cli idp token` mints a token for every role, and refuses incomplete and invalid arguments", async () => {
  const folder = temporaryFolder()
  const command = commandLine({ DATA_DIR: folder.path, BASE_URL: "http://127.0.0.1:8080" })
  const minted = async (text: string) => {
    const { status, last } = await command("idp", "token", ...text.split(" "))
    return status === 0 ? JSON.parse(Buffer.from(last.split(".")[1] ?? "", "base64url").toString()) : "refused"
  }
  const cases: ReadonlyArray<readonly [args: string, claims: object | "refused"]> = [
    [
      "--role doctor --organisation o --doctor d",
      { roles: ["doctor"], organisation_uid: "o", doctor_uid: "d", sub: "d" }
    ],
    ["--role admin --organisation o", { roles: ["admin"], organisation_uid: "o" }],
    ["--role pharmacy --pharmacy p", { roles: ["pharmacy"], pharmacy_uid: "p" }],
    ["--role pharmacy --pharmacy-group g", { roles: ["pharmacy"], pharmacy_group_uid: "g" }],
    ["--role operator --ttl 60", { roles: ["operator"] }],
    ["--role doctor --organisation o", "refused"],
    ["--role admin", "refused"],
    ["--role pharmacy", "refused"],
    ["--role pharmacy --pharmacy p --pharmacy-group g", "refused"],
    ["--role operator --ttl 86401", "refused"],
    ["--role nurse", "refused"]
  ]
  for (const [args, claims] of cases) expect([args, await minted(args)]).toMatchObject([args, claims])
  folder.remove()
})
