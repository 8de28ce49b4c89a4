/**
 * `script/production [restoring | scaling | upgrading]`: runs the commands of docs/installing.md, in their order and as written, on a machine of its
 * own: namespaces with fresh copies of /etc, /opt, /srv, /usr/local, /var and /run, no network but loopback, and an identity provider over TLS,
 * an object store, a mail server and a collector under the guide's names; then those of docs/restoring.md, of sections 2 and 3 of
 * docs/scaling.md, or of docs/operating.md about upgrades. Exits with 0 if an appointment was booked, each of the four was used, and the further guide did what it is for. Needs
 * root, and the guides' Debian packages. What is committed is installed. `--keep-logs FOLDER` keeps the processes' logs.
 */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ROOT } from "../../src/paths.ts"
import { makeCertificates } from "../../tests/support/certificates.ts"
import { further, textOf } from "./further.ts"
import { startStandIns } from "./standIns.ts"

const NAMES = [
  "sprechstunde.example.org",
  "id.example.org",
  "s3.example.org",
  "mail.example.org",
  "collector.example.org"
]
/** Folders that the guide writes to. */
const FRESH = ["/etc", "/opt", "/srv", "/usr/local", "/var"]
const LOGS = "/var/log/units"
const guideOf: Readonly<Record<string, string>> = { upgrading: "operating" }

const must = (command: ReadonlyArray<string>, options: { readonly cwd?: string } = {}) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([...command], options)
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}${stdout}`)
}

/** Runs this script again in namespaces of its own. All of its processes end with it. */
const outside = async (args: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "sprechstunde-production-"))
  const namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
  const inside = Bun.spawn(
    [...namespaces, process.execPath, "--no-install", import.meta.path, "--inside", folder, ...args],
    {
      stdio: ["ignore", "inherit", "inherit"],
      cwd: ROOT
    }
  )
  const status = await inside.exited
  must(["rm", "-rf", folder])
  return status
}

/** Fresh folders over those of this machine, with nothing of an earlier installation. */
const prepareMachine = (folder: string) => {
  must(["ip", "link", "set", "lo", "up"])
  must(["mount", "-t", "tmpfs", "tmpfs", folder])
  for (const [index, place] of FRESH.entries()) {
    const [upper, work] = [join(folder, `upper${index}`), join(folder, `work${index}`)]
    mkdirSync(upper, { mode: 0o755 })
    mkdirSync(work)
    must(["mount", "-t", "overlay", "overlay", "-o", `lowerdir=${place},upperdir=${upper},workdir=${work}`, place])
  }
  must(["mount", "-t", "tmpfs", "tmpfs", "/run"])
  must(["install", "--directory", "--owner=postgres", "--group=postgres", "--mode=2775", "/run/postgresql"])
  mkdirSync(LOGS, { recursive: true })
  // What Debian's package made when it was installed, made again
  if (existsSync("/etc/postgresql/15/main")) must(["pg_dropcluster", "15", "main"])
  must(["pg_createcluster", "15", "main"])
  // The guide's packages are installed already, and nothing can be fetched here
  writeFileSync("/etc/apt/apt.conf.d/99-no-network", 'APT::Get::Upgrade "false";\n')
  appendFileSync("/etc/hosts", `\n127.0.0.1 ${NAMES.join(" ")}\n`)
  copyFileSync(process.execPath, "/usr/local/bin/bun")
  chmodSync("/usr/local/bin/bun", 0o755)
  writeFileSync(
    "/usr/local/sbin/systemctl",
    `#!/bin/sh\nexec ${process.execPath} --no-install ${join(import.meta.dir, "systemctl.ts")} "$@"\n`,
    { mode: 0o755 }
  )
}

const inside = async ([folder = "", ...args]: ReadonlyArray<string>) => {
  const began = performance.now()
  prepareMachine(folder)
  const home = join(folder, "home")
  mkdirSync(home)
  const certificates = makeCertificates(home, NAMES)
  mkdirSync("/etc/ssl/private", { recursive: true })
  writeFileSync("/etc/ssl/private/sprechstunde.pem", certificates.cert + certificates.key, { mode: 0o600 })
  process.env.PATH = `/usr/local/sbin:/usr/local/bin:/usr/sbin:${process.env.PATH}`
  const standIns = await startStandIns({ certificates, folder: home })
  const cache = Bun.spawnSync([process.execPath, "pm", "cache"], { cwd: ROOT }).stdout.toString().trim()
  writeFileSync(
    join(home, ".gitconfig"),
    `[url "file://${ROOT}"]\n  insteadOf = https://git.example.org/sprechstunde.git\n[safe]\n  directory = *\n`
  )
  // The guide's `cd` leaves the folder of the first commands, where the certificate is
  const [name = ""] = args.filter((argument) => argument in further)
  const commands = [textOf("installing").replace(" ca.pem ", ` ${certificates.caFile} `), further[name] ?? ""].join(
    "\n"
  )
  const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", commands], {
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: home,
      LANG: "C.UTF-8",
      DEBIAN_FRONTEND: "noninteractive",
      CURL_CA_BUNDLE: certificates.caFile,
      BUN_INSTALL_CACHE_DIR: cache,
      S3_ACCESS_KEY_ID: standIns.s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: standIns.s3.secretAccessKey
    }
  })
  let said = ""
  for await (const chunk of shell.stdout) {
    const text = new TextDecoder().decode(chunk)
    said += text
    process.stdout.write(text)
  }
  const status = await shell.exited
  const faults: Array<string> = []
  if (status !== 0) faults.push(`the guide's commands end with ${status}`)
  else {
    if ((said.match(/\{"status":"ready"\}/g)?.length ?? 0) < 3) faults.push("not three processes are ready")
    if (!/"status": "confirmed"/.test(said)) faults.push("no appointment was confirmed")
    faults.push(...(await standIns.unused(said)))
  }
  const at = args.indexOf("--keep-logs")
  if (at >= 0) cpSync(LOGS, args[at + 1] ?? "", { recursive: true })
  if (faults.length > 0)
    for (const name of readdirSync(LOGS))
      console.error(`--- ${name}\n${readFileSync(join(LOGS, name), "utf8").slice(-3_000)}`)
  for (const fault of faults) console.error(`FAULT: ${fault}`)
  console.log(
    faults.length === 0
      ? `\nBooked on an empty machine by docs/installing.md${name === "" ? "" : `, and went on by docs/${guideOf[name] ?? name}.md,`} in ${Math.round((performance.now() - began) / 1_000)} s.`
      : "\nNot installed."
  )
  await standIns.stop()
  return faults.length === 0 ? 0 : 1
}

const [first, ...rest] = process.argv.slice(2)
process.exit(first === "--inside" ? await inside(rest) : await outside(process.argv.slice(2)))
