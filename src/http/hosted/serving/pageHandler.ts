import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect } from "effect"
import type { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { TooManyRequests } from "../../../schemas/problems.ts"
import {
  isDatabaseFailing,
  isOverload,
  isReferenceGone,
  isTransient,
  isUnstorableText
} from "../../../services/database/SqlErrors.ts"
import type { PageHost } from "../../../services/hosted/PageHosts.ts"
import { FileStoreFailed } from "../../../services/prescriptions/FileStore.ts"
import { KeyServiceFailed } from "../../../services/sealing/KeyWrapping.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { ensureAdmitted, refuseCredential } from "../../admission/Admission.ts"
import { inClass } from "../../admission/costClasses.ts"
import { BodyTooLarge, WrongContentType } from "../../admission/GuardedRequest.ts"
import { statusOf } from "../../problems.ts"
import { failedPage, type LinkKind, notFoundPage, tooManyPage } from "./noticeContent.tsx"
import type { PageContent, Respond } from "./Respond.tsx"
import { readVisit, type Visit, withNotice } from "./visit.ts"

/** What a page answers. */
export type Handled<E> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  E,
  HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext | CurrentTenant
>

/**
 * Runs a page's handler and renders errors as pages. 404 is the page about `kind` and shows the practice's name if the code is still known. Other errors
 * are logged and shown without detail: 503 for transient ones, otherwise 500. After a form each of them is a redirect to the
 * page of the form, so that neither Back nor a reload sends it again. Rule 5.5.11.
 */
export const pageHandler =
  (
    respond: Respond,
    kind: LinkKind | ((visit: Visit) => PageContent),
    hostOf: (code: string) => Effect.Effect<PageHost, PageNotFound, CurrentTenant>
  ) =>
  <E>(handle: (visit: Visit) => Handled<E>) => {
    const unknown = (visit: Visit) => (typeof kind === "string" ? notFoundPage(visit, kind) : kind(visit))
    return Effect.flatMap(readVisit, (visit) =>
      Effect.catchAllCause(Effect.zipRight(ensureAdmitted, inClass("ordinary")(handle(visit))), (cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        const error = Cause.squash(cause)
        const tooMany = ({ retry_after_seconds }: TooManyRequests) =>
          withRetryAfter(
            visit.posted
              ? seeOther(withNotice(visit.self, "busy"))
              : respond.page(visit, null, tooManyPage(visit, retry_after_seconds)),
            retry_after_seconds
          )
        if (error instanceof TooManyRequests) return Effect.succeed(tooMany(error))
        if (statusOf(error) === 404)
          return refuseCredential.pipe(
            Effect.zipRight(Effect.orElseSucceed(hostOf(visit.code), () => null)),
            Effect.match({
              onFailure: tooMany,
              onSuccess: (host) => (visit.posted ? seeOther(visit.self) : respond.page(visit, host, unknown(visit)))
            })
          )
        if (isUnstorableText(error))
          return Effect.succeed(visit.posted ? seeOther(visit.self) : respond.page(visit, null, unknown(visit)))
        if (error instanceof BodyTooLarge || error instanceof WrongContentType) return Effect.failCause(cause)
        const isTemporary =
          isOverload(error) ||
          isTransient(error) ||
          isDatabaseFailing(error) ||
          isReferenceGone(error) ||
          statusOf(error) === 503 ||
          error instanceof KeyServiceFailed ||
          error instanceof FileStoreFailed
        return Effect.as(
          Effect.logError("a hosted page failed", cause),
          visit.posted
            ? seeOther(withNotice(visit.self, "failed"))
            : isTemporary
              ? withRetryAfter(respond.page(visit, null, failedPage(visit, 503)), RETRY_AFTER_SECONDS)
              : respond.page(visit, null, failedPage(visit, 500))
        )
      })
    )
  }

const RETRY_AFTER_SECONDS = 2

const withRetryAfter = (page: HttpServerResponse.HttpServerResponse, seconds: number) =>
  HttpServerResponse.setHeader(page, "retry-after", String(seconds))

/** Redirect after POST, so that a reload does not repeat the form. */
export const seeOther = (location: string) =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" }
  })

/** From the service's own address to the pages' prefix. */
export const redirectToPages = (prefix: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => seeOther(`${prefix}${url}`))
