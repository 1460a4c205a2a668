// What the page knows of the open world. Parts are replaced whole, and whoever shows a part is told.

class State extends EventTarget {
  world = null;
  turns = [];
  timelines = [];
  people = null; // null while they are being asked for
  seats = [];
  running = null;
  order = { mode: "free", current: "" };
  line = { is: "closed" };

  set(part, value) {
    this[part] = value;
    this.dispatchEvent(new Event(part));
  }

  on(parts, show) {
    for (const part of parts.split(" ")) this.addEventListener(part, () => show(this[part]));
  }

  clear() {
    for (const [part, empty] of [["world", null], ["turns", []], ["timelines", []], ["people", null], ["seats", []], ["running", null], ["order", { mode: "free", current: "" }]]) {
      this.set(part, empty);
    }
  }

  get lastTurn() {
    return this.turns.findLast((turn) => turn.turn) ?? null;
  }

  may(power) {
    const powers = { owner: "watch play run own", game_master: "watch play run", player: "watch play", spectator: "watch" };
    return (powers[this.world?.seat.role] ?? "").includes(power);
  }

  knows(entity) {
    return entity === this.world.player || entity === this.world.seat.actor || this.people?.some((person) => person.id === entity);
  }

  nameOf(entity) {
    if (!entity) return "";
    if (entity === this.world?.player) return this.world.player_name;
    if (entity === this.world?.seat.actor) return this.world.seat.actor_name;
    const found = this.people?.find((person) => person.id === entity);
    return found?.name ?? entity.replace(/^.*\//, "").replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
  }
}

export const state = new State();
