// A client of the game door on npm `ws`, run by tests/game/test_foreign_clients.py. Lines that begin with "TK " are for it.
"use strict";

const WebSocket = require("ws");

const [url, token] = process.argv.slice(2);
const failed = (why) => {
  console.log(`TK failed ${why}`);
  process.exit(1);
};
setTimeout(() => failed("it took too long"), 60_000).unref();

class Game {
  constructor(options = {}) {
    this.socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` }, ...options });
    this.inbox = [];
    this.waiting = [];
    this.parts = [];
    this.pongs = 0;
    this.closed = new Promise((resolve) => this.socket.on("close", (code) => resolve(code)));
    this.socket.on("pong", () => (this.pongs += 1));
    this.socket.on("error", () => {});
    this.socket.on("message", (data, isBinary) => {
      if (isBinary) failed("the server sent a binary frame");
      const message = JSON.parse(data.toString());
      if (message.type === "get_agent_state") this.answer(message);
      this.inbox.push(message);
      this.waiting = this.waiting.filter((check) => !check());
    });
  }

  opened() {
    return new Promise((resolve) => this.socket.on("open", resolve));
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  answer(asked) {
    this.send({
      type: "agent_state_snapshot",
      request_id: asked.request_id,
      agent_id: asked.agent_id,
      spec: { name: "Mara", knowledge: ["The north road is closed since the flood."] },
      prompt_parts: this.parts,
    });
  }

  say(text, event_id) {
    const event = { kind: "player_said", source: { id: "ana", name: "Ana" }, text };
    return { type: "interaction_event", event_id, agent_id: "mara", event };
  }

  until(check) {
    return new Promise((resolve) => {
      const found = () => {
        const message = this.inbox.find(check);
        if (message) resolve(message);
        return Boolean(message);
      };
      if (!found()) this.waiting.push(found);
    });
  }

  type(type) {
    return this.until((message) => message.type === type);
  }
}

async function main() {
  const game = new Game();
  await game.opened();
  game.socket.ping();
  game.send(game.say("What happened to the north road?", "e1"));
  await game.type("agent_turn_finished");
  const texts = game.inbox.filter((m) => m.type === "agent_tag_chunk").map((m) => m.text);
  const whole = game.inbox.filter((m) => m.type === "agent_tag_close").map((m) => m.text);
  if (texts.join("") !== whole.join("")) failed(`${texts.join("")} is not ${whole.join("")}`);
  if (!game.pongs) failed("no pong came");
  console.log("TK turn");

  // 900 KiB in one message, compressed by the extension the library offers by default.
  game.inbox = [];
  game.parts = [{ id: "lore", role: "system", text: "lore of the house ".repeat(50_000), priority: -1 }];
  game.send(game.say("Hello", "e2"));
  await game.type("agent_turn_finished");
  console.log("TK big");

  // One message in three fragments, with a ping between them.
  game.inbox = [];
  game.parts = [];
  const text = JSON.stringify(game.say("Hello again", "e3"));
  game.socket.send(text.slice(0, 10), { fin: false });
  game.socket.send(text.slice(10, 40), { fin: false });
  game.socket.ping();
  game.socket.send(text.slice(40), { fin: true });
  await game.type("agent_turn_finished");
  console.log("TK fragments");

  game.inbox = [];
  game.socket.send(Buffer.from("{}"), { binary: true });
  const refused = await game.type("error");
  if (refused.code !== "bad_json" || refused.fatal) failed(`binary: ${JSON.stringify(refused)}`);
  console.log("TK binary");

  // Cut short in mid-sentence.
  game.inbox = [];
  game.send(game.say("Tell me about the north road once more", "e4"));
  await game.type("agent_tag_chunk");
  game.send(game.say("Stop", "e5"));
  const cut = await game.type("agent_turn_interrupted");
  if (cut.by_event_id !== "e5") failed(`cut: ${JSON.stringify(cut)}`);
  await game.type("agent_turn_finished");
  console.log("TK cut");

  game.inbox = [];
  game.socket.send(JSON.stringify({ type: "ping", pad: "x".repeat(1 << 20) }));
  const large = await game.type("error");
  if (large.code !== "too_large" || !large.fatal) failed(`large: ${JSON.stringify(large)}`);
  const code = await game.closed;
  if (code !== 1009) failed(`closed with ${code}`);
  console.log("TK large");

  const stranger = new Game({ headers: { Authorization: "Bearer tkg_no_no" } });
  const away = await stranger.type("error");
  if (away.code !== "unauthorized") failed(`stranger: ${JSON.stringify(away)}`);
  if ((await stranger.closed) !== 4401) failed("the stranger was not sent away");
  console.log("TK stranger");

  // Fifty games at once, no compression.
  const games = Array.from({ length: 50 }, () => new Game({ perMessageDeflate: false }));
  await Promise.all(games.map((one) => one.opened()));
  games.forEach((one, n) => one.send({ ...one.say("Hello", `m${n}`), agent_id: `npc-${n}` }));
  await Promise.all(games.map((one) => one.type("agent_turn_finished")));
  games.forEach((one) => one.socket.terminate());
  console.log("TK fifty");
  process.exit(0);
}

main().catch((error) => failed(error.stack));
