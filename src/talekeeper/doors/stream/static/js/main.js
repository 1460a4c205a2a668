// The console, put together: in by the key, then everything at once, then what happens as it happens.

import { setUpDrawers } from "../house/js/drawers.js";
import { watchReader } from "../house/js/follow.js";
import { setUpAside } from "./aside.js";
import { setUpBar } from "./bar.js";
import { addLine, addSpoken, flagLine, setUpChat, takeBack } from "./chat.js";
import { current } from "./current.js";
import { askChannel, askKey, sayTrouble } from "./door.js";
import { follow, unfollow } from "./feed.js";
import { setUpKeys } from "./keys.js";
import { setUpMind } from "./mind.js";
import { setUpVoice } from "./voice.js";
import { get } from "./wire.js";

const EVERY = 20_000;
const SOON = 500;
let open = "";
let looking = 0;

/** Opens the console, or looks again if it is open. */
async function enter() {
  try {
    const status = await get("/stream/status");
    if (open && open !== status.session.id) return location.reload();
    if (!open) {
      open = status.session.id;
      document.body.dataset.view = "table";
      setUpChat();
      setUpVoice();
      setUpMind();
      current.set("status", status);
      setUpAside();
      follow(heard, beginAnew, enter);
    }
    current.set("status", status);
    await look();
  } catch (problem) {
    if (!problem.code) throw problem;
    if (![401, 404].includes(problem.status)) return open ? null : sayTrouble(problem, enter);
    if (open) return location.reload();
    (problem.status === 401 ? askKey : askChannel)(enter);
  }
}

/** What only changes now and then. */
async function look() {
  const [{ decisions }, { flags }, { held }, { hushed_until: hushed }] = await Promise.all(["decisions", "flags", "held", "hush"].map((one) => get(`/companion/${one}`)));
  current.set("decisions", inTime(decisions));
  current.set("hushedUntil", hushed);
  current.set("held", held);
  current.set("flags", inTime(flags));
  for (const flag of flags) flagLine(flag.id, flag);
}

const inTime = (list) => [...list].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** The feed tells the chat from where it remembers: what was taken back while we were away is not among it. */
async function beginAnew() {
  setUpChat();
  const { actions } = await get("/companion/actions").catch(() => ({ actions: [] }));
  for (const one of actions) if (one.type === "response" && one.state !== "held") addSpoken({ ...one, delivery: one.state });
}

/** A flag may be about earlier lines too, a thought may have left a line to approve: the house knows in a moment. */
function lookSoon() {
  looking ||= setTimeout(() => {
    looking = 0;
    look().catch(() => null);
  }, SOON);
}

const HEARD = {
  line(line) {
    addLine(line);
    if (line.flag) lookSoon();
  },
  removed: takeBack,
  spoke: addSpoken,
  decision(decision) {
    current.set("decisions", [...current.decisions, decision]);
    lookSoon();
  },
  status: (status) => current.set("status", status),
};

const heard = (kind, what) => HEARD[kind](what);

setUpDrawers();
setUpBar();
setUpKeys();
watchReader();
enter();
setInterval(() => open && !document.hidden && enter(), EVERY);
addEventListener("pagehide", unfollow);
