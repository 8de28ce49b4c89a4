/** The part of S3 that a PUT needs, with a callback at every step. */
export class BucketStandIn {
  readonly objects = new Map<string, number>()
  /** Called with the operation when an object has arrived, and when it is stored but not yet acknowledged. */
  passing: (operation: string, moment: "asked" | "done") => Promise<void> = async () => {}
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: (request) => this.#answer(request)
  })

  /** Environment of a process that keeps its files here. */
  get environment() {
    return {
      FILE_STORE: "s3://prescriptions",
      S3_ENDPOINT: this.#server.url.origin,
      S3_ACCESS_KEY_ID: "x",
      S3_SECRET_ACCESS_KEY: "x"
    }
  }

  stop() {
    return this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (request.method === "PUT") {
      const { byteLength } = await request.arrayBuffer()
      await this.passing("put", "asked")
      this.objects.set(pathname, byteLength)
      await this.passing("put", "done")
      return new Response("", { headers: { etag: '"x"' } })
    }
    const size = this.objects.get(pathname)
    return size === undefined
      ? new Response("", { status: 404 })
      : new Response("", { headers: { "content-length": String(size), etag: '"x"' } })
  }
}
