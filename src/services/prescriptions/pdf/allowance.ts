/** What the PDFs of one request may cost together; what is left of it is counted down while they are examined. */
export interface Allowance {
  /** Compressed streams. */
  streams: number
  /** Bytes that streams unpack to. A scanned page in colour, at 600 dots an inch, is 100 MiB. */
  unpacked: number
  /** Dictionaries, of objects and of streams. A file of 10 MiB has some ten thousand. */
  dictionaries: number
  /** Bytes that signatures cover, each counted for itself. */
  covered: number
  /** Signers whose signatures are verified: some algorithms take 5 ms. */
  signers: number
}

const MIB = 1024 * 1024

export const wholeAllowance = (): Allowance => ({
  streams: 20_000,
  unpacked: 128 * MIB,
  dictionaries: 250_000,
  covered: 160 * MIB,
  signers: 64
})
