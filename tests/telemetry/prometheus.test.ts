import { expect, test } from "bun:test"
import { Effect, Metric } from "effect"
import { prometheusText } from "../../src/http/system/prometheus.ts"
import { httpDuration, httpRequests, jobLastCompleted } from "../../src/services/metrics.ts"

const record = Effect.gen(function* () {
  const request = httpRequests.pipe(Metric.tagged("route", '/a"b\\c\nd'), Metric.tagged("status", "200"))
  yield* Metric.incrementBy(request, 2)
  yield* Metric.update(httpDuration.pipe(Metric.tagged("route", "/prometheus-test")), 0.007)
  yield* Metric.update(httpDuration.pipe(Metric.tagged("route", "/prometheus-test")), 99)
  yield* Metric.set(jobLastCompleted.pipe(Metric.tagged("queue", "prometheus-test")), 4)
})

test("counters, gauges and histograms are written in Prometheus's format", async () => {
  await Effect.runPromise(record)
  const text = prometheusText()
  expect(text).toContain('sprechstunde_http_requests_total{route="/a\\"b\\\\c\\nd",status="200"} 2\n')
  expect(text).toContain('sprechstunde_job_last_completed_timestamp_seconds{queue="prometheus-test"} 4\n')
  const bucket = (le: string) =>
    `sprechstunde_http_request_duration_seconds_bucket{route="/prometheus-test",le="${le}"}`
  expect(text).toContain(`${bucket("0.005")} 0\n`)
  expect(text).toContain(`${bucket("0.01")} 1\n`)
  expect(text).toContain(`${bucket("10")} 1\n`)
  expect(text).toContain(`${bucket("+Inf")} 2\n`)
  expect(text).toContain('sprechstunde_http_request_duration_seconds_count{route="/prometheus-test"} 2\n')
})

test("promtool reports no problem", async () => {
  await Effect.runPromise(record)
  const promtool = Bun.spawn(["promtool", "check", "metrics"], {
    stdin: new Response(prometheusText()),
    stdout: "pipe",
    stderr: "pipe"
  })
  const output = (await new Response(promtool.stdout).text()) + (await new Response(promtool.stderr).text())
  expect({ said: output, status: await promtool.exited }).toEqual({ said: "", status: 0 })
})
