// The console, put together: in by the key, then everything at once, then what happens as it happens.

import { watchReader } from "../house/js/follow.js";
import { setUpDrawers } from "../house/js/drawers.js";
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
let open = false;

async function enter() {
  try {
    const status = await get("/stream/status");
    if (open) return refresh(status);
    open = true;
    document.body.dataset.view = "table";
    setUpChat();
    setUpVoice();
    setUpMind();
    await refresh(status);
    setUpAside();
    follow(heard, enter);
  } catch (problem) {
    if (!problem.code) throw problem;
    if (![401, 404].includes(problem.status)) return open ? null : sayTrouble(problem, enter);
    unfollow();
    open = false;
    (problem.status === 401 ? askKey : askChannel)(enter);
  }
}

async function refresh(status) {
  current.set("status", status);
  const [{ decisions }, { flags }, { held }] = await Promise.all([get("/companion/decisions"), get("/companion/flags"), get("/companion/held")]);
  current.set("decisions", inTime(decisions));
  current.set("flags", inTime(flags));
  current.set("held", held);
}

const inTime = (list) => [...list].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

const HEARD = {
  line(line) {
    addLine(line);
    if (line.flag) flagged({ id: line.id, at: line.at, name: line.name, text: line.text, ...line.flag });
  },
  flag(flag) {
    flagLine(flag.message ?? flag.id, flag);
    flagged(flag);
  },
  removed: takeBack,
  spoke: addSpoken,
  decision: (decision) => current.set("decisions", [...current.decisions, decision]),
  status: (status) => current.set("status", status),
  held: async () => current.set("held", (await get("/companion/held")).held),
  clip: () => null,
};

const heard = (kind, what) => HEARD[kind](what);

function flagged(flag) {
  if (!current.flags.some((one) => one.id === flag.id)) current.set("flags", [...current.flags, flag]);
}

setUpDrawers();
setUpBar();
setUpKeys();
watchReader();
enter();
setInterval(() => open && !document.hidden && get("/stream/status").then((status) => current.set("status", status), () => null), EVERY);
