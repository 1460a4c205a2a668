// The stock JavaScript client plays one turn and prints what it met. Started by test_socketio_npm.py.
import { io } from "socket.io-client";

const [url, world, transport] = process.argv.slice(2);
const frames = [];
const socket = io(url, { auth: { user_id: "ada" }, transports: [transport], reconnection: false });

socket.on("frame", (frame) => frames.push(frame));
socket.on("connect_error", (error) => { console.log(JSON.stringify({ refused: error.message })); process.exit(0); });
socket.on("connect", async () => {
  const refused = await socket.emitWithAck("storybeat", { world: "nowhere", text: "look" });
  const told = await socket.emitWithAck("storybeat", { world, text: "look around" });
  socket.on("turn", (turn) => {
    const shown = frames.filter((f) => f.type === "tag_close").map((f) => f.text).join(" ");
    console.log(JSON.stringify({ refused: refused.error.code, told, turn: turn.turn, seqs: frames.map((f) => f.seq), shown }));
    socket.close();
  });
});
