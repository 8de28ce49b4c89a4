import { expect, test } from "bun:test"
import { failedFiles, resultsOf } from "../../script/checks/junit.ts"

test("passed, failed and skipped tests are distinguished, by file", () => {
  const results = resultsOf(`<testsuites><testsuite name="a">
    <testcase name="one" classname="" time="0.1" file="a.test.ts" />
    <testcase name="two &gt; &amp;lt;" classname="group" file="a.test.ts"></testcase>
    <testcase name="three" classname="" file="b.test.ts"><failure type="AssertionError" message="a &gt; b" /></testcase>
    <testcase name="four" classname="" file="b.test.ts"><skipped /></testcase>
  </testsuite></testsuites>`)
  expect(results).toEqual([
    { file: "a.test.ts", name: "one", passed: true },
    { file: "a.test.ts", name: "group > two > &lt;", passed: true },
    { file: "b.test.ts", name: "three", passed: false },
    { file: "b.test.ts", name: "four", passed: false }
  ])
  expect(failedFiles(results)).toEqual(["b.test.ts"])
})
