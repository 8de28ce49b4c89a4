/** Drops a test run's databases on every node of `CITUS_URLS`, when its process has ended; its argument is the run's name. */
import { dropCitusDatabases } from "./citus.ts"

const [run] = process.argv.slice(2)
if (run !== undefined) await dropCitusDatabases(run)
