/** A real CalDAV server, Radicale, with one user. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { freePort } from "./ports.ts"
import { whileTesting } from "./server.ts"

export const radicaleUser = { username: "ada", password: "correct horse" }

/** Starts it at an address; returns what stops it. */
export const startRadicale = async (url: string) => {
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-radicale-"))
  const users = join(folder, "users")
  writeFileSync(users, `${radicaleUser.username}:${radicaleUser.password}\n`)
  const process = Bun.spawn(
    [
      "radicale",
      "--config=",
      `--server-hosts=${new URL(url).host}`,
      `--storage-filesystem-folder=${join(folder, "collections")}`,
      "--auth-type=htpasswd",
      `--auth-htpasswd-filename=${users}`,
      "--auth-htpasswd-encryption=plain"
    ],
    { stdout: "ignore", stderr: "ignore" }
  )
  await eventually(
    async () => (await fetch(url).catch(() => undefined)) !== undefined,
    (is) => is
  )
  return async () => {
    process.kill()
    await process.exited
    rmSync(folder, { recursive: true })
  }
}
/** Of a server on a free port. */
export const radicaleAddress = () => `http://127.0.0.1:${freePort()}/`

/** Runs it while the file's tests run; returns its address. */
export const radicale = () => {
  const url = radicaleAddress()
  whileTesting(
    () => startRadicale(url),
    (stop) => stop()
  )
  return url
}

const headers = { authorization: `Basic ${btoa(`${radicaleUser.username}:${radicaleUser.password}`)}` }
const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
const event = (uid: string, start: number, end: number, title: string) => [
  ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//EN", "BEGIN:VEVENT"],
  ...[`UID:${uid}`, "DTSTAMP:20260101T000000Z", `DTSTART:${stamp(start)}`, `DTEND:${stamp(end)}`],
  ...[`SUMMARY:${title}`, "END:VEVENT", "END:VCALENDAR", ""]
]

/** A calendar of the user on the server at the address, as its owner uses it. */
export const radicaleCalendar = (server: string, name: string) => {
  const url = `${server}${radicaleUser.username}/${name}/`
  const send = (method: string, below = "", body: string | null = null) =>
    fetch(`${url}${below}`, { method, headers: { ...headers, "content-type": "text/calendar" }, body })
  return {
    url,
    create: () => send("MKCALENDAR"),
    text: async () => (await send("GET")).text(),
    put: (uid: string, start: number, end: number, title = "Besprechung") =>
      send("PUT", `${uid}.ics`, event(uid, start, end, title).join("\r\n")),
    remove: (uid: string) => send("DELETE", `${uid}.ics`)
  }
}
