/** Server-sent events that tell a workspace's pages to reload because something has changed. Rule 17.3.1. */

import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Schedule, Stream } from "effect"
import { Routes } from "../../../http/inRequest.ts"
import type { StaffMember } from "../../../schemas/access/StaffMember.ts"
import { TooManyRequests } from "../../../schemas/problems.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { Traffic } from "../../../services/operation/Traffic.ts"
import { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { searchOf } from "../../shared/http/query.ts"
import { presenceOf } from "../../shared/services/addedExtension.ts"
import { RecentChanges } from "../services/RecentChanges.ts"
import { at, Console, workspacePaths } from "./serving/Console.tsx"
import { Sessions, type Workspace, workspaces } from "./serving/session.ts"

const TICK = "500 millis"
/** Ticks between keep-alive comments, which detect a broken connection; the session is checked again at each. */
const KEEP_ALIVE_TICKS = 20
/** Ticks after which an operator's page reloads: it shows states, which have no events. */
const STATE_TICKS = 10

/** Largest clock skew between two replicas: another one may have rendered the page. */
const SKEW_MS = 2_000

/** Streams of one person, each of which polls every tick. */
const STREAMS_MAX = 32
const RETRY_AFTER_SECONDS = 60

const ownersOf = ({ organisation_uid, pharmacy_uid }: StaffMember) =>
  [organisation_uid, pharmacy_uid].filter((owner) => owner !== null)

export const LiveHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { signedIn, inWorkspace } = yield* Console
    const changes = yield* RecentChanges
    const extensions = yield* Extensions
    const sessions = yield* Sessions
    const { state } = yield* Traffic

    const streams = new Map<string, number>()
    const count = (person: string, change: 1 | -1) =>
      Effect.sync(() => {
        const open = (streams.get(person) ?? 0) + change
        if (open === 0) streams.delete(person)
        else streams.set(person, open)
      })

    const live = (workspace: Workspace) =>
      signedIn(
        inWorkspace(workspace, (staff) =>
          Effect.gen(function* () {
            const person = `${staff.actor.kind}:${staff.actor.uid}`
            if ((streams.get(person) ?? 0) >= STREAMS_MAX)
              return yield* new TooManyRequests({ retry_after_seconds: RETRY_AFTER_SECONDS })
            const request = yield* HttpServerRequest.HttpServerRequest
            const owners = ownersOf(staff)
            const now = yield* Clock.currentTimeMillis
            // When the page was rendered: it does not show later changes
            const since = Number(new URLSearchParams(yield* searchOf).get("since")) || now
            const isSignedIn = Effect.map(sessions.current, Option.isSome).pipe(
              Effect.provideService(HttpServerRequest.HttpServerRequest, request),
              Effect.provideService(CurrentTenant, yield* CurrentTenant)
            )
            const presence = yield* presenceOf(extensions)
            const counted = Effect.acquireRelease(count(person, 1), () => count(person, -1))
            const messages = Stream.unwrapScoped(
              Effect.map(Effect.zipRight(counted, changes.watch), (noticedAt) => {
                let ticks = 0
                const changedAt = () =>
                  Math.max(...owners.map(noticedAt), workspace === "doctor" ? presence.changedAt() : 0)
                let before = Math.min(since, now) - SKEW_MS
                const tick = Effect.gen(function* () {
                  ticks += 1
                  if (state.phase !== "open") return Option.none<string>()
                  if (ticks % KEEP_ALIVE_TICKS === 0 && !(yield* isSignedIn)) return Option.none<string>()
                  const last = changedAt()
                  const isChanged = last > before || (workspace === "operator" && ticks % STATE_TICKS === 0)
                  before = Math.max(before, last)
                  if (isChanged) return Option.some("event: changed\ndata:\n\n")
                  return Option.some(ticks % KEEP_ALIVE_TICKS === 0 ? ": beat\n\n" : "")
                })
                const ticking = Stream.repeatEffectWithSchedule(tick, Schedule.spaced(TICK)).pipe(
                  Stream.takeWhile(Option.isSome),
                  Stream.map(({ value }) => value),
                  Stream.filter((text) => text !== "")
                )
                return Stream.concat(Stream.make(": open\n\n"), ticking)
              })
            )
            return HttpServerResponse.stream(Stream.encodeText(messages), {
              contentType: "text/event-stream",
              headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
            })
          })
        )
      )

    for (const workspace of workspaces) yield* router.get(at(`${workspacePaths[workspace]}/live`), live(workspace))
  })
)
