import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Client } from "pg"
import { MessageUid, OrganisationUid } from "../../src/schemas/ids.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { seeingAll, waitingForLocks } from "../support/citus.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

// No worker runs: the test sends messages.
const server = testServer({ ROLE: "http" })

const connected = async () => {
  const client = new Client({ connectionString: seeingAll(server.current.databaseUrl) })
  await client.connect()
  return client
}

const calendarsOf = (address: string) => {
  const outbox = join(server.current.dataDir, "outbox")
  const written = readdirSync(outbox).filter((name) => !name.startsWith("."))
  const mails = written.map((name) => readFileSync(join(outbox, name), "utf8"))
  return mails.filter((mail) => mail.includes(address)).flatMap((mail) => /; method=(\w+)/.exec(mail)?.[1] ?? [])
}

test("an invitation is withdrawn if its appointment is cancelled while it is being sent", async () => {
  const organisation = { messages: ["confirmation"] }
  const { api, run, organisation_uid, booked } = await makeWorld(server.current, { organisation })
  const customer = random("customer")
  const uid = await booked(inDays(3, 9), customer)
  const client = await connected()
  const messages = async (kind: string): Promise<ReadonlyArray<string>> => {
    const found = await client.query("SELECT uid FROM messages WHERE appointment_uid = $1 AND kind = $2", [uid, kind])
    return found.rows.map((row) => row.uid)
  }
  const send = async (kind: string) => {
    for (const uid of await messages(kind)) {
      const message = { organisation_uid: OrganisationUid.make(organisation_uid), message_uid: MessageUid.make(uid) }
      await run(Effect.flatMap(MessageSender, (sender) => sender.send(message)))
    }
  }
  const waiting = () => waitingForLocks(client)

  const other = await connected()
  await other.query("BEGIN")
  await other.query("SELECT uid FROM messages WHERE organisation_uid = $1 AND appointment_uid = $2 FOR UPDATE", [
    organisation_uid,
    uid
  ])
  const sent = send("confirmation")
  await eventually(waiting, (count) => count === 1)
  const path = `/v1/management/scheduling/appointments/${uid}/cancel`
  const withdrawn = api("POST", path, { reason: "ill" }).then(() => send("cancellation"))
  await Promise.race([withdrawn, eventually(waiting, (count) => count === 2)])
  await other.query("COMMIT")
  await Promise.all([sent, withdrawn])
  expect(calendarsOf(`${customer}@example.org`).sort()).toEqual(["CANCEL", "REQUEST"])
  await Promise.all([client.end(), other.end()])
})
