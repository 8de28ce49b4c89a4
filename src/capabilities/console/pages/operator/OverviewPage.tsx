import { Card, PageHead, Rows, useDesk } from "../../../../pages/staff/Desk.tsx"
import { moment } from "../../../../pages/staff/format.ts"
import { Table } from "../../../../pages/staff/Table.tsx"
import type { InstallationStatus } from "../../../../schemas/operation/Installation.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { useTexts } from "../useTexts.ts"

interface OverviewProps {
  readonly status: InstallationStatus
  /** Work for an operator: its name, the number of items, and the link to it. */
  readonly todo: ReadonlyArray<{ readonly text: string; readonly count: number; readonly address: string }>
}

/** The health of the installation, and the work for an operator. */
export const OverviewPage = ({ status, todo }: OverviewProps) => {
  const { operator: texts } = useTexts()
  const { language, zone } = useDesk()
  const { master_key: key, versions } = status
  const waiting = todo.filter(({ count }) => count > 0)
  return (
    <>
      <PageHead title={texts.pages.overview}>
        <span class={status.ready ? "badge now" : "badge warn"}>{status.ready ? texts.ready : texts.notReady}</span>
      </PageHead>
      {status.reason === null ? null : <p class="notice warn">{status.reason}</p>}
      <div class="board">
        <Card id="todo" title={texts.todo}>
          <Rows of={waiting} empty={{ what: "todo" }}>
            {({ text, count, address }) => (
              <li key={text}>
                <a class="grow" href={address}>
                  {text}
                </a>
                <span class="figure">{count}</span>
              </li>
            )}
          </Rows>
        </Card>
        <Card id="versions" title={texts.versions}>
          <ul class="rows">
            <li>
              <span class="grow">Sprechstunde</span> {versions.service}
            </li>
            <li>
              <span class="grow">Bun</span> {versions.bun}
            </li>
            <li>
              <span class="grow">PostgreSQL</span> {versions.postgresql}
            </li>
          </ul>
        </Card>
        <Card id="master-key" title={texts.masterKey}>
          <p>
            <code>{key.key_id}</code>{" "}
            <span class={key.opens ? "badge" : "badge warn"}>{key.opens ? texts.opens : texts.opensNot}</span>
          </p>
          <ul>
            {key.sealed.map(({ key_id, data_keys }) => (
              <li key={key_id}>{fill(plural(language, texts.dataKeys, data_keys), { key: key_id })}</li>
            ))}
          </ul>
          {key.sealed.some(({ key_id }) => key_id !== key.key_id) ? <p class="notice warn">{texts.rotating}</p> : null}
        </Card>
      </div>
      <div class="card">
        <h2 id="replicas">{texts.replicas}</h2>
        <Table labelledBy="replicas" columns={[texts.host, texts.role, texts.version, texts.started, texts.seen]}>
          {status.replicas.map((one) => (
            <tr key={one.uid}>
              <td>{one.host}</td>
              <td>{one.role}</td>
              <td>{one.version}</td>
              <td>{moment(language, zone, one.started_at)}</td>
              <td>{moment(language, zone, one.seen_at)}</td>
            </tr>
          ))}
        </Table>
      </div>
    </>
  )
}
