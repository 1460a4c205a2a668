// What is being written, kept in the browser until the house has it; its key makes sending it twice harmless.

const name = (world) => `talekeeper:draft:${world}`;

export function keptDraft(world) {
  try {
    return JSON.parse(localStorage.getItem(name(world))) ?? { text: "", key: "" };
  } catch {
    return { text: "", key: "" };
  }
}

export function keepDraft(world, text, key = "") {
  try {
    if (text) localStorage.setItem(name(world), JSON.stringify({ text, key }));
    else localStorage.removeItem(name(world));
  } catch {
    // No storage, no draft; playing goes on.
  }
}

export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
