/** The topology of the database: one server, or what a capability serves. */
import { Data, Effect, Layer } from "effect"
import { Capabilities } from "../declarations.ts"
import { Inserts } from "../services/database/Inserts.ts"
import { single, Topology } from "../services/database/Topology.ts"
import { DatabaseUrl } from "./Database.ts"
import { firstConnection } from "./postgres/connecting.ts"

/** The database was set up with a capability that is off. */
class CapabilityNeeded extends Data.TaggedError("CapabilityNeeded")<{ readonly name: string }> {
  override get message() {
    return `CAPABILITIES: this database needs ${this.name}`
  }
}

const found = Effect.gen(function* () {
  const { installed, on } = yield* Capabilities
  const url = yield* DatabaseUrl
  for (const { name, topology } of installed) {
    if (topology === undefined) continue
    const isFound = yield* firstConnection("DATABASE_URL", url, async (client) => {
      const { rows } = await client.query(topology.isFound)
      return rows[0]?.is === true
    })
    if (!isFound) continue
    if (!on.some((one) => one.name === name)) return yield* new CapabilityNeeded({ name })
    return topology
  }
  return single
})

export const TopologyLive = Layer.unwrapEffect(
  Effect.map(found, (topology) =>
    Layer.mergeAll(Layer.succeed(Topology, topology), Layer.succeed(Inserts, topology.inserts))
  )
)
