import { Effect } from "effect"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { DEAD_LETTERS } from "../../src/services/queue/queues.ts"
import type { TestServer } from "./server.ts"
import { random } from "./world.ts"

/** A job about this prescription that has failed for the last time; gives the uid of its dead letter. */
export const giveUpJob = (server: TestServer, prescription_uid: string) =>
  server.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(async () => {
        const data = { data: { organisation_uid: random("org"), prescription_uid } }
        // for later, so that no worker takes it before it is failed here
        await boss.insert("prescription.forget", [{ data, retryLimit: 0, startAfter: 3_600 }])
        const [job] = await boss.findJobs<object>("prescription.forget", { data })
        await boss.fail("prescription.forget", job?.id ?? "", { message: "the file store is away\nat code" })
        const [letter] = await boss.findJobs<object>(DEAD_LETTERS, { data })
        return letter?.id ?? ""
      })
    )
  )
