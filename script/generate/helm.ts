/** Generates `deploy/helm`, the chart, from the manifests of `deploy/kubernetes`, so that both are the same installation. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "../..")
const CHART = join(ROOT, "deploy/helm")
const read = (file: string) => readFileSync(join(ROOT, file), "utf8")

/** A template: what in the manifest is replaced by which expression. Fails for a text that the manifest does not have. */
const template = (file: string, ...changes: ReadonlyArray<readonly [text: string | RegExp, expression: string]>) => {
  const everywhere = [
    [/namespace: sprechstunde$/gm, "namespace: {{ .Release.Namespace }}"],
    [/image: sprechstunde:\S+/g, 'image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"'],
    [/name: sprechstunde-authorities/g, "name: {{ .Values.authoritiesConfigMap }}"],
    [/secretRef: \{ name: sprechstunde \}/g, "secretRef: { name: {{ .Values.secrets.shared }} }"],
    ...["owner", "app", "http", "jobs"].flatMap(
      (login) =>
        [
          [
            new RegExp(`secretRef: \\{ name: sprechstunde-${login} \\}`, "g"),
            `secretRef: { name: {{ .Values.secrets.${login} }} }`
          ],
          [
            new RegExp(`secretKeyRef: \\{ name: sprechstunde-${login},`, "g"),
            `secretKeyRef: { name: {{ .Values.secrets.${login} }},`
          ]
        ] as const
    )
  ] as const
  let text = read(file)
  for (const [from, to] of changes) {
    if (typeof from === "string" ? !text.includes(from) : !from.test(text)) throw new Error(`${file} lacks ${from}`)
    text = text.replace(from, to)
  }
  return everywhere.reduce((changed, [from, to]) => changed.replace(from, to), text)
}
const where = (condition: string, text: string) => `{{- if .Values.${condition} }}\n${text.trimEnd()}\n{{- end }}\n`

/** Before everything else: the settings, then the migration with the logins. */
const hook = (weight: number) =>
  `  annotations:\n    "helm.sh/hook": pre-install,pre-upgrade\n    "helm.sh/hook-weight": "${weight}"\n    "helm.sh/hook-delete-policy": before-hook-creation\n`

/** The files of the chart by name. */
export const chartFiles = (): Readonly<Record<string, string>> => {
  const { version } = JSON.parse(read("package.json"))
  const config = read("deploy/kubernetes/config.yaml")
  const [, data = ""] = config.split(/^data:\n/m)
  return {
    "Chart.yaml": `apiVersion: v2\nname: sprechstunde\ndescription: An open telemedicine back end\ntype: application\nversion: ${version}\nappVersion: "${version}"\n`,
    "values.yaml": `# Made by \`bun script/generate/helm.ts\`. docs/installing-kubernetes.md says which secrets there have to be.
image:
  # Your registry: there is no public image
  repository: sprechstunde
  tag: "${version}"
http:
  # Pods that answer requests, and how many there may be under load
  replicas: 3
  maxReplicas: 20
worker:
  # Pods that run jobs
  replicas: 2
ingress:
  enabled: true
  host: sprechstunde.example
  tlsSecret: sprechstunde-tls
# Network policies; edit their namespaces first (deploy/kubernetes/policies.yaml)
policies:
  enabled: false
# PostgreSQL by the operator CloudNativePG, in its own namespace; false: a database of yours, named in the secrets
cloudnativepg:
  enabled: false
# Names of secrets that you have created; the chart contains none
secrets:
  shared: sprechstunde
  owner: sprechstunde-owner
  app: sprechstunde-app
  http: sprechstunde-http
  jobs: sprechstunde-jobs
# ConfigMap with certification authorities of your own, if there is one
authoritiesConfigMap: sprechstunde-authorities
# Settings that are not secret (docs/settings.md)
config:
${data}`,
    "templates/config.yaml": template(
      "deploy/kubernetes/config.yaml",
      ["  name: sprechstunde\n", `  name: sprechstunde\n${hook(-10)}`],
      [/^data:\n[\s\S]*/m, "data:\n{{ toYaml .Values.config | indent 2 }}\n"]
    ),
    "templates/migrate.yaml": template("deploy/kubernetes/jobs/migrate.yaml", [
      "  generateName: sprechstunde-migrate-\n",
      `  name: sprechstunde-migrate-{{ .Release.Revision }}\n${hook(0)}`
    ]),
    "templates/http.yaml": template(
      "deploy/kubernetes/http.yaml",
      ["  replicas: 3", "  replicas: {{ .Values.http.replicas }}"],
      ["minReplicas: 3", "minReplicas: {{ .Values.http.replicas }}"],
      ["maxReplicas: 20", "maxReplicas: {{ .Values.http.maxReplicas }}"]
    ),
    "templates/worker.yaml": template("deploy/kubernetes/worker.yaml", [
      "  replicas: 2",
      "  replicas: {{ .Values.worker.replicas }}"
    ]),
    "templates/ingress.yaml": where(
      "ingress.enabled",
      template(
        "deploy/kubernetes/network.yaml",
        ["host: sprechstunde.example", "host: {{ .Values.ingress.host }}"],
        ["hosts: [sprechstunde.example]", "hosts: [{{ .Values.ingress.host }}]"],
        ["secretName: sprechstunde-tls", "secretName: {{ .Values.ingress.tlsSecret }}"]
      )
    ),
    "templates/policies.yaml": where("policies.enabled", template("deploy/kubernetes/policies.yaml")),
    "templates/cloudnativepg.yaml": where("cloudnativepg.enabled", read("deploy/cloudnativepg/cluster.yaml"))
  }
}

if (import.meta.main) {
  rmSync(CHART, { recursive: true, force: true })
  mkdirSync(join(CHART, "templates"), { recursive: true })
  for (const [file, text] of Object.entries(chartFiles())) writeFileSync(join(CHART, file), text)
}
