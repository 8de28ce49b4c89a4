import { createHash } from "node:crypto"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from "graphql"

/**
 * Shopify's own schemas. The Storefront API's comes with a development dependency; the Admin API's ships inside a package
 * that is otherwise not needed, so its tarball is fetched once and the file extracted.
 */
const CACHE = resolve(import.meta.dir, "../../../.tools/shopify")
const ADMIN = `${CACHE}/admin_2026-10.json.gz`
const ADMIN_SHA256 = "f3b522f264556925eada700e795e4a002a9cba83444ebcc6c0d724254a0c6593"

const run = (command: Array<string>, cwd: string) => {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: "ignore", stderr: "pipe" })
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`)
}

const fetchAdmin = () => {
  const folder = `${CACHE}/${process.pid}`
  mkdirSync(folder, { recursive: true })
  const npm = Bun.which("npm") ? ["npm"] : [process.execPath, "x", "npm"]
  run([...npm, "pack", "--silent", "@shopify/dev-mcp@1.16.0"], folder)
  run(["tar", "xzf", "shopify-dev-mcp-1.16.0.tgz", "package/dist/data/admin_2026-10.json.gz"], folder)
  renameSync(`${folder}/package/dist/data/admin_2026-10.json.gz`, ADMIN)
}

type Introspection = { readonly data?: IntrospectionQuery } & Partial<IntrospectionQuery>

/** Less strict than the library: Shopify deprecates fields only in implementations, and `@defer` needs another executor. */
const schemaOf = (introspection: Introspection): GraphQLSchema => {
  const { __schema } = introspection.data ?? (introspection as IntrospectionQuery)
  const directives = __schema.directives.filter(({ name }) => name !== "defer")
  return buildClientSchema({ __schema: { ...__schema, directives } }, { assumeValid: true })
}

/** Built once for all tests of a process: each takes a second. */
const once = (build: () => Promise<GraphQLSchema>) => {
  let built: Promise<GraphQLSchema> | undefined
  return () => {
    built ??= build()
    return built
  }
}

export const adminSchema = once(async () => {
  if (!existsSync(ADMIN)) fetchAdmin()
  const packed = await Bun.file(ADMIN).bytes()
  const sha256 = createHash("sha256").update(packed).digest("hex")
  if (sha256 !== ADMIN_SHA256) throw new Error(`${ADMIN} is not the schema that these tests were written against`)
  return schemaOf(JSON.parse(gunzipSync(packed).toString()))
})

export const storefrontSchema = once(async () =>
  schemaOf(await Bun.file(Bun.resolveSync("@shopify/hydrogen-react/storefront.schema.json", import.meta.dir)).json())
)
