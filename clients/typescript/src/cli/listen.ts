// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from "node:timers/promises"
import { ApiError } from "../errors.ts"
import type { Sprechstunde } from "../index.ts"
import { clientFrom, countFrom, type Values } from "./arguments.ts"
import { forward, newSecret, targetFrom } from "./forward.ts"

const PAGE = 500
const POLL_MS = 1000

type Query = NonNullable<Parameters<Sprechstunde["listEvents"]>[0]>
type EventType = NonNullable<Query["type"]>

/** The feed of the key's organisation, or of its pharmacy. */
const feedOf = async (client: Sprechstunde, { pharmacy }: Values) => {
  const ofPharmacy = (query: Query) =>
    client.listPharmacyEvents({ ...query, ...(pharmacy !== undefined && { pharmacy_uid: pharmacy }) })
  const ofOrganisation = (query: Query) => client.listEvents(query)
  if (pharmacy !== undefined) return ofPharmacy
  return ofOrganisation({ limit: 1 }).then(
    () => ofOrganisation,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return ofPharmacy
      throw error
    }
  )
}
type Feed = Awaited<ReturnType<typeof feedOf>>

/** The last event that there is: what comes after it is new. */
const lastEvent = async (feed: Feed): Promise<string | undefined> => {
  let last: string | undefined
  for await (const { id } of feed({ limit: PAGE })) last = id
  return last
}

/** Forwards the events of the key's owner to an address, signed like webhooks, from now on or after `--after`. */
export const listen = async (values: Values) => {
  const client = clientFrom(values)
  const address = targetFrom(values.forward)
  const count = countFrom(values)
  const secret = values.secret ?? newSecret()
  const feed = await feedOf(client, values)
  let after = values.after ?? (await lastEvent(feed))
  console.log(`Forwarding to ${address}`)
  console.log(`Signing secret: ${secret}`)
  for (let forwarded = 0; forwarded < count; ) {
    const { data } = await feed({
      limit: PAGE,
      ...(after !== undefined && { after }),
      ...(values.type !== undefined && { type: values.type as EventType }) // the service refuses a type that it does not know
    })
    for (const event of data) {
      after = event.id
      console.log(await forward(event, address, secret))
      if (++forwarded >= count) return
    }
    if (data.length < PAGE) await setTimeout(POLL_MS)
  }
}
