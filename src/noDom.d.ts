/**
 * Replaces TypeScript's `lib.dom.d.ts` in the server's project (`libReplacement` in `tsconfig.json`): Preact's types reference
 * that library, with which the server could use browser globals without an error.
 */

/** The only DOM type that our dependencies' types use. */
type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer
