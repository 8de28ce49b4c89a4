/** Limits on examining all PDFs of one request together; decremented during the examination. */
export interface Allowance {
  /** Compressed streams. */
  streams: number
  /** Bytes after decompression. A scanned page in colour, at 600 dots per inch, is 100 MiB. */
  unpacked: number
  /** Dictionaries, of objects and of streams. A file of 10 MiB has some ten thousand. */
  dictionaries: number
  /** Bytes covered by signatures, counted for each signature. */
  covered: number
  /** Signers whose signatures are verified: some algorithms take 5 ms. */
  signers: number
}

const MIB = 1024 * 1024

export const newAllowance = (): Allowance => ({
  streams: 20_000,
  unpacked: 128 * MIB,
  dictionaries: 250_000,
  covered: 160 * MIB,
  signers: 64
})
