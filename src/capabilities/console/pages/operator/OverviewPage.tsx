import { fill, plural } from "../../../../texts/fill.ts"
import { Card, PageHead, Rows, useDesk } from "../../../shared/pages/Desk.tsx"
import { bytes, moment } from "../../../shared/pages/format.ts"
import { Table } from "../../../shared/pages/Table.tsx"
import type { InstallationStatus } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"

interface OverviewProps {
  readonly status: InstallationStatus
  /** Work for an operator: its name, the number of items, and the link to it. */
  readonly todo: ReadonlyArray<{ readonly text: string; readonly count: number; readonly address: string }>
}

/** Names with their values. */
export const Facts = ({ of }: { readonly of: ReadonlyArray<readonly [name: string, value: string | number]> }) => (
  <ul class="rows pairs">
    {of.map(([name, value]) => (
      <li key={name}>
        <span class="grow">{name}</span> {value}
      </li>
    ))}
  </ul>
)

/** Below this part of the disk a warning is shown. */
const LOW = 0.1

const Mails = ({ mails }: Pick<InstallationStatus, "mails">) => {
  const { mails: texts } = useTexts().operator
  const { language, zone } = useDesk()
  const { sent_by, waiting, failed, last_sent_at: last } = mails
  return (
    <Card id="mails" title={texts.title}>
      <p class={sent_by === "nothing" ? "notice warn" : "help"}>{texts.sentBy[sent_by]}</p>
      <Facts
        of={[
          [texts.waiting, waiting],
          [texts.failed, failed],
          [texts.last, last === null ? "–" : moment(language, zone, last)]
        ]}
      />
    </Card>
  )
}

const Disk = ({ disk: { database_bytes, files } }: Pick<InstallationStatus, "disk">) => {
  const { disk: texts } = useTexts().operator
  const { language } = useDesk()
  const size = (count: number) => bytes(language, count)
  return (
    <Card id="disk" title={texts.title}>
      {files !== null && files.free_bytes < LOW * files.total_bytes ? <p class="notice warn">{texts.low}</p> : null}
      <Facts
        of={[
          [texts.database, size(database_bytes)],
          ...(files === null
            ? []
            : [
                [
                  texts.free,
                  fill(texts.freeOf, { free: size(files.free_bytes), total: size(files.total_bytes) })
                ] as const
              ])
        ]}
      />
      {files === null ? <p class="help">{texts.bucket}</p> : null}
    </Card>
  )
}

const Backup = ({ backup: { kept_by, working, last_at } }: Pick<InstallationStatus, "backup">) => {
  const { backup: texts } = useTexts().operator
  const { language, zone } = useDesk()
  return (
    <Card id="backup" title={texts.title}>
      <p class={kept_by === "nothing" ? "notice warn" : undefined}>
        {texts[kept_by]}{" "}
        {kept_by === "nothing" ? null : (
          <span class={working ? "badge now" : "badge warn"}>{working ? texts.working : texts.broken}</span>
        )}
      </p>
      {last_at === null ? null : <p class="help">{fill(texts.last, { time: moment(language, zone, last_at) })}</p>}
    </Card>
  )
}

const Errors = ({ errors: { failed, answered, since } }: Pick<InstallationStatus, "errors">) => {
  const { errors: texts } = useTexts().operator
  const { language, zone } = useDesk()
  const values = { time: moment(language, zone, since), n: String(answered), failed: String(failed) }
  return (
    <Card id="errors" title={texts.title}>
      <p class={failed === 0 ? undefined : "notice warn"}>{fill(failed === 0 ? texts.none : texts.some, values)}</p>
    </Card>
  )
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
        <Mails mails={status.mails} />
        <Errors errors={status.errors} />
        <Backup backup={status.backup} />
        <Disk disk={status.disk} />
        <Card id="versions" title={texts.versions}>
          <Facts
            of={[
              ["Sprechstunde", versions.service],
              ["Bun", versions.bun],
              ["PostgreSQL", versions.postgresql]
            ]}
          />
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
