/**
 * Whether the tables are spread over a cluster (`cli distribute`). A few changes that one node takes as one statement are two there, in
 * the same transaction: Citus takes no INSERT beside another change.
 */
import { Context } from "effect"

export class Distribution extends Context.Reference<Distribution>()("services/Distribution", {
  defaultValue: () => ({ isCluster: false })
}) {}
