/**
 * Stands in for TypeScript's `lib.dom.d.ts` in the server's project (`libReplacement` in `tsconfig.json`): Preact's types
 * ask for that library, and with it the server could use a browser's globals without an error.
 */

/** Of the DOM's types the one that packages of ours name in their own. */
type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer
