import { expect, test } from "bun:test"
import { countOf } from "../../script/checks/junit.ts"

test("passed, failed and skipped tests are told apart", () => {
  const report = `<testsuites><testsuite name="a">
    <testcase name="one" time="0.1" />
    <testcase name="two" file="a > b"></testcase>
    <testcase name="three"><failure type="AssertionError" /></testcase>
    <testcase name="four"><skipped /></testcase>
  </testsuite></testsuites>`
  expect(countOf(report)).toEqual({ passed: 2, failed: 2 })
})
