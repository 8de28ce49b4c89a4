/**
 * Imported first, so that it runs before all other modules: most code of a start runs once, and compiling it would cost a
 * quarter of the start's processor time and 20 MiB. `setJITPolicy(1)` ends it (docs/performance.md).
 */
Bun.unsafe.setJITPolicy(100)
