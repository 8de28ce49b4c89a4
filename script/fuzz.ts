/** `bun run fuzz [requests] [seed]`: random requests from the OpenAPI document; see tests/http/matrix/fuzzer.ts. */
import { fuzz } from "../tests/http/matrix/fuzzer.ts"
import { startServer } from "../tests/support/server.ts"

const requests = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))

const server = await startServer({ ROLE: "http" })
console.log(`${requests} requests, seed ${seed}`)
const progress = (done: number) => process.stderr.write(`\r${done} of ${requests}`)
const { faults, statuses } = await fuzz(server, { requests, seed, progress })
process.stderr.write("\n")
console.table(statuses)
for (const fault of faults) console.error(fault)
console.log(`${faults.length} faults`)
await server.stop()
process.exit(faults.length === 0 ? 0 : 1)
