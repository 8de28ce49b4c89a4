const MIB = 1024 * 1024

/** Maximum over all PDFs of one request, and processor time of one in nanoseconds, as measured with the most expensive files found. */
const LIMITS = {
  /** Bytes of the files. */
  bytes: { max: 50 * MIB, nanoseconds: 3 },
  /** Keywords around which a PDF is read: `obj`, `stream`, and `/ByteRange`, which counts as four. A file of 10 MiB has some ten thousand. */
  keywords: { max: 1_000_000, nanoseconds: 300 },
  /** Compressed streams. */
  streams: { max: 20_000, nanoseconds: 20_000 },
  /** Positions that look like a compressed stream but decompress to nothing: real files have few, and each is tried several times. */
  falseStreams: { max: 20_000, nanoseconds: 40_000 },
  /** Compressed bytes. Some are read more than once. */
  packed: { max: 256 * MIB, nanoseconds: 4 },
  /** Bytes after decompression. A scanned page in colour, at 600 dots per inch, is 100 MiB. */
  unpacked: { max: 128 * MIB, nanoseconds: 3 },
  /** Dictionaries, of objects and of streams. A file of 10 MiB has some ten thousand. */
  dictionaries: { max: 250_000, nanoseconds: 2_000 },
  /** Bytes of plain objects that are parsed. They overlap only in a hostile file, so honest ones have at most the body's 50 MiB. */
  parsed: { max: 64 * MIB, nanoseconds: 7 },
  /** Names that only begin like one that is searched: `/JSmith`. A real file has a few. */
  falseNames: { max: 100_000, nanoseconds: 100 },
  /** Bytes that signatures hash: once for each algorithm, and twice for a signer without signed attributes, which real files lack. */
  hashed: { max: 160 * MIB, nanoseconds: 2.5 },
  /** Characters of signatures' values, which are hexadecimal and may have white space and padding; a real value has some 60,000. */
  values: { max: 16 * MIB, nanoseconds: 16 },
  /** Elements of signatures' values that are parsed: the signer's certificate and its entry have some 200. */
  elements: { max: 15_000, nanoseconds: 30_000 },
  /** Signers whose signatures are verified; most with Brainpool's longest curve. */
  signers: { max: 64, nanoseconds: 7_000_000 }
}
type Limited = keyof typeof LIMITS

/**
 * What the examination of a request's PDFs may still use: of each limit, and of the processor time that all of them share, in
 * nanoseconds. Estimated by counting, so that the same file is always accepted, or always refused.
 */
export type Allowance = Record<Limited | "time", number>

/** A scanned page of 100 MiB takes 450 ms, twenty prescriptions with two signatures of health professional cards each 590 ms. */
const TIME = 700_000_000

export const newAllowance = (): Allowance => ({
  time: TIME,
  bytes: LIMITS.bytes.max,
  keywords: LIMITS.keywords.max,
  streams: LIMITS.streams.max,
  falseStreams: LIMITS.falseStreams.max,
  packed: LIMITS.packed.max,
  unpacked: LIMITS.unpacked.max,
  dictionaries: LIMITS.dictionaries.max,
  parsed: LIMITS.parsed.max,
  falseNames: LIMITS.falseNames.max,
  hashed: LIMITS.hashed.max,
  values: LIMITS.values.max,
  elements: LIMITS.elements.max,
  signers: LIMITS.signers.max
})

/** Takes so many of one limit, and their time. False if there is too little left of either. */
export const take = (left: Allowance, what: Limited, count: number): boolean => {
  left[what] -= count
  left.time -= count * LIMITS[what].nanoseconds
  return left[what] >= 0 && left.time >= 0
}
