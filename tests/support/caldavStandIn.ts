/** A CalDAV server with one empty calendar that takes every entry; the address of its account. */
export const caldavStandIn = () => {
  const calendar = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/ada/calendar/</d:href><d:propstat>
    <d:prop><d:resourcetype><c:calendar/></d:resourcetype><d:displayname>Ada</d:displayname></d:prop></d:propstat></d:response></d:multistatus>`
  const server = Bun.serve({
    port: 0,
    fetch: ({ method }) => {
      if (method === "PROPFIND") return new Response(calendar, { status: 207 })
      if (method === "REPORT") return new Response(`<d:multistatus xmlns:d="DAV:"/>`, { status: 207 })
      return method === "GET" ? new Response(null, { status: 404 }) : new Response(null, { status: 201 })
    }
  })
  server.unref()
  return `http://127.0.0.1:${server.port}/ada/`
}
