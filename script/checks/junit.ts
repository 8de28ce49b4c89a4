/**
 * What a JUnit report of `bun test` counts. Whatever did not pass has failed: a test that was skipped or left to do, too.
 */
export const countOf = (report: string): { readonly passed: number; readonly failed: number } => {
  const cases = [...report.matchAll(/<testcase\b[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)]
  const failed = cases.filter(([, inside]) => inside !== undefined && /<(failure|error|skipped)\b/.test(inside)).length
  return { passed: cases.length - failed, failed }
}
