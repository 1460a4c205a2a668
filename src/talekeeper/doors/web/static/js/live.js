// The live socket of a world. It comes back by itself, and goes on from the last frame it has seen.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const NO_SEAT = 1008;

export class Live {
  /** `message(object)` for all that comes; `line({is, at?})` when the connection changes: open, waiting, closed. */
  constructor(world, { message, line }) {
    this.path = `/api/v1/worlds/${encodeURIComponent(world)}/live`;
    this.message = message;
    this.line = line;
    this.seen = null;
    this.tries = 0;
    this.wake = () => document.hidden || this.now();
    addEventListener("online", this.wake);
    this.lost = () => this.letGo() && this.dropped();
    addEventListener("offline", this.lost);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = 0;
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    if (this.seen) {
      url.searchParams.set("turn", this.seen.turn);
      url.searchParams.set("attempt", this.seen.attempt);
      url.searchParams.set("from_seq", this.seen.seq + 1);
    }
    const socket = (this.socket = new WebSocket(url));
    socket.onmessage = ({ data }) => socket === this.socket && this.take(JSON.parse(data));
    socket.onclose = ({ code }) => socket === this.socket && this.dropped(code);
  }

  take(message) {
    if (message.type === "hello") {
      this.tries = 0;
      this.line({ is: "open" });
    }
    if (message.seq !== undefined) this.seen = message.type === "turn_ended" ? null : { turn: message.turn, attempt: message.attempt, seq: message.seq };
    if (message.type === "missed") this.seen = null;
    this.message(message);
  }

  dropped(code) {
    this.socket = null;
    if (code === NO_SEAT) return this.line({ is: "refused" });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries++) * (0.8 + Math.random() * 0.4);
    this.line({ is: "waiting", at: Date.now() + wait, tries: this.tries });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Try again without waiting any longer. */
  now() {
    if (this.timer) this.connect();
  }

  /** Watch this turn from its first frame, even if it ends before the socket is back. */
  expect(turn) {
    if (!this.seen && this.socket?.readyState !== WebSocket.OPEN) this.seen = { turn, attempt: 1, seq: -1 };
  }

  /** Without waiting for a goodbye that cannot come. */
  letGo() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    return socket;
  }

  close() {
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.lost);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.timer);
    this.letGo();
    this.line({ is: "closed" });
  }
}
