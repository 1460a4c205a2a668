// What the console knows now. Parts say what they want to hear of.

const listeners = new Map();

export const current = {
  status: null, decisions: [], flags: [], held: [], clips: [], hushedUntil: null,

  on(names, act) {
    for (const name of names.split(" ")) listeners.set(name, [...(listeners.get(name) ?? []), act]);
  },

  set(name, value) {
    this[name] = value;
    for (const act of listeners.get(name) ?? []) act(value);
  },

  get session() {
    return this.status?.session?.id ?? "";
  },
};
