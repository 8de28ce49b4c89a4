/** Mails that a server of the tests wrote to its outbox. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { arrived } from "../../../support/eventually.ts"
import type { TestServer } from "../../../support/server.ts"

/** The mails to an address, newest last. One that is being written has a hidden name until it is whole. */
export const mailsTo = ({ dataDir }: TestServer, address: string) => {
  const folder = join(dataDir, "outbox")
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => !name.startsWith("."))
    .map((name) => ({ text: readFileSync(join(folder, name), "utf8"), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .filter((mail) => mail.includes(`To: ${address}`) || mail.includes(`<${address}>`))
}

/** The code to sign in of the `count`th mail to the address. */
export const codeTo = async (server: TestServer, address: string, count = 1) => {
  const mails = await arrived(() => mailsTo(server, address), count)
  return /^Subject:.*?(\d{8})/m.exec(mails.at(-1) ?? "")?.[1] ?? ""
}
