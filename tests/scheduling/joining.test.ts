import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { decodeJwt, SignJWT } from "jose"
import { AppointmentUid, OrganisationUid } from "../../src/schemas/ids.ts"
import { closesAt, joinWindowState, opensAt } from "../../src/schemas/scheduling/joinWindow.ts"
import { mintJoinToken, verifyJoinToken } from "../../src/services/scheduling/joining/joinTokens.ts"

test("the join window opens ten minutes before the start and closes an hour after the end, to the second", () => {
  const [start_date, end_date] = [1_800_000_000, 1_800_001_800]
  const appointment = { start_date, end_date }
  const moments = [start_date - 601, start_date - 600, end_date + 3600, end_date + 3601]
  const states = moments.map((now) => joinWindowState(appointment, now))
  expect(states).toEqual(["too_early", "open", "open", "too_late"])
  expect([opensAt(appointment), closesAt(appointment)]).toEqual([start_date - 600, end_date + 3600])
})

describe("a join token", () => {
  const key = new Uint8Array(32).fill(7)
  const patient = {
    organisation_uid: OrganisationUid.make("org_1"),
    appointment_uid: AppointmentUid.make("apt_1"),
    room: "room_1",
    id: "pat_1",
    name: "Ada Example",
    role: "patient"
  } as const
  const mint = (participant: Parameters<typeof mintJoinToken>[1]) => Effect.runPromise(mintJoinToken(key, participant))
  const opens = async (token: string, by = key) =>
    Either.isRight(await Effect.runPromise(Effect.either(verifyJoinToken(by, token))))

  test("has the claims that a Jitsi deployment reads, and is valid for ten minutes", async () => {
    const { token, expires_at } = await mint(patient)
    const claims = decodeJwt(token)
    expect(claims).toMatchObject({
      aud: "jitsi",
      iss: "sprechstunde",
      sub: "sprechstunde",
      room: "room_1",
      moderator: false,
      context: { user: { id: "pat_1", name: "Ada Example", role: "patient" } },
      exp: expires_at
    })
    expect(expires_at - (claims.iat ?? 0)).toBe(600)
    expect(await opens(token)).toBe(true)
  })

  test("is refused under another key, once expired, or unsigned", async () => {
    const { token } = await mint(patient)
    expect(await opens(token, new Uint8Array(32).fill(8))).toBe(false)
    const expired = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(1)
      .sign(key)
    expect(await opens(expired)).toBe(false)
    const [, body] = token.split(".")
    expect(await opens(`${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`)).toBe(false)
  })
})
