/**
 * `PEER_URL=… PEER_CLIENT_ID=… PEER_CLIENT_SECRET=… bun --no-install bench/peer.ts [rounds]`: the work of a booking partner, at this service
 * and at a running Medplum server, in turn in one run: milliseconds until the answer, as the client waits for it, and processor time of
 * both servers' processes where they run on this machine (`PEER_PID`, `PEER_POSTMASTER`). Both have 8 doctors, 576 free slots on the
 * searched day, and the same number of appointments. The client needs the right to create and change resources; Medplum's rate limits
 * are to be off (`defaultRateLimit: -1`). A booking at Medplum is one transaction bundle that creates an Appointment and marks its Slot
 * as busy by `ifMatch`; here it is a booking in one request, and as steps a session, a hold and its confirmation.
 */
import { inDays } from "../tests/support/world.ts"
import { familyProcessorOf, inLanes, median, processorOf } from "./harness/measure.ts"
import { setStage } from "./harness/stage.ts"
import { requested, requestsOf } from "./table.ts"

const [ROUNDS, WARM_UP, DOCTORS, SLOTS_A_DAY, CROWD] = [Number(process.argv[2] ?? 5), 3, 8, 72, 16]
const COUNTS = { search: 40, booking: 40, steps: 40, crowd: 160, list: 40, cancel: 80 } as const
type Work = keyof typeof COUNTS

const { PEER_URL, PEER_CLIENT_ID, PEER_CLIENT_SECRET, PEER_PID, PEER_POSTMASTER } = process.env
if (!PEER_URL || !PEER_CLIENT_ID || !PEER_CLIENT_SECRET) {
  console.error("PEER_URL, PEER_CLIENT_ID and PEER_CLIENT_SECRET name a running Medplum server and one of its clients")
  process.exit(2)
}

interface Resource {
  readonly resourceType: string
  readonly id: string
  readonly meta: { readonly versionId: string }
}

/** Medplum: its schedules, with a slot for every hour that is booked, and the same acts as requests to it. */
const peerOf = async (url: string, bookings: number) => {
  const granted = await fetch(`${url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: PEER_CLIENT_ID,
      client_secret: PEER_CLIENT_SECRET
    })
  })
  const headers = { authorization: `Bearer ${(await granted.json()).access_token}` }
  const fhir = (path: string, body?: unknown) => requested(`${url}/fhir/R4${path}`, body, headers)
  const created = async (resources: ReadonlyArray<object>): Promise<ReadonlyArray<Resource>> => {
    const made: Array<Resource> = []
    for (let at = 0; at < resources.length; at += 50) {
      const entry = resources
        .slice(at, at + 50)
        .map((resource) => ({ resource, request: { method: "POST", url: Reflect.get(resource, "resourceType") } }))
      const { entry: answered } = await fhir("/", { resourceType: "Bundle", type: "batch", entry })
      for (const { resource, response } of answered) {
        if (!resource) throw new Error(`Medplum did not create a resource: ${JSON.stringify(response)}`)
        made.push(resource)
      }
    }
    return made
  }
  const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const family = (name: string) => [{ family: name, given: ["Bench"] }]
  const doctors = await created(
    Array.from({ length: DOCTORS }, (_, at) => ({ resourceType: "Practitioner", name: family(`Doctor ${at}`) }))
  )
  const [patient] = await created([{ resourceType: "Patient", name: family("Patient") }])
  const schedules = await created(
    doctors.map(({ id }) => ({ resourceType: "Schedule", actor: [{ reference: `Practitioner/${id}` }] }))
  )
  const slotsFrom = (day: number, count: number) =>
    schedules.flatMap(({ id }) =>
      Array.from({ length: count }, (_, at) => ({
        resourceType: "Slot",
        status: "free",
        schedule: { reference: `Schedule/${id}` },
        start: iso(day + at * 1_200),
        end: iso(day + (at + 1) * 1_200)
      }))
    )
  await created(slotsFrom(inDays(1), SLOTS_A_DAY))
  const free = [...(await created(slotsFrom(inDays(3), Math.ceil(bookings / DOCTORS))))]
  const booked: Array<readonly [appointment: Resource, slot: Resource]> = []
  const bundle = async (entry: ReadonlyArray<object>) => {
    const { entry: answered } = await fhir("/", { resourceType: "Bundle", type: "transaction", entry })
    return answered.map(({ resource }: { resource: Resource }) => resource)
  }
  const put = (resource: Resource, changes: object) => ({
    resource: { ...resource, ...changes },
    request: {
      method: "PUT",
      url: `${resource.resourceType}/${resource.id}`,
      ifMatch: `W/"${resource.meta.versionId}"`
    }
  })
  const booking = async () => {
    const slot = free.pop()
    if (slot === undefined) throw new Error("no free slot is left at Medplum")
    const participant = [`Practitioner/${doctors[0]?.id}`, `Patient/${patient?.id}`]
    const appointment = {
      resourceType: "Appointment",
      status: "booked",
      start: Reflect.get(slot, "start"),
      end: Reflect.get(slot, "end"),
      slot: [{ reference: `Slot/${slot.id}` }],
      participant: participant.map((reference) => ({ actor: { reference }, status: "accepted" }))
    }
    const made = { resource: appointment, request: { method: "POST", url: "Appointment" } }
    const [taken, kept] = await bundle([put(slot, { status: "busy" }), made])
    booked.push([kept, taken])
  }
  const day = `start=ge${iso(inDays(1))}&start=lt${iso(inDays(2))}&status=free&_count=1000`
  return {
    search: () => fhir(`/Slot?schedule=${schedules.map(({ id }) => `Schedule/${id}`).join(",")}&${day}`),
    booking,
    steps: booking,
    crowd: booking,
    list: () => fhir("/Appointment?_count=50&_sort=-_lastUpdated&_total=accurate"),
    cancel: async () => {
      const [appointment, slot] = booked.pop() ?? []
      if (!appointment || !slot) throw new Error("nothing is booked at Medplum")
      await bundle([put(appointment, { status: "cancelled" }), put(slot, { status: "free" })])
    }
  }
}

const stage = await setStage()
const { world, service } = stage
const requests = requestsOf(stage)
const management = `${service.url}/v1/management/scheduling/appointments`
const key = { "x-api-key": world.key }
const toCancel: Array<string> = []
const ours: Record<Work, () => Promise<unknown>> = {
  search: requests.search,
  booking: async () => void toCancel.push((await requests.book()).uid),
  steps: async () => void toCancel.push((await requests.whole()).uid),
  crowd: requests.book,
  list: requests.list,
  cancel: () => requested(`${management}/${toCancel.pop()}/cancel`, { reason: "bench" }, key)
}
const peer: typeof ours = await peerOf(PEER_URL, (ROUNDS + WARM_UP) * (COUNTS.booking + COUNTS.steps + COUNTS.crowd))

const processor = (pid: number, postmaster: number) =>
  pid > 0 && postmaster > 0 ? processorOf(pid) + familyProcessorOf(postmaster) : Number.NaN
const parties = [
  { acts: ours, spent: () => processor(service.pid, stage.postmaster) },
  { acts: peer, spent: () => processor(Number(PEER_PID), Number(PEER_POSTMASTER)) }
]
const works = Object.keys(COUNTS) as ReadonlyArray<Work>
const costs = parties.map(() => new Map(works.map((work) => [work, [] as Array<readonly [number, number]>])))
for (let round = 1 - WARM_UP; round <= ROUNDS; round++) {
  console.error(round < 1 ? "warming up" : `round ${round} of ${ROUNDS}`)
  for (const work of works)
    for (const [at, { acts, spent }] of parties.entries()) {
      const before = spent()
      const times = await inLanes(COUNTS[work], work === "crowd" ? CROWD : 1, async () => {
        const begun = performance.now()
        await acts[work]()
        return performance.now() - begun
      })
      if (round > 0) costs[at]?.get(work)?.push([median(times), (spent() - before) / COUNTS[work]])
    }
}
console.log(
  "| work | ours, ms | Medplum, ms | times | ours, processor ms | Medplum, processor ms |\n| --- | --- | --- | --- | --- | --- |"
)
for (const work of works) {
  const [mine = [], theirs = []] = costs.map((all) => all.get(work))
  const [time, other] = [mine, theirs].map((all) => median(all.map(([ms]) => ms)))
  const [spent, otherSpent] = [mine, theirs].map((all) => median(all.map(([, ms]) => ms)))
  const shown = [time, other, (other ?? 0) / (time ?? 1), spent, otherSpent].map((value) => value?.toFixed(1))
  console.log(`| ${[work, ...shown].join(" | ")} |`)
}
await stage.stop([])
process.exit(0)
