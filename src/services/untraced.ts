import { Context, Option, type Tracer } from "effect"

const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex")

const STARTED = { startTime: 0n, _tag: "Started" } as const

/** The span of an unsampled request or job: keeps its route, and creates its ids lazily. */
class Untraced implements Tracer.Span {
  readonly _tag = "Span"
  readonly context = Context.empty()
  readonly status = STARTED
  readonly attributes = new Map<string, unknown>()
  readonly links = []
  readonly sampled = false
  readonly kind = "server"
  private trace: string | undefined
  private own: string | undefined

  constructor(
    readonly name: string,
    readonly parent: Option.Option<Tracer.AnySpan>
  ) {}

  get traceId() {
    this.trace ??= Option.match(this.parent, { onNone: () => hex(16), onSome: ({ traceId }) => traceId })
    return this.trace
  }
  get spanId() {
    this.own ??= hex(8)
    return this.own
  }
  attribute(key: string, value: unknown) {
    this.attributes.set(key, value)
  }
  event() {}
  end() {}
  addLinks() {}
}

export const untraced = (name: string, parent: Option.Option<Tracer.AnySpan>): Tracer.Span => new Untraced(name, parent)
