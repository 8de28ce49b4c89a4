import { spawn } from "node:child_process"
import { Effect } from "effect"
import type { Identity } from "./identity.ts"
import { PostgresFailed } from "./PostgresFailed.ts"

/** The environment without `PG…` settings, and with messages in English. */
const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PG"))),
  LC_ALL: "C"
})

/** access(2), by which PostgreSQL looks for its programs, drops a user's capabilities unless no_setuid_fixup is set. */
const asIdentity = (identity: Identity, file: string, args: ReadonlyArray<string>): [string, ReadonlyArray<string>] =>
  identity._tag === "AnotherUserWith"
    ? [
        "setpriv",
        [
          `--reuid=${identity.uid}`,
          `--regid=${identity.gid}`,
          "--clear-groups",
          "--securebits=+no_setuid_fixup",
          `--inh-caps=+${identity.capability}`,
          `--ambient-caps=+${identity.capability}`,
          file,
          ...args
        ]
      ]
    : [file, args]

/** Runs one program of PostgreSQL to its end and gives what it wrote; a bad exit status is a `PostgresFailed`. */
export const run = (identity: Identity, file: string, args: ReadonlyArray<string>) =>
  Effect.async<string, PostgresFailed>((resume) => {
    const [command, parameters] = asIdentity(identity, file, args)
    const user = identity._tag === "AnotherUser" ? { uid: identity.uid, gid: identity.gid } : {}
    const child = spawn(command, parameters, {
      ...user,
      cwd: "/", // the other user may not be allowed to stand in ours
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"]
    })
    const written: Array<string> = []
    child.stdout.on("data", (chunk) => written.push(String(chunk)))
    child.stderr.on("data", (chunk) => written.push(String(chunk)))
    child.on("error", (error) =>
      resume(Effect.fail(new PostgresFailed({ message: `${command} does not run: ${error.message}` })))
    )
    // "exit", not "close": the postmaster that pg_ctl leaves behind may keep the pipes open
    child.on("exit", (status) =>
      resume(
        status === 0
          ? Effect.succeed(written.join(""))
          : Effect.fail(new PostgresFailed({ message: `${file} failed (${status}): ${written.join("").trim()}` }))
      )
    )
  }).pipe(Effect.uninterruptible)
