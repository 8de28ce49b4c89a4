/** Limits on examining all PDFs of one request together; decremented during the examination. */
export interface Allowance {
  /** Compressed streams. */
  streams: number
  /** Bytes after decompression. A scanned page in colour, at 600 dots per inch, is 100 MiB. */
  unpacked: number
  /** Dictionaries, of objects and of streams. A file of 10 MiB has some ten thousand. */
  dictionaries: number
  /** Bytes of plain objects that are parsed. They overlap only in a hostile file, so honest ones have at most the body's 50 MiB. */
  parsed: number
  /** Names that only begin like one that is searched: `/JSmith`. A real file has a few. */
  falseNames: number
  /** Bytes that signatures hash: once for each algorithm, and twice for a signer without signed attributes, which real files lack. */
  hashed: number
  /** Characters of signatures' values, which are hexadecimal and may have white space and padding; a real value has some 60,000. */
  values: number
  /** Elements of signatures' values that are parsed, 30 µs each: the signer's certificate and its entry have some 200. */
  elements: number
  /** Signers whose signatures are verified: some algorithms take 5 ms. */
  signers: number
}

const MIB = 1024 * 1024

export const newAllowance = (): Allowance => ({
  streams: 20_000,
  unpacked: 128 * MIB,
  dictionaries: 250_000,
  parsed: 64 * MIB,
  falseNames: 100_000,
  hashed: 160 * MIB,
  values: 16 * MIB,
  elements: 15_000,
  signers: 64
})
