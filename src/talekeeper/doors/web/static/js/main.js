// The page, put together.

import { setUpBar } from "./bar.js";
import { setUpComposer } from "./composer.js";
import { setUpConnection } from "./connection.js";
import { setUpDrawers } from "./drawers.js";
import { setUpDrop } from "./drop.js";
import { watchReader } from "./follow.js";
import { setUpKeys } from "./keys.js";
import { showTurns } from "./prose.js";
import { setUpRouter, show } from "./router.js";
import { setUpSide } from "./side.js";
import { state } from "./state.js";
import { setUpTimeline } from "./timeline.js";

setUpRouter();
setUpBar();
setUpDrawers();
setUpComposer();
setUpConnection();
setUpTimeline();
setUpSide();
setUpKeys();
setUpDrop();
watchReader();
state.on("turns", (turns) => state.world && showTurns(turns));
show();
