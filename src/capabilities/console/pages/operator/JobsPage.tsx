import { fill } from "../../../../texts/fill.ts"
import { Ask, Card, PageHead, Press, Rows, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Subject } from "../../../shared/pages/rows.tsx"
import { Table } from "../../../shared/pages/Table.tsx"
import type { DeadLetter, JobQueue } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"

interface JobsProps {
  readonly queues: ReadonlyArray<JobQueue>
  readonly letters: ReadonlyArray<DeadLetter>
}

/** Dead letters, and the queues. */
export const JobsPage = ({ queues, letters }: JobsProps) => {
  const { operator: texts } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.jobs} />
      <Card id="dead-letters" title={texts.deadLetters}>
        {letters.length === 0 ? null : <p class="help">{texts.deadLettersHelp}</p>}
        <Rows of={letters} empty={{ what: "deadLetters" }}>
          {(one) => {
            const path = `/v1/operator/dead-letters/${one.uid}`
            const ids = Object.entries(one.payload).map(([name, value]) => `${name} ${value}`)
            return (
              <li key={one.uid}>
                <Subject
                  below={[
                    [
                      fill(texts.attempts, { n: String(one.attempts), time: moment(language, zone, one.given_up_at) }),
                      ...ids
                    ].join(" · ")
                  ]}
                >
                  <strong>{one.queue}</strong>
                  <br />
                  {one.error}
                </Subject>
                <Press
                  operation={`POST ${path}/retry`}
                  text={texts.retry}
                  label={`${texts.retry}: ${one.queue} ${one.uid}`}
                  look="primary"
                />
                <Ask
                  operation={`DELETE ${path}`}
                  text={texts.discard}
                  label={`${texts.discard}: ${one.queue} ${one.uid}`}
                />
              </li>
            )
          }}
        </Rows>
      </Card>
      <div class="card">
        <h2 id="queues">{texts.queues}</h2>
        <Table
          labelledBy="queues"
          columns={[
            texts.queue,
            { number: texts.waitingNow },
            { number: texts.later },
            { number: texts.active },
            { number: texts.failed }
          ]}
        >
          {queues.map((one) => (
            <tr key={one.name}>
              <td>{one.name}</td>
              {[one.ready, one.deferred, one.active, one.failed].map((count, column) => (
                <td key={`${one.name} ${["ready", "deferred", "active", "failed"][column]}`} class="number">
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </>
  )
}
