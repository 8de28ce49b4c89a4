/** nginx as shipped in `deploy/nginx`, in front of replicas on this machine. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { type Running, run } from "./processes.ts"

export interface Nginx extends Running {
  readonly url: string
  /** Marks the replica with this index as down, or none, and returns when all old workers have exited. */
  readonly exchange: (out?: number) => Promise<void>
}

/** `folder` is for its configuration, logs and temporary files. */
export const startNginx = async (
  folder: string,
  port: number,
  replicas: ReadonlyArray<{ readonly port: number }>
): Promise<Nginx> => {
  const [, options = ""] =
    /^ *server \S+ resolve (.*);$/m.exec(readFileSync("deploy/nginx/replicas.conf", "utf8")) ?? []
  const write = (out?: number) => {
    const servers = replicas.map(
      ({ port: each }, index) => `server 127.0.0.1:${each} ${options}${index === out ? " down" : ""};`
    )
    writeFileSync(
      join(folder, "replicas.conf"),
      `upstream sprechstunde {\n  zone sprechstunde 64k;\n  ${servers.join("\n  ")}\n  keepalive 64;\n}\n`
    )
  }
  write()
  const server = readFileSync("deploy/nginx/server.conf", "utf8")
    .replace("/var/log/nginx/access.log", `${folder}/access.log`)
    .replace("listen 8080", `listen 127.0.0.1:${port}`)
  writeFileSync(join(folder, "server.conf"), server)
  const here = readFileSync("deploy/nginx/nginx.conf", "utf8").replaceAll("/tmp/", `${folder}/`)
  const user = process.getuid?.() === 0 ? "user root;\n" : "" // the folder belongs to this user alone
  writeFileSync(join(folder, "nginx.conf"), user + here)
  const nginx = run(["nginx", "-c", join(folder, "nginx.conf"), "-g", "daemon off;"], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` }
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status ?? nginx.said(),
    (status) => status === 200
  )
  const workers = async () => {
    const requested = run(["pgrep", "-P", String(nginx.pid)])
    await requested.ended
    return requested.said().trim()
  }
  const exchange = async (out?: number) => {
    write(out)
    const before = await workers()
    process.kill(nginx.pid, "SIGHUP")
    await eventually(workers, (now) => now !== "" && !before.split("\n").some((pid) => now.split("\n").includes(pid)))
  }
  return { ...nginx, url, exchange }
}
