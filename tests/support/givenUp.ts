import { Effect } from "effect"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { DEAD_LETTERS } from "../../src/services/queue/queues.ts"
import type { TestServer } from "./server.ts"
import { random } from "./world.ts"

/** Fails a job for the last time; returns the uid of its dead letter. */
export const giveUp = (server: TestServer, queue: string, payload: object) =>
  server.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(async () => {
        const data = { data: payload }
        // deferred, so that no worker takes it before it is failed here
        await boss.insert(queue, [{ data, retryLimit: 0, startAfter: 3_600 }])
        const [job] = await boss.findJobs<object>(queue, { data })
        await boss.fail(queue, job?.id ?? "", { message: "the file store is away\nat code" })
        const [letter] = await boss.findJobs<object>(DEAD_LETTERS, { data })
        return letter?.id ?? ""
      })
    )
  )

/** The same for a job about this prescription. */
export const giveUpJob = (server: TestServer, prescription_uid: string) =>
  giveUp(server, "prescription.forget", { organisation_uid: random("org"), prescription_uid })
