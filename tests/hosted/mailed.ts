/** Pages to which mails lead: of a wish on the waiting list, of an offer and of a recall. */
import { Effect, Option } from "effect"
import { Recalls } from "../../src/capabilities/recalls/services/Recalls.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { mailsTo } from "../support/codes.ts"
import { eventually } from "../support/eventually.ts"
import type { TestServer } from "../support/server.ts"
import { dayOf, inDays, random, type World } from "../support/world.ts"

/** A start within 24 hours, which is offered at once at any time of the day. */
const near = () => Math.ceil((Date.now() / 1000 + 6 * 3600) / 1200) * 1200

/** The page that the newest mail to the customer names in this way. */
const mailed = async (server: TestServer, customer: string, path: RegExp) => {
  const found = await eventually(
    async () => (await mailsTo(server, `${customer}@example.org`)).flatMap(({ text }) => path.exec(text ?? "") ?? []),
    ({ length }) => length > 0
  )
  return `/meet${found.at(-1)}`
}

/** Enters the waiting list by the booking page; the page of the entry. */
export const waiting = async (server: TestServer, world: World, customer = random("p"), query = "") => {
  const body = new URLSearchParams({ action: "ask" })
  await server.api("POST", `/meet/booking/${await world.session(customer)}/waitlist${query}`, { body })
  return mailed(server, customer, /\/waitlist\/wle_[\w-]+/)
}

/** The page of an offer, the page of its entry, and the start that it offers, which was cancelled. */
export const offered = async (server: TestServer, world: World) => {
  const [customer, start] = [random("p"), near()]
  const uid = await world.booked(start, random("q"))
  const entry = await waiting(server, world, customer)
  await world.run(world.practice.cancel(uid))
  return { page: await mailed(server, customer, /\/waitlist\/wlo_[\w-]+/), entry, start }
}

/** The page of a recall, without its mail. */
export const recalled = async (server: TestServer, world: World, patient_uid: string) => {
  const recall = { patient_uid, appointment_type_uid: world.type_uid, due_date: dayOf(inDays(1)) }
  const { uid } = (await world.api("POST", "/v1/management/scheduling/recalls", recall)).body
  const subject = { organisation_uid: OrganisationUid.make(world.organisation_uid), subject_uid: uid }
  const notice = await server.run(Effect.flatMap(Recalls, (recalls) => recalls.notice(subject, { language: "de" })))
  return `/meet${/\/recall\/.*/.exec(Option.getOrThrow(notice).values.url)?.[0]}`
}
