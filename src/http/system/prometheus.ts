/** Renders the `Metric` registry in Prometheus' text format (version 0.0.4). */
import { Metric, type MetricKey, type MetricPair, MetricState, Option } from "effect"

type Pair = MetricPair.MetricPair.Untyped
type Labels = ReadonlyArray<readonly [string, string]>

const escapeLabel = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')
const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const sample = (name: string, labels: Labels, value: number | bigint) => {
  const inside = labels.map(([key, text]) => `${key}="${escapeLabel(text)}"`).join(",")
  return inside === "" ? `${name} ${value}` : `${name}{${inside}} ${value}`
}

const labelsOf = (key: MetricKey.MetricKey.Untyped): Labels => key.tags.map((tag) => [tag.key, tag.value] as const)

const samplesOf = ({ metricKey, metricState }: Pair): ReadonlyArray<string> => {
  const { name } = metricKey
  const labels = labelsOf(metricKey)
  if (MetricState.isCounterState(metricState)) return [sample(name, labels, metricState.count)]
  if (MetricState.isGaugeState(metricState)) return [sample(name, labels, metricState.value)]
  if (!MetricState.isHistogramState(metricState)) return []
  const buckets = metricState.buckets.filter(([limit]) => Number.isFinite(limit))
  return [
    ...buckets.map(([limit, count]) => sample(`${name}_bucket`, [...labels, ["le", String(limit)]], count)),
    sample(`${name}_bucket`, [...labels, ["le", "+Inf"]], metricState.count),
    sample(`${name}_sum`, labels, metricState.sum),
    sample(`${name}_count`, labels, metricState.count)
  ]
}

const typeOf = ({ metricState }: Pair) => {
  if (MetricState.isCounterState(metricState)) return "counter"
  if (MetricState.isGaugeState(metricState)) return "gauge"
  return MetricState.isHistogramState(metricState) ? "histogram" : undefined
}

/** The service's own metrics by family, without those of the runtime. */
export const prometheusText = (): string => {
  const families = Map.groupBy(
    Metric.unsafeSnapshot().filter((pair) => pair.metricKey.name.startsWith("sprechstunde_") && typeOf(pair)),
    ({ metricKey }) => metricKey.name
  )
  const lines = [...families].flatMap(([name, pairs]) => {
    const [first] = pairs
    if (first === undefined) return []
    const help = Option.getOrElse(first.metricKey.description, () => name)
    return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${typeOf(first)}`, ...pairs.flatMap(samplesOf)]
  })
  return `${lines.join("\n")}\n`
}
