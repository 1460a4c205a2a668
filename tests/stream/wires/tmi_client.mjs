// tmi.js talks with the fake Twitch over WebSocket and prints what it met, a line each. Started by test_foreign.py.
import tmi from "tmi.js";

const [port, channel, username, password] = process.argv.slice(2);
const tell = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));
const client = new tmi.Client({
  options: { skipUpdatingEmotesets: true },
  connection: { server: "127.0.0.1", port: Number(port), secure: false, reconnect: true, reconnectInterval: 1000 },
  identity: { username, password }, channels: [channel],
});
client.on("message", (where, tags, text, own) =>
  tell(tags["message-type"], { where, text, own, name: tags.username, display: tags["display-name"], mod: tags.mod, id: tags.id, badges: tags.badges ?? null }));
client.on("notice", (where, id, text) => tell("notice", { where, id, text }));
client.on("messagedeleted", (where, name, text, tags) => tell("deleted", { name, text, id: tags["target-msg-id"] }));
client.on("timeout", (where, name, _reason, seconds) => tell("timeout", { name, seconds }));
client.on("clearchat", (where) => tell("cleared", { where }));
client.on("join", (where, name, own) => own && tell("joined", { where, name }));
client.on("reconnect", () => tell("reconnecting"));
process.stdin.on("data", (typed) => client.say(channel, String(typed).trim()).catch((error) => tell("refused", { error: String(error) })));
client.connect().catch((error) => { tell("failed", { error: String(error) }); process.exit(0); });
