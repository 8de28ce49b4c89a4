import { expect, test } from "bun:test"
import { sized, someOf } from "../../support/scale.ts"

const zones = ["America/St_Johns", "UTC", "Europe/Berlin", "Pacific/Apia", "Asia/Kolkata", "America/Santiago"]

/** The results do not depend on the time zone of the process. */
test.each(someOf(zones, zones.length))(
  "with TZ=%s the engine gives the right slots",
  async (TZ) => {
    const child = Bun.spawn([process.execPath, "test", "--timeout=120000", "./properties.test.ts"], {
      // here no file tells it to build pages and to start a database first
      cwd: import.meta.dir,
      env: { ...process.env, TZ, SLOT_CASES: String(sized(100, 200)) },
      stdout: "ignore",
      stderr: "pipe"
    })
    const said = await new Response(child.stderr).text()
    expect({ exit: await child.exited, said: said.includes(" 0 fail") ? "" : said }).toEqual({ exit: 0, said: "" })
  },
  120_000
)
