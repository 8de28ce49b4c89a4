import { execFileSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Option } from "effect"
import { PostgresFailed } from "./PostgresFailed.ts"

/**
 * The user that PostgreSQL runs as. It refuses to run as root, so a service that runs as root starts it as another user.
 * If that user may not enter the folders (a clone below a home of mode 0700), it gets one capability that allows it.
 */
export type Identity =
  | { readonly _tag: "Ourselves" }
  | { readonly _tag: "AnotherUser"; readonly uid: number; readonly gid: number }
  | { readonly _tag: "AnotherUserWith"; readonly capability: Capability; readonly uid: number; readonly gid: number }

export type Capability = "dac_read_search" | "dac_override"

/** Bits of capabilities(7). Root in Docker lacks DAC_READ_SEARCH; DAC_OVERRIDE includes it. */
const capabilities: ReadonlyArray<readonly [Capability, bigint]> = [
  ["dac_read_search", 1n << 2n],
  ["dac_override", 1n << 1n]
]
const SETPCAP = 1n << 8n

/** The capability with which another user may enter closed folders, if this process can pass one on. */
const inheritedCapability = Option.liftThrowable(() => {
  const mask = BigInt(`0x${/^CapPrm:\s*(\w+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0"}`)
  return (mask & SETPCAP) === 0n ? undefined : capabilities.find(([, bit]) => (mask & bit) !== 0n)?.[0]
})

const idOf = (...args: ReadonlyArray<string>) =>
  Option.liftThrowable(() =>
    Number(execFileSync("id", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
  )()

const userNamed = (name: string) => Option.all({ uid: idOf("-u", name), gid: idOf("-g", name) })

const ownerOf = (folder: string) =>
  Option.liftThrowable(() => statSync(folder))().pipe(
    Option.filter(({ uid }) => uid !== 0),
    Option.map(({ uid, gid }) => ({ uid, gid }))
  )

/** The first folder on the path, from the root, that other users may not enter. */
const closedFolder = (folder: string): Option.Option<string> =>
  folder === dirname(folder)
    ? Option.none()
    : Option.orElse(closedFolder(dirname(folder)), () =>
        (statSync(folder).mode & 0o001) === 0 ? Option.some(folder) : Option.none()
      )

const failed = (message: string) => Effect.fail(new PostgresFailed({ message }))

/**
 * `data` is the data folder, which may not exist yet; its owner is preferred to the users `postgres` and `nobody`. `reached`
 * are existing folders that PostgreSQL must be able to enter.
 */
export const identityFor = (data: string, reached: ReadonlyArray<string>) =>
  Effect.suspend((): Effect.Effect<Identity, PostgresFailed> => {
    if (process.getuid?.() !== 0) return Effect.succeed({ _tag: "Ourselves" })
    const user = ownerOf(data).pipe(
      Option.orElse(() => userNamed("postgres")),
      Option.orElse(() => userNamed("nobody")),
      Option.getOrUndefined
    )
    if (user === undefined) return failed("PostgreSQL does not run as root, and there is no user postgres or nobody")
    const closed = Option.firstSomeOf(reached.map(closedFolder))
    if (Option.isNone(closed)) return Effect.succeed({ _tag: "AnotherUser", ...user })
    const capability = Option.getOrUndefined(inheritedCapability())
    return capability === undefined
      ? failed(
          `PostgreSQL does not run as root, and its user may not enter ${closed.value}. Allow it (chmod o+x), run the service as another user, or set DATABASE_URL`
        )
      : Effect.succeed({ _tag: "AnotherUserWith", capability, ...user })
  })
