import { spawn } from "node:child_process"
import { Effect } from "effect"
import type { Identity } from "./identity.ts"
import { PostgresFailed } from "./PostgresFailed.ts"

/** The environment without `PG…` variables and with English messages. */
const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PG"))),
  LC_ALL: "C"
})

/** PostgreSQL finds its programs with access(2), which ignores capabilities after setuid unless no_setuid_fixup is set. */
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

/** Runs a PostgreSQL program and returns its output. Fails with `PostgresFailed` for a non-zero exit status. */
export const run = (identity: Identity, file: string, args: ReadonlyArray<string>) =>
  Effect.async<string, PostgresFailed>((resume) => {
    const [command, parameters] = asIdentity(identity, file, args)
    const user = identity._tag === "AnotherUser" ? { uid: identity.uid, gid: identity.gid } : {}
    const child = spawn(command, parameters, {
      ...user,
      cwd: "/", // the other user may not have access to our working directory
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"]
    })
    const output: Array<string> = []
    child.stdout.on("data", (chunk) => output.push(String(chunk)))
    child.stderr.on("data", (chunk) => output.push(String(chunk)))
    child.on("error", (error) =>
      resume(Effect.fail(new PostgresFailed({ message: `${command} does not run: ${error.message}` })))
    )
    // "exit", not "close": the postmaster that pg_ctl starts may keep the pipes open
    child.on("exit", (status) =>
      resume(
        status === 0
          ? Effect.succeed(output.join(""))
          : Effect.fail(new PostgresFailed({ message: `${file} failed (${status}): ${output.join("").trim()}` }))
      )
    )
  }).pipe(Effect.uninterruptible)
