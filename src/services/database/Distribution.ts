/**
 * Whether the tables are distributed over a cluster (`cli distribute`). Some changes that are one statement on a single node are two
 * there, in the same transaction: Citus does not support an INSERT and another change in one statement.
 */
import { Context } from "effect"

export class Distribution extends Context.Reference<Distribution>()("services/Distribution", {
  defaultValue: () => ({ isCluster: false })
}) {}
