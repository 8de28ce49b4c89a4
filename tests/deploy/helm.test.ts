/** The Helm chart: its templates rendered with its values are the manifests of deploy/kubernetes. The expressions that it uses are few. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { chartFiles } from "../../script/generate/helm.ts"

type Values = Record<string, unknown>
const parsed = (text: string) => Bun.YAML.parse(text) as Values
const documents = (text: string) => [Bun.YAML.parse(text)].flat() as ReadonlyArray<Values>
const inRepository = (file: string) => readFileSync(`deploy/helm/${file}`, "utf8")

const valueAt = (values: Values, path: string) =>
  path.split(".").reduce<unknown>((found, name) => (found as Values | undefined)?.[name], values)

/** What `helm template` makes of a template of this chart: values, `if … end` around a whole file, and `toYaml … | indent`. */
const rendered = (file: string, values: Values) => {
  const all = { Values: values, Release: { Namespace: "sprechstunde", Revision: 1 } }
  const text = inRepository(file)
  const [, condition, inner] = /^\{\{- if \.([\w.]+) \}\}\n([\s\S]*)\{\{- end \}\}\n$/.exec(text) ?? []
  if (condition !== undefined && valueAt(all, condition) !== true) return ""
  const result = (inner ?? text)
    .replace(/\{\{ toYaml \.([\w.]+) \| indent 2 \}\}/g, (_, path: string) =>
      Object.entries(valueAt(all, path) as Values)
        .map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`)
        .join("\n")
    )
    .replace(/\{\{ \.([\w.]+) \}\}/g, (_, path: string) => {
      const value = valueAt(all, path)
      expect([file, path, value === undefined]).toEqual([file, path, false])
      return String(value)
    })
  expect([file, /\{\{|\}\}/.exec(result)?.[0]]).toEqual([file, undefined])
  return result
}

test("the chart is what `bun script/generate/helm.ts` makes", () => {
  for (const [file, text] of Object.entries(chartFiles())) expect([file, inRepository(file)]).toEqual([file, text])
})

test("with its values it is the installation of deploy/kubernetes", () => {
  const values = parsed(inRepository("values.yaml"))
  const same = { http: "http", worker: "worker", ingress: "network" }
  for (const [template, manifest] of Object.entries(same))
    expect(documents(rendered(`templates/${template}.yaml`, values))).toEqual(
      documents(readFileSync(`deploy/kubernetes/${manifest}.yaml`, "utf8"))
    )
  const [config] = documents(rendered("templates/config.yaml", values))
  const [manifest] = documents(readFileSync("deploy/kubernetes/config.yaml", "utf8"))
  expect(config?.data).toEqual(manifest?.data)
  const [job] = documents(rendered("templates/migrate.yaml", values))
  expect(job).toMatchObject({
    kind: "Job",
    metadata: { name: "sprechstunde-migrate-1", annotations: { "helm.sh/hook": "pre-install,pre-upgrade" } }
  })
})

test("values choose replicas, image, secrets, ingress, policies and the database", () => {
  const values: Values = {
    ...parsed(inRepository("values.yaml")),
    http: { replicas: 5, maxReplicas: 9 },
    image: { repository: "registry.example/s", tag: "0.2.0" },
    ingress: { enabled: false },
    policies: { enabled: true },
    cloudnativepg: { enabled: true }
  }
  const http = JSON.stringify(documents(rendered("templates/http.yaml", values)))
  expect(http).toContain('"replicas":5')
  expect(http).toContain("registry.example/s:0.2.0")
  expect(rendered("templates/ingress.yaml", values)).toBe("")
  expect(rendered("templates/policies.yaml", values)).toContain("kind: NetworkPolicy")
  expect(rendered("templates/cloudnativepg.yaml", values)).toContain("kind: Cluster")
})
