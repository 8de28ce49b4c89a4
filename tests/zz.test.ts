import { test } from "bun:test"
import { ownServer } from "./support/server.ts"
import { makeWorld } from "./support/world.ts"
import { makeTenant } from "./http/matrix/tenant.ts"
const server = ownServer({ ROLE: "http" })
test("t", async () => {
  const timed = async (n: string, k: number, f: () => Promise<unknown>) => {
    for (let i = 0; i < 3; i++) await f()
    const c = process.cpuUsage(); const s = performance.now()
    for (let i = 0; i < k; i++) await f()
    const e = process.cpuUsage(c)
    console.log(n, "wall", ((performance.now() - s) / k).toFixed(1), "cpu", ((e.user + e.system) / 1e3 / k).toFixed(1))
  }
  await timed("world", 20, () => makeWorld(server.current))
  await timed("world", 100, () => makeWorld(server.current))
  await timed("world", 100, () => makeWorld(server.current))
  await timed("tenant", 30, () => makeTenant(server.current))
}, 100000)
