import type { ClientMessage, ServerMessage } from "../../../../schemas/meetings/Signal.ts"

const PING_MS = 4_000
/** So many pings without any word in between, and the connection is dead. */
const PATIENCE_PINGS = 2
const LONGEST_WAIT_MS = 3_000
/** The server's word that a token opens nothing (any more): trying again is pointless. */
const REFUSED = 4401

/** Names one stay in the room, so that others tell a page that was opened anew from one that came back. */
export const newSession = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("")

interface Listeners {
  readonly message: (message: ServerMessage) => void
  readonly link: (state: "connecting" | "online" | "offline") => void
  readonly refused: () => void
}

/**
 * The wire to this person's seat. Comes back by itself for as long as it is wanted, and notices a dead connection by
 * unanswered pings, since a browser may take minutes to say so. Pings are counted, not timed: in a page that nobody
 * looks at, browsers let timers run once a minute.
 */
export class Signalling {
  private socket: WebSocket | null = null
  private wanted = true
  private failures = 0
  private unanswered = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private readonly beat: ReturnType<typeof setInterval>

  constructor(
    private readonly address: () => string,
    private readonly listeners: Listeners
  ) {
    this.connect()
    this.beat = setInterval(() => this.ping(), PING_MS)
    addEventListener("online", this.now)
  }

  /** Says it if there is a connection; whatever is lost is said again by those who need it. */
  send(message: ClientMessage) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  /** Ends for good. */
  close() {
    this.wanted = false
    clearInterval(this.beat)
    clearTimeout(this.retry)
    removeEventListener("online", this.now)
    this.socket?.close(1000)
  }

  private readonly now = () => {
    if (this.socket !== null && this.socket.readyState !== WebSocket.CLOSED) return
    clearTimeout(this.retry)
    this.connect()
  }

  private connect() {
    if (this.failures === 0) this.listeners.link("connecting")
    const socket = new WebSocket(this.address())
    this.socket = socket
    this.unanswered = 0
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return
      this.unanswered = 0
      const message: ServerMessage = JSON.parse(event.data)
      if (message.type === "welcome") {
        this.failures = 0
        this.listeners.link("online")
      }
      this.listeners.message(message)
    })
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lost(event.code)
    })
  }

  private lost(code: number) {
    if (!this.wanted) return
    if (code === REFUSED) {
      this.close()
      return this.listeners.refused()
    }
    this.listeners.link("offline")
    const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** this.failures++)
    clearTimeout(this.retry)
    this.retry = setTimeout(() => this.connect(), wait)
  }

  private ping() {
    const { socket } = this
    if (socket === null || socket.readyState === WebSocket.CLOSED) return
    if (this.unanswered++ < PATIENCE_PINGS) return this.send({ type: "ping" })
    this.socket = null
    socket.close()
    this.lost(1006)
  }
}
