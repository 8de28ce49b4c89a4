/** Large bodies that are in memory at once. Rule 2.8.3. */
import { expect, test } from "bun:test"
import { Effect, Exit } from "effect"
import { MIB } from "../../src/http/bodyLimits.ts"
import { makeLargeBodies } from "../../src/http/largeBodies.ts"
import { onlyOwner } from "../../src/services/Tenancy.ts"

test("have so much room together, and less for one owner; small ones are not counted, and what is given back is free", async () => {
  const { take } = makeLargeBodies({ all: 5 * MIB, own: 3 * MIB })
  const of = (organisation_uid: string, size: number) =>
    Effect.runSyncExit(onlyOwner({ organisation_uid })(take(size * MIB)))
  const first = of("one", 3)
  expect(Exit.isSuccess(first)).toBeTrue()
  expect(Exit.isSuccess(of("one", 2))).toBeFalse()
  expect(Exit.isSuccess(of("one", 1))).toBeTrue()
  expect(Exit.isSuccess(of("other", 2))).toBeTrue()
  expect(Exit.isSuccess(of("third", 2))).toBeFalse()
  Effect.runSync(Exit.isSuccess(first) ? first.value : Effect.void)
  expect(Exit.isSuccess(of("third", 3))).toBeTrue()
})
