/** A certification authority of one's own, and a certificate that it signed, by OpenSSL. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Certificates {
  readonly cert: string
  readonly key: string
  /** The authority's certificate, and the file that has it. */
  readonly ca: string
  readonly caFile: string
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

/** A certificate for servers with these names; the files are in `folder`. */
export const makeCertificates = (folder: string, names: ReadonlyArray<string>): Certificates => {
  mkdirSync(folder, { recursive: true })
  const openssl = (line: string, ...more: ReadonlyArray<string>) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...line.split(" "), ...more], { cwd: folder })
    if (exitCode !== 0) throw new Error(`openssl ${line}: ${stderr}`)
  }
  writeFileSync(join(folder, "names.cnf"), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n`)
  openssl("req -x509 -keyout ca.key -out ca.pem -days 2", ...NEW_KEY, "-subj", "/CN=Test CA")
  openssl("req -keyout own.key -out own.csr", ...NEW_KEY, "-subj", `/CN=${names[0]}`)
  openssl("x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out own.pem -days 2 -extfile names.cnf")
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  return { cert: read("own.pem"), key: read("own.key"), ca: read("ca.pem"), caFile: join(folder, "ca.pem") }
}
