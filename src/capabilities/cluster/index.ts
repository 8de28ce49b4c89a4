/** Distribution of the database over the nodes of a Citus cluster, by organisation: docs/scaling.md. */
import { Console, Effect, Layer, Schema } from "effect"
import { capability } from "../../capability.ts"
import { addedCommand } from "../../declarations.ts"
import { OrganisationUid } from "../../schemas/ids.ts"
import { distribute } from "./layers/distribute.ts"
import { isolate, move, type placeOf, rebalance } from "./layers/placement.ts"
import { separateInserts } from "./layers/separateInserts.ts"

const placed = ({ shard, node, others }: Effect.Effect.Success<ReturnType<typeof placeOf>>) =>
  `Shard ${shard} on ${node}, ${others === 0 ? "its own" : `with ${others} others`}.`

export const clusterCapability = capability({
  name: "cluster",
  services: Layer.empty,
  topology: {
    isFound: "SELECT to_regprocedure('cluster_tenancy(text, text, text, text)') IS NOT NULL AS is",
    isSingle: false,
    // Citus propagates SET LOCAL, which the function runs, to the nodes only in a transaction block, and does not propagate SET LOCAL ROLE
    tenancy: (organisation) =>
      `SELECT cluster_tenancy($1, ${organisation}, $3, $4), set_config('plan_cache_mode', $5, true)`,
    // A change is on a worker's node and its job on the coordinator: a table that Citus manages makes both commit in two phases
    afterJob: "UPDATE cluster_commit SET phases = 2 WHERE false",
    inserts: separateInserts
  },
  commands: [
    addedCommand({
      name: "distribute",
      description:
        "Distribute the database over a Citus cluster, by organisation; run on its coordinator, after migrate, with no service running",
      run: () => Effect.as(distribute, "Every table has its place on the cluster.")
    }),
    addedCommand({
      name: "rebalance",
      description:
        "On a cluster: give every node its share of the shards, a new one too; the service may run; as a superuser",
      run: () =>
        Effect.map(rebalance(Console.error), (shares) =>
          shares.map(({ node, shards }) => `${node}  ${shards} shards of each table`).join("\n")
        )
    }),
    addedCommand({
      group: "organisations",
      name: "isolate",
      description:
        "On a cluster: give an organisation a shard of its own; it and those that share its shard wait with what they write meanwhile",
      args: { ORGANISATION_UID: OrganisationUid },
      run: ({ ORGANISATION_UID }) => Effect.map(isolate(ORGANISATION_UID, Console.error), placed)
    }),
    addedCommand({
      group: "organisations",
      name: "move",
      description: "On a cluster: move an organisation, and all others in its shard, to a node; the service may run",
      args: { ORGANISATION_UID: OrganisationUid },
      options: {
        to: {
          description: "The worker node, as host:port",
          schema: Schema.TemplateLiteralParser(Schema.String, ":", Schema.NumberFromString)
        }
      },
      run: ({ ORGANISATION_UID, to: [host, , port] }) =>
        Effect.map(move(ORGANISATION_UID, { host, port }, Console.error), placed)
    })
  ]
})
