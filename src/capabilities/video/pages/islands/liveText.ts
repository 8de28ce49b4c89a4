/**
 * Real-time text (T.140 over a data channel, RFC 8865): every edit is sent at once, as backspaces and characters. Nothing is kept after the
 * call.
 */
const BACKSPACE = "\b"
/** Characters of one side's text; what is before is dropped. */
const LENGTH_MAX = 20_000
/** Characters of one message, far below what a data channel carries. */
const MESSAGE_MAX = 4_000

/** The channel, which both sides open: an offer then includes it. */
export const CHANNEL = {
  label: "real-time-text",
  options: { ordered: true, protocol: "t140", negotiated: true, id: 1 }
}

/** What turns one text into the other, in messages. A character is a code point. */
export const editsBetween = (before: string, now: string): ReadonlyArray<string> => {
  const [old, text] = [[...before], [...now]]
  let same = 0
  while (same < old.length && same < text.length && old[same] === text[same]) same++
  const edits = [...Array<string>(old.length - same).fill(BACKSPACE), ...text.slice(same)]
  return Array.from({ length: Math.ceil(edits.length / MESSAGE_MAX) }, (_, at) =>
    edits.slice(at * MESSAGE_MAX, (at + 1) * MESSAGE_MAX).join("")
  )
}

/** The text after a message. Line ends are U+2028, CR LF or LF; a byte order mark is none. */
export const edited = (before: string, message: string) => {
  const text = [...before]
  for (const character of message.replaceAll(/\r\n|\r|\u2028/g, "\n").replaceAll("\uFEFF", ""))
    if (character === BACKSPACE) text.pop()
    else if (character === "\n" || character >= " ") text.push(character)
  return text.slice(-LENGTH_MAX).join("")
}

/** The part that ends with the last whole word: screen readers read words, not letters. */
export const wholeWords = (text: string) => /^.*[\s.,;:!?…،؛؟]/su.exec(text)?.[0] ?? ""
