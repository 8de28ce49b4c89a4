/** Forms that a passkey fills in: signing in with one, and making one. Binary values are base64url. */

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
const textOf = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const wholeOf = ({ id, rawId, type }: PublicKeyCredential, response: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ id, rawId: textOf(rawId), type, clientExtensionResults: {}, response })

/** The browser's answer, as the service reads it; undefined if the person has cancelled. */
const askBrowser = async (kind: string | undefined, options: PublicKeyCredentialCreationOptionsJSON) => {
  const challenge = bytesOf(options.challenge)
  const idsOf = (list: ReadonlyArray<{ readonly id: string }> = []) =>
    list.map(({ id }) => ({ id: bytesOf(id), type: "public-key" as const }))
  if (kind === "create") {
    const user = { ...options.user, id: bytesOf(options.user.id) }
    const publicKey = { ...options, challenge, user, excludeCredentials: idsOf(options.excludeCredentials) }
    const made = await navigator.credentials.create({ publicKey: publicKey as never })
    if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse)) return
    const { clientDataJSON, attestationObject } = made.response
    const transports = made.response.getTransports()
    return wholeOf(made, {
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textOf(attestationObject),
      transports
    })
  }
  const used = await navigator.credentials.get({ publicKey: { ...options, challenge, allowCredentials: [] } as never })
  if (!(used instanceof PublicKeyCredential) || !(used.response instanceof AuthenticatorAssertionResponse)) return
  const { clientDataJSON, authenticatorData, signature } = used.response
  return wholeOf(used, {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature)
  })
}

export const fillByPasskey = () => {
  if (!("PublicKeyCredential" in window)) return
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    const field = form.elements.namedItem("credential")
    if (!(field instanceof HTMLInputElement)) continue
    form.hidden = false
    form.addEventListener("submit", (event) => {
      if (field.value !== "") return
      event.preventDefault()
      askBrowser(form.dataset.passkey, JSON.parse(form.dataset.options ?? "{}")).then(
        (answer) => {
          if (answer === undefined) return
          field.value = answer
          form.submit()
        },
        // cancelled, or there is none: the other way stays
        () => undefined
      )
    })
  }
}
