import { describe, expect, test } from "bun:test"
import type {
  BusMessage,
  ClientMessage,
  Member,
  ServerMessage
} from "../../../src/capabilities/video/schemas/Signal.ts"
import {
  enterRoom,
  type Participant,
  type ParticipantInput,
  step,
  TIMEOUT_MS
} from "../../../src/capabilities/video/services/participant.ts"

const person = (id: string, role: Member["role"], opened: number): Member => ({
  id,
  role,
  name: id.toUpperCase(),
  session: `s-${id}-${opened}`,
  opened,
  since: opened,
  admitted_by: []
})

/** A room with a totally ordered broadcast: every participant gets every message, including its own. */
const room = () => {
  const participants = new Map<string, Participant>()
  const received = new Map<string, Array<ServerMessage>>()
  let now = 1_000
  const run = (key: string, input: ParticipantInput) => {
    const participant = participants.get(key)
    if (participant === undefined) return
    const output = step(participant, input)
    received.set(key, [...(received.get(key) ?? []), ...output.client])
    if (output.closed) participants.delete(key)
    else participants.set(key, output.participant)
    for (const message of output.bus) broadcast(message)
  }
  const broadcast = (message: BusMessage) => {
    for (const key of [...participants.keys()]) run(key, { kind: "bus", message, now })
  }
  return {
    enter: (member: Member, group = false, appointment = "apt") => {
      const key = `${member.id}@${member.opened}`
      participants.set(key, enterRoom("room", { appointment, doctors: ["d", "d1", "d2"] }, member, group))
      run(key, { kind: "enter" })
      return {
        say: (message: ClientMessage) => run(key, { kind: "client", message }),
        lose: () => run(key, { kind: "lost" }),
        vanish: () => participants.delete(key),
        tick: () => run(key, { kind: "tick", now }),
        present: () => participants.has(key),
        heard: <T extends ServerMessage["type"]>(type: T) =>
          (received.get(key) ?? []).filter((message): message is ServerMessage & { type: T } => message.type === type),
        last: () => received.get(key)?.at(-1)
      }
    },
    pass: (ms: number) => {
      now += ms
    }
  }
}

const hello = { media: { audio: true, video: true } }

describe("a participant in a meeting room", () => {
  test("a patient waits, knows their position, and is notified when it changes", () => {
    const at = room()
    const first = at.enter(person("p1", "patient", 1))
    const second = at.enter(person("p2", "patient", 2))
    expect(first.last()).toEqual({ type: "standing", before: 0, doctor: "absent", doctor_name: "" })
    expect(second.last()).toMatchObject({ before: 1, doctor: "absent" })
    const doctor = at.enter(person("d", "doctor", 3))
    expect(second.last()).toMatchObject({ before: 1, doctor: "present", doctor_name: "D" })
    doctor.say({ type: "admit", member: "p1" })
    expect(second.last()).toMatchObject({ before: 0, doctor: "busy" })
    expect(first.last()).toEqual({ type: "admitted", by: "d", ice_servers: [] })
    first.say({ type: "leave" })
    expect(second.last()).toMatchObject({ before: 0, doctor: "present" })
  })

  test("a patient learns nothing of another patient", () => {
    const at = room()
    const one = at.enter(person("p1", "patient", 1))
    at.enter(person("p2", "patient", 2))
    at.enter(person("d", "doctor", 3)).say({ type: "admit", member: "p2" })
    expect(one.heard("member").map(({ member }) => member.id)).not.toContain("p2")
    expect(JSON.stringify([one.heard("standing"), one.heard("gone")])).not.toContain("P2")
  })

  test("a patient of a group may choose a name, which the doctor sees; others may not", () => {
    const at = room()
    const one = at.enter({ ...person("p1", "patient", 1), name: "Participant 1" }, true)
    const two = at.enter({ ...person("p2", "patient", 2), name: "Participant 2" }, true)
    const single = at.enter(person("p3", "patient", 3))
    const doctor = at.enter(person("d", "doctor", 4), true)
    const namesOf = (id: string) =>
      doctor.heard("member").flatMap(({ member }) => (member.id === id ? [member.name] : []))
    one.say({ type: "rename", name: "  Kim\n" })
    two.say({ type: "rename", name: " " })
    single.say({ type: "rename", name: "Somebody" })
    doctor.say({ type: "rename", name: "Somebody" })
    expect(namesOf("p1")).toEqual(["Participant 1", "Kim"])
    expect([namesOf("p2"), namesOf("p3")]).toEqual([["Participant 2"], ["P3"]])
    expect(one.heard("member").map(({ member }) => member.name)).toEqual(["D"])
    expect(JSON.stringify(two.heard("member"))).not.toContain("Kim")
    doctor.say({ type: "admit", member: "p1" })
    expect(namesOf("p1").at(-1)).toBe("Kim")
  })

  test("signals pass only between the doctor and the admitted patient", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const stranger = at.enter(person("p2", "patient", 2))
    const doctor = at.enter(person("d", "doctor", 3))
    patient.say({ type: "signal", to: "d", data: hello })
    doctor.say({ type: "signal", to: "p1", data: hello })
    expect([...doctor.heard("signal"), ...patient.heard("signal")]).toEqual([])
    doctor.say({ type: "admit", member: "p1" })
    patient.say({ type: "signal", to: "d", data: hello })
    stranger.say({ type: "signal", to: "d", data: hello })
    stranger.say({ type: "signal", to: "p1", data: hello })
    expect(doctor.heard("signal")).toEqual([{ type: "signal", from: "p1", session: "s-p1-1", data: hello }])
    expect(patient.heard("signal")).toEqual([])
  })

  test("a patient cannot admit, and only the admitting doctor can dismiss", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const other = at.enter(person("p2", "patient", 2))
    patient.say({ type: "admit", member: "p2" })
    patient.say({ type: "admit", member: "p1" })
    expect([...other.heard("admitted"), ...patient.heard("admitted")]).toEqual([])
    const doctor = at.enter(person("d", "doctor", 3))
    const colleague = at.enter(person("d2", "doctor", 4))
    doctor.say({ type: "admit", member: "p1" })
    colleague.say({ type: "dismiss", member: "p1" })
    expect(patient.present()).toBe(true)
    doctor.say({ type: "dismiss", member: "p1" })
    expect(patient.last()).toEqual({ type: "dismissed" })
    expect(patient.present()).toBe(false)
  })

  test("all doctors who admitted a patient talk with the patient and each other, and each may end the call for all; Rule 5.7.7", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const first = at.enter(person("d1", "doctor", 2))
    const second = at.enter(person("d2", "doctor", 3))
    const third = at.enter(person("d3", "doctor", 4))
    first.say({ type: "admit", member: "p1" })
    second.say({ type: "signal", to: "d1", data: hello })
    expect(first.heard("signal")).toEqual([])
    second.say({ type: "admit", member: "p1" })
    first.say({ type: "admit", member: "p1" })
    expect(third.heard("member").at(-1)?.member.admitted_by).toEqual(["d1", "d2"])
    for (const [sender, to] of [
      [first, "d2"],
      [second, "d1"],
      [second, "p1"],
      [patient, "d1"],
      [patient, "d2"],
      [patient, "d3"],
      [third, "d1"],
      [third, "p1"],
      [first, "d3"]
    ] as const)
      sender.say({ type: "signal", to, data: hello })
    const sendersTo = (member: typeof first) => member.heard("signal").map(({ from }) => from)
    expect([patient, first, second, third].map(sendersTo)).toEqual([["d2"], ["d2", "p1"], ["d1", "p1"], []])
    first.say({ type: "leave" })
    second.say({ type: "signal", to: "p1", data: hello })
    expect(sendersTo(patient)).toEqual(["d2", "d2"])
    third.say({ type: "dismiss", member: "p1" })
    expect(patient.present()).toBe(true)
    second.say({ type: "dismiss", member: "p1" })
    expect([patient.last(), patient.present()]).toEqual([{ type: "dismissed" }, false])
    expect([second.heard("ended"), third.heard("ended")]).toEqual([[], [{ type: "ended", member: "p1" }]])
  })

  test("a doctor of another appointment takes the patient over and does not join the call; Rule 5.7.7", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const doctor = at.enter(person("d1", "doctor", 2))
    const other = at.enter(person("d9", "doctor", 3))
    doctor.say({ type: "admit", member: "p1" })
    other.say({ type: "admit", member: "p1" })
    expect(doctor.heard("member").at(-1)?.member.admitted_by).toEqual(["d9"])
    doctor.say({ type: "signal", to: "d9", data: hello })
    doctor.say({ type: "signal", to: "p1", data: hello })
    expect([...patient.heard("signal"), ...other.heard("signal")]).toEqual([])
  })

  test("a patient of a group talks with one doctor, the one who admitted them last; Rule 18.5.7", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1), true)
    const first = at.enter(person("d1", "doctor", 2), true)
    const second = at.enter(person("d2", "doctor", 3), true)
    first.say({ type: "admit", member: "p1" })
    second.say({ type: "admit", member: "p1" })
    expect(first.heard("member").at(-1)?.member.admitted_by).toEqual(["d2"])
    first.say({ type: "signal", to: "p1", data: hello })
    expect(patient.heard("signal")).toEqual([])
  })

  test("a doctor sees which patients came with the own appointment", () => {
    const at = room()
    const doctor = at.enter(person("d", "doctor", 1))
    at.enter(person("p1", "patient", 2))
    at.enter(person("p2", "patient", 3), false, "another")
    const seen = doctor.heard("member").map(({ member, same_appointment }) => ({ [member.id]: same_appointment }))
    expect(Object.assign({}, ...seen)).toEqual({ p1: true, p2: false })
  })

  test("a patient dismissed while disconnected is removed even after coming back to wait", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const doctor = at.enter(person("d", "doctor", 2))
    doctor.say({ type: "admit", member: "p1" })
    patient.lose()
    const again = at.enter(person("p1", "patient", 3))
    doctor.say({ type: "dismiss", member: "p1" })
    expect([again.last(), again.present()]).toEqual([{ type: "dismissed" }, false])
  })

  test("a person's newest connection replaces the older one, never the reverse", () => {
    const at = room()
    const doctor = at.enter(person("d", "doctor", 1))
    const old = at.enter(person("p1", "patient", 2))
    const fresh = at.enter(person("p1", "patient", 3))
    expect(old.last()).toEqual({ type: "replaced" })
    expect([old.present(), fresh.present()]).toEqual([false, true])
    fresh.tick()
    expect(doctor.heard("gone")).toEqual([])
    expect(doctor.heard("member").at(-1)?.member.opened).toBe(3)
  })

  test("the late close of an old connection does not remove the new one", () => {
    const at = room()
    const old = at.enter(person("p1", "patient", 1))
    old.vanish()
    const doctor = at.enter(person("d", "doctor", 2))
    at.enter(person("p1", "patient", 3))
    const own = { appointment: "apt", doctors: ["d"] }
    const ghost = enterRoom("room", own, person("p1", "patient", 1))
    const [message] = step(ghost, { kind: "lost" }).bus
    if (message === undefined) throw new Error("a lost participant says so")
    const here = {
      kind: "here",
      room: "room",
      from: person("p1", "patient", 3),
      appointment: "apt",
      reply: false
    } as const
    const entered = enterRoom("room", own, person("d", "doctor", 2))
    const { participant } = step(entered, { kind: "bus", now: 1, message: here })
    expect(step(participant, { kind: "bus", now: 2, message }).client).toEqual([])
    expect(doctor.heard("gone")).toEqual([])
  })

  test("a silent participant leaves after a timeout, and is present again on return", () => {
    const at = room()
    const doctor = at.enter(person("d", "doctor", 1))
    const patient = at.enter(person("p1", "patient", 2))
    patient.vanish()
    at.pass(TIMEOUT_MS + 1)
    doctor.tick()
    expect(doctor.last()).toEqual({ type: "gone", member: "p1", left: false })
    at.enter(person("p1", "patient", 3))
    expect(doctor.last()).toMatchObject({ type: "member", member: { id: "p1", admitted_by: [] } })
  })

  test("a returning doctor learns whom they had admitted", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const before = at.enter(person("d", "doctor", 2))
    before.say({ type: "admit", member: "p1" })
    before.lose()
    expect(patient.last()).toEqual({ type: "gone", member: "d", left: false })
    const after = at.enter(person("d", "doctor", 3))
    expect(after.heard("member").at(-1)?.member).toMatchObject({ id: "p1", admitted_by: ["d"] })
    after.say({ type: "signal", to: "p1", data: hello })
    expect(patient.heard("signal")).toHaveLength(1)
  })

  const guest = (id: string, opened: number): Member => ({
    ...person(id, "guest", opened),
    capacity: "interpreter",
    agreed: false
  })

  test("a guest is in the call once the doctor admits them and the patient agrees, in either order; Rule 5.7.10", () => {
    for (const first of ["doctor", "patient"] as const) {
      const at = room()
      const patient = at.enter(person("p1", "patient", 1))
      const doctor = at.enter(person("d", "doctor", 2))
      const ana = at.enter(guest("g1", 3))
      expect(ana.heard("pending")).toEqual([{ type: "pending", admitted: false, agreed: false }])
      const admit = () => doctor.say({ type: "admit", member: "g1" })
      const agree = () => patient.say({ type: "agree", member: "g1" })
      const [one, other] = first === "doctor" ? [admit, agree] : [agree, admit]
      one()
      expect([ana.heard("admitted"), ana.heard("pending").at(-1)]).toEqual([
        [],
        { type: "pending", admitted: first === "doctor", agreed: first === "patient" }
      ])
      doctor.say({ type: "signal", to: "g1", data: hello })
      expect(ana.heard("signal")).toEqual([])
      other()
      expect(ana.heard("admitted")).toEqual([{ type: "admitted", by: "d", ice_servers: [] }])
      doctor.say({ type: "signal", to: "g1", data: hello })
      expect(ana.heard("signal")).toHaveLength(1)
      // the patient is not in the call yet
      ana.say({ type: "signal", to: "p1", data: hello })
      expect(patient.heard("signal")).toEqual([])
      doctor.say({ type: "admit", member: "p1" })
      ana.say({ type: "signal", to: "p1", data: hello })
      expect(patient.heard("signal")).toHaveLength(1)
    }
  })

  test("a guest sees and hears nobody of another appointment, and only a patient of theirs agrees; Rule 5.7.11", () => {
    const at = room()
    const patient = at.enter(person("p1", "patient", 1))
    const stranger = at.enter(person("p2", "patient", 2), false, "other")
    const doctor = at.enter(person("d", "doctor", 3))
    const ana = at.enter(guest("g1", 4))
    stranger.say({ type: "agree", member: "g1" })
    ana.say({ type: "agree", member: "g1" })
    doctor.say({ type: "agree", member: "g1" })
    for (const member of ["p1", "g1"]) doctor.say({ type: "admit", member })
    expect(ana.heard("pending").at(-1)).toMatchObject({ agreed: false })
    expect(ana.heard("member").map(({ member }) => member.id)).not.toContain("p2")
    expect(stranger.heard("member").map(({ member }) => member.id)).not.toContain("g1")
    patient.say({ type: "agree", member: "g1" })
    ana.say({ type: "signal", to: "p2", data: hello })
    stranger.say({ type: "signal", to: "g1", data: hello })
    expect([...stranger.heard("signal"), ...ana.heard("signal")]).toEqual([])
    for (const member of ["p1", "d"]) ana.say({ type: "admit", member })
    ana.say({ type: "dismiss", member: "p1" })
    expect(patient.present()).toBe(true)
  })

  test("a guest is refused by the patient, removed by the doctor, and goes with the patient's call; Rule 5.7.10", () => {
    const scene = () => {
      const at = room()
      const people = {
        patient: at.enter(person("p1", "patient", 1)),
        doctor: at.enter(person("d", "doctor", 2)),
        ana: at.enter(guest("g1", 3))
      }
      for (const member of ["p1", "g1"]) people.doctor.say({ type: "admit", member })
      return people
    }
    const refused = scene()
    refused.patient.say({ type: "refuse", member: "g1" })
    const removed = scene()
    removed.patient.say({ type: "agree", member: "g1" })
    removed.doctor.say({ type: "dismiss", member: "g1" })
    const ended = scene()
    ended.patient.say({ type: "agree", member: "g1" })
    ended.doctor.say({ type: "dismiss", member: "p1" })
    for (const { ana } of [refused, removed, ended])
      expect([ana.last(), ana.present()]).toEqual([{ type: "dismissed" }, false])
    expect([refused, removed, ended].map(({ patient }) => patient.present())).toEqual([true, true, false])
  })
})
