import type { ClientMessage, ServerMessage } from "../../schemas/Signal.ts"

const PING_MS = 4_000
/** Number of pings without any message in between after which the connection counts as dead. */
const UNANSWERED_PINGS_MAX = 2
const LONGEST_RETRY_MS = 3_000
/** Close code of the service for a rejected token: no retry. */
const REFUSED = 4401

/** Identifies one page, so that others can distinguish a new page from a reconnection. */
export const newSession = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("")

interface Listeners {
  readonly message: (message: ServerMessage) => void
  readonly link: (state: "connecting" | "online" | "offline") => void
  readonly refused: () => void
}

/**
 * The WebSocket to the service. It reconnects until it is closed, and detects a dead connection by unanswered pings, since a
 * browser may take minutes to report one. Pings are counted instead of timed, because timers of hidden pages run once a minute.
 */
export class Signalling {
  private socket: WebSocket | null = null
  private active = true
  private failures = 0
  private unanswered = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private readonly pingTimer: ReturnType<typeof setInterval>

  constructor(
    private readonly address: () => string,
    private readonly listeners: Listeners
  ) {
    this.connect()
    this.pingTimer = setInterval(() => this.ping(), PING_MS)
    addEventListener("online", this.reconnectNow)
  }

  /** Sends if connected. The sender repeats lost messages when the other side is reachable again. */
  send(message: ClientMessage) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  /** Closes without reconnecting. */
  close() {
    this.active = false
    clearInterval(this.pingTimer)
    clearTimeout(this.retry)
    removeEventListener("online", this.reconnectNow)
    this.socket?.close(1000)
  }

  private readonly reconnectNow = () => {
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
      if (socket === this.socket) this.onDisconnect(event.code)
    })
  }

  private onDisconnect(code: number) {
    if (!this.active) return
    if (code === REFUSED) {
      this.close()
      return this.listeners.refused()
    }
    this.listeners.link("offline")
    const wait = Math.min(LONGEST_RETRY_MS, 250 * 2 ** this.failures++)
    clearTimeout(this.retry)
    this.retry = setTimeout(() => this.connect(), wait)
  }

  private ping() {
    const { socket } = this
    if (socket === null || socket.readyState === WebSocket.CLOSED) return
    if (this.unanswered++ < UNANSWERED_PINGS_MAX) return this.send({ type: "ping" })
    this.socket = null
    socket.close()
    this.onDisconnect(1006)
  }
}
