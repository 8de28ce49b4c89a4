/** Scheme, host and port; `webcal` is https. */
const originOf = (address: string) => {
  const url = URL.parse(address.replace(/^webcal:/i, "https:"))
  return url === null ? address : `${url.protocol}//${url.host}`
}

/**
 * The credentials of a record after a change of its address: those that were sent, and the stored ones as long as the address is of the same
 * origin. They were entered for one server, and nobody but who knows them may send them to another.
 */
export const credentialsAfter = <Secrets extends Readonly<Record<string, string | null>>>(
  before: { readonly url: string; readonly credentials: Secrets },
  sent: { readonly url?: string | undefined } & { readonly [Name in keyof Secrets]?: Secrets[Name] | undefined }
): Secrets => {
  const keeps = sent.url === undefined || originOf(sent.url) === originOf(before.url)
  const after = Object.entries(before.credentials).map(([name, stored]) => {
    const given = sent[name]
    return [name, given === undefined ? (keeps ? stored : null) : given]
  })
  return Object.fromEntries(after) as Secrets // of the same names
}
