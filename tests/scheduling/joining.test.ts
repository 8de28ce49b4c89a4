import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { decodeJwt, SignJWT } from "jose"
import { AppointmentUid, OrganisationUid } from "../../src/schemas/ids.ts"
import { mintJoinToken, verifyJoinToken } from "../../src/services/meetings/meetingTokens.ts"
import { closesAt, joinWindowState, opensAt } from "../../src/services/scheduling/joining/joinWindow.ts"

describe("the join window", () => {
  const appointment = { start_date: 1_800_000_000, end_date: 1_800_001_800 }
  test("opens ten minutes before the start and closes an hour after the end, to the second", () => {
    const state = (now: number) => joinWindowState(appointment, now)
    expect(state(1_800_000_000 - 601)).toBe("too_early")
    expect(state(1_800_000_000 - 600)).toBe("open")
    expect(state(1_800_001_800 + 3600)).toBe("open")
    expect(state(1_800_001_800 + 3601)).toBe("too_late")
    expect([opensAt(appointment), closesAt(appointment)]).toEqual([1_799_999_400, 1_800_005_400])
  })
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

  test("makes the doctor the moderator", async () => {
    const { token } = await mint({ ...patient, id: "doc_1", role: "doctor" })
    expect(decodeJwt(token)).toMatchObject({ moderator: true })
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
