import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Option } from "effect"
import { PostgresFailed } from "./PostgresFailed.ts"

/**
 * As whom PostgreSQL runs. It refuses to run as root, so a service that runs as root starts it as another user; where
 * that user could not reach the folders (a clone under a closed home, say), it gets the one capability to read past them.
 */
export type Identity =
  | { readonly _tag: "Ourselves" }
  | { readonly _tag: "AnotherUser"; readonly uid: number; readonly gid: number }
  | { readonly _tag: "AnotherUserReadingAll"; readonly uid: number; readonly gid: number }

const ask = (...args: ReadonlyArray<string>) =>
  Option.liftThrowable(() =>
    Number(execFileSync("id", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
  )()

const userNamed = (name: string) => Option.all({ uid: ask("-u", name), gid: ask("-g", name) })

const ownerOf = (folder: string) =>
  Option.liftThrowable(() => statSync(folder))().pipe(
    Option.filter(({ uid }) => uid !== 0),
    Option.map(({ uid, gid }) => ({ uid, gid }))
  )

const everybodyMayPass = (folder: string): boolean =>
  folder === dirname(folder) || ((statSync(folder).mode & 0o001) !== 0 && everybodyMayPass(dirname(folder)))

/**
 * `data` is the database's own folder, which may not exist yet; its owner, where there is one, goes before the users
 * `postgres` and `nobody`. `reached` are the existing folders that PostgreSQL must be able to pass through.
 */
export const identityFor = (data: string, reached: ReadonlyArray<string>) =>
  Effect.suspend((): Effect.Effect<Identity, PostgresFailed> => {
    if (process.getuid?.() !== 0) return Effect.succeed({ _tag: "Ourselves" })
    const user = ownerOf(data).pipe(
      Option.orElse(() => userNamed("postgres")),
      Option.orElse(() => userNamed("nobody"))
    )
    if (Option.isNone(user)) {
      return Effect.fail(
        new PostgresFailed({ message: "PostgreSQL does not run as root, and there is no user postgres or nobody" })
      )
    }
    return Effect.succeed({
      _tag: reached.every(everybodyMayPass) ? "AnotherUser" : "AnotherUserReadingAll",
      ...user.value
    })
  })
