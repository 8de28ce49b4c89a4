/** Entry point of the operator's command line, with the same services as the server: `bun run cli --help`. */
import "./starting.ts"
import { BunRuntime } from "@effect/platform-bun"
import { runCommand } from "./cli/program.ts"

Bun.unsafe.setJITPolicy(1)
BunRuntime.runMain(runCommand(process.argv.slice(2)), { disablePrettyLogger: true, disableErrorReporting: true })
