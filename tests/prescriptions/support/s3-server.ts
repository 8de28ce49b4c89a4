/** Started by s3.ts: serves the folder given as argument and prints its port. */
import S3rver from "s3rver"

const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory: process.argv[2] ?? "",
  vhostBuckets: false,
  configureBuckets: [{ name: "prescriptions", configs: [] }]
})
const { port } = await server.run()
process.stdout.write(`${port}\n`)
