import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { arrived, eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { startServer } from "../support/server.ts"

const configuration = (target: string) => `
scrape_configs:
  - job_name: sprechstunde
    scrape_interval: 1s
    static_configs: [{ targets: ["${target}"] }]
`

test("a running Prometheus scrapes the service and answers queries from it", async () => {
  const service = await startServer()
  const folder = temporaryFolder()
  const config = join(folder.path, "prometheus.yml")
  writeFileSync(config, configuration(new URL(service.url).host))
  const address = `127.0.0.1:${freePort()}`
  const prometheus = run([
    "prometheus",
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder.path, "data")}`,
    `--web.listen-address=${address}`
  ])
  const queryPrometheus = async (query: string): Promise<ReadonlyArray<{ value: [number, string] }>> => {
    const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`).catch(
      () => undefined
    )
    return response?.ok ? (await response.json()).data.result : []
  }
  await service.api("GET", "/v1/scheduling/appointment-types?shop_uid=nobody")
  const up = await eventually(
    () => queryPrometheus("up"),
    ([first]) => first?.value[1] === "1"
  )
  const counted = await arrived(() =>
    queryPrometheus('sprechstunde_http_requests_total{route="/v1/scheduling/appointment-types",status="404"}')
  )
  await prometheus.stop()
  await service.stop()
  folder.remove()
  expect(up).toHaveLength(1)
  expect(counted[0]?.value[1]).toBe("1")
})
