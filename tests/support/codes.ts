import { readdir, readFile } from "node:fs/promises"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { UnixSeconds } from "../../src/schemas/fields.ts"
import { AppointmentUid, OrganisationUid } from "../../src/schemas/ids.ts"
import type { CodeKind, LinkAction } from "../../src/schemas/scheduling/ActionLink.ts"
import { LinkIssuer } from "../../src/services/scheduling/appointments/LinkIssuer.ts"
import { eventually } from "./eventually.ts"
import type { TestServer } from "./server.ts"
import type { World } from "./world.ts"

/** A link to an appointment's page, as in the service's own mails; the page shows this action first. */
export const pageLink = async (server: TestServer, uid: string, action: LinkAction) => {
  const [link] = await server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { issuePages } = yield* LinkIssuer
      const [found] = yield* sql<{ readonly owner: string; readonly ends: number }>`
        SELECT organisation_uid AS owner, extract(epoch FROM end_date)::float8 AS ends FROM appointments WHERE uid = ${uid}`
      if (found === undefined) return []
      const organisation_uid = OrganisationUid.make(found.owner)
      const end_date = UnixSeconds.make(found.ends)
      return yield* issuePages({ organisation_uid, uid: AppointmentUid.make(uid), end_date }, [action])
    }).pipe(Effect.provide(LinkIssuer.Default))
  )
  if (link === undefined) throw new Error(`no appointment ${uid}`)
  return link.url
}

/** A code of this kind: of the service's own mails, or by `POST …/action-links`. */
export const issuedCode = async (server: TestServer, world: World, uid: string, kind: CodeKind) => {
  if (kind === "page") return (await pageLink(server, uid, "join")).split("/").at(-1) ?? ""
  const path = `/v1/management/scheduling/appointments/${uid}/action-links`
  const answer = await world.api("POST", path, { action: kind })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return String(answer.body.code)
}

/** Texts of mails by path: a mail is written once, and the outbox of a shared server has those of all files. */
const texts = new Map<string, Promise<string>>()

const textOf = (path: string) => {
  const text = texts.get(path) ?? readFile(path, "utf8")
  texts.set(path, text)
  return text
}

/** The mails to the address in the server's outbox. */
export const mailsTo = async (
  { dataDir }: Pick<TestServer, "dataDir">,
  address: string
): Promise<Array<ParsedMail>> => {
  const folder = `${dataDir}/outbox`
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"))
  const mails = await Promise.all(names.map((name) => textOf(`${folder}/${name}`)))
  return Promise.all(
    mails.filter((mail) => new RegExp(`To: .*${address}`).test(mail)).map((mail) => simpleParser(mail))
  )
}

/** The first mail to the address, once there is one. */
export const mailTo = (server: Pick<TestServer, "dataDir">, address: string) =>
  eventually(
    async () => (await mailsTo(server, address))[0],
    (mail) => mail !== undefined
  )
