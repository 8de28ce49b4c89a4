import type { Frame, Page } from "playwright-core"
import type { ServerMessage } from "../../src/capabilities/video/schemas/Signal.ts"
import { pageLink } from "./codes.ts"
import { arrived } from "./eventually.ts"
import { place } from "./provisioned.ts"
import type { TestServer } from "./server.ts"
import { doctorOf } from "./staff.ts"
import { makeWorld, type World, type WorldOptions } from "./world.ts"

/** A confirmed appointment that began a minute ago: its room is open. */
export const openAppointment = async (
  world: World,
  name = "Testa",
  fields: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  const patient_uid = await world.patient({ first_name: name, last_name: "Patient" })
  const start_date = Math.floor(Date.now() / 1000) - 60
  return place(world, patient_uid, { status: "confirmed", start_date, fields })
}

/** A doctor's URL of the meeting, by default the booked doctor's. */
export const doctorsMeeting = async (server: TestServer, world: World, uid: string, doctor: string = world.doctor) => {
  const answer = await server.api("POST", `/v1/doctor/appointments/${uid}/join`, {
    bearer: await doctorOf(server, world, doctor)
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return `${server.url}/meet/meeting/${answer.body.room_name}?jwt=${answer.body.token}`
}

/**
 * Records every peer connection of a page so that a test can read its statistics, without changing the page.
 * `relayed` allows only connections through a relay.
 */
export const watchCalls = (page: Page, relayed = false) =>
  page.addInitScript((onlyRelayed) => {
    const iceTransportPolicy = onlyRelayed ? "relay" : "all"
    const made: Array<RTCPeerConnection> = []
    Object.assign(window, { calls: made })
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy })
        made.push(this)
      }
    }
  }, relayed)

export interface CallFigures {
  /** frames of the partner's video decoded so far, by connection of this page in order of creation; 0 for closed ones */
  readonly frames: ReadonlyArray<number>
  /** candidate types in use: host, srflx, relay */
  readonly ways: ReadonlyArray<string>
}

export const callFigures = (page: Page | Frame): Promise<CallFigures> =>
  page.evaluate(async () => {
    const calls: ReadonlyArray<RTCPeerConnection> = Reflect.get(window, "calls")
    const frames: Array<number> = []
    const ways: Array<string> = []
    for (const [index, call] of calls.entries()) {
      const report = await call.getStats()
      frames[index] = 0
      for (const entry of report.values()) {
        if (entry.type === "inbound-rtp" && entry.kind === "video") frames[index] = entry.framesDecoded ?? 0
        if (entry.type === "candidate-pair" && entry.nominated)
          ways.push(report.get(entry.localCandidateId)?.candidateType)
      }
    }
    return { frames, ways }
  })

/** A WebSocket client of the meeting, without a browser. */
export const connect = (at: TestServer, room: string, token: string, session = crypto.randomUUID()) => {
  const webSocket = new WebSocket(
    `${at.url.replace("http", "ws")}/meet/meeting/${room}/socket?jwt=${token}&session=${session}`
  )
  const receivedMessages: Array<ServerMessage> = []
  const closed = new Promise<number>((resolve) => webSocket.addEventListener("close", ({ code }) => resolve(code)))
  webSocket.addEventListener("message", ({ data }) => receivedMessages.push(JSON.parse(String(data))))
  const hears = async <T extends ServerMessage["type"]>(type: T, fits: (message: object) => boolean = () => true) => {
    const is = (message: ServerMessage): message is ServerMessage & { type: T } =>
      message.type === type && fits(message)
    const found = (await arrived(() => receivedMessages.filter(is))).at(-1)
    if (found === undefined) throw new Error(`nobody said ${type}`)
    return found
  }
  return {
    say: (message: object) => webSocket.send(JSON.stringify(message)),
    raw: (text: string) => webSocket.send(text),
    hears,
    closed,
    close: () => webSocket.close()
  }
}

/** A patient and a doctor in one room, each connected to a different server; both have seen each other. */
export const people = async (patientAt: TestServer, doctorAt: TestServer, options: WorldOptions = {}) => {
  const world = await makeWorld(patientAt, options)
  const uid = await openAppointment(world)
  const code = (await pageLink(patientAt, uid, "join")).split("/").at(-1)
  const { body } = await patientAt.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const room: string = body.room_name
  const doctorsToken = new URL(await doctorsMeeting(patientAt, world, uid)).searchParams.get("jwt") ?? ""
  const patient = connect(patientAt, room, body.token)
  const patientId = (await patient.hears("welcome")).self.id
  const doctor = connect(doctorAt, room, doctorsToken)
  const doctorId = (await doctor.hears("welcome")).self.id
  await doctor.hears("member", (message) => JSON.stringify(message).includes(patientId))
  return { world, uid, code, room, patient, patientId, doctor, doctorId }
}
