import { setTimeout } from "node:timers/promises"
import type { Sprechstunde } from "../index.ts"
import { clientFrom, countFrom, type Values } from "./arguments.ts"
import { forward, newSecret, targetFrom } from "./forward.ts"

const PAGE = 500
const POLL_MS = 1000

/** The last event that there is: what comes after it is new. */
const lastEvent = async (client: Sprechstunde): Promise<string | undefined> => {
  let last: string | undefined
  for await (const { id } of client.listEvents({ limit: PAGE })) last = id
  return last
}

type EventType = NonNullable<NonNullable<Parameters<Sprechstunde["listEvents"]>[0]>["type"]>

/** Forwards the events of the key's organisation to an address, signed like webhooks, from now on or after `--after`. */
export const listen = async (values: Values) => {
  const client = clientFrom(values)
  const address = targetFrom(values.forward)
  const count = countFrom(values)
  const secret = values.secret ?? newSecret()
  let after = values.after ?? (await lastEvent(client))
  console.log(`Forwarding to ${address}`)
  console.log(`Signing secret: ${secret}`)
  for (let forwarded = 0; forwarded < count; ) {
    const { data } = await client.listEvents({
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
