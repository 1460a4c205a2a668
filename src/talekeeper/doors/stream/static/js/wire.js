// The admin API. Answers are plain objects; whatever goes wrong is a Problem a person can read.

const ADMIN = "/admin";

export class Problem extends Error {
  constructor(code, message, hint = "", status = 0, detail = null) {
    super(message);
    Object.assign(this, { code, hint, status, detail });
  }
}

const SAID = {
  session_not_found: "That session is over.",
  stream_not_live: "The stream is not live, so nothing was sent.",
  send_failed: "The chat did not take it.",
  hushed: "It is hushed, so nothing was sent.",
  style_gate: "It would not sound like the companion.",
};

async function ask(method, path, body, kind) {
  let response;
  try {
    response = await fetch(ADMIN + path, { method, headers: kind ? { "Content-Type": kind } : {}, body });
  } catch {
    throw new Problem("offline", "The house does not answer.", "Your words are kept. Try again in a moment.");
  }
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw problemIn(response.status, answer);
}

function problemIn(status, answer) {
  if (answer?.error) return new Problem(answer.error.code, answer.error.message, answer.error.hint, status);
  const detail = answer?.detail;
  const reasons = reasonsIn(detail);
  const code = typeof detail === "string" ? detail : (detail?.code ?? detail?.error ?? (reasons.length ? "style_gate" : "http"));
  const said = SAID[code] ?? (typeof detail === "string" ? detail : `The house answered ${status}.`);
  return new Problem(code, said, answer?.hint || reasons.join(" "), status, detail);
}

/** Whatever a refusal lists, as sentences. */
export function reasonsIn(detail) {
  const list = Array.isArray(detail) ? detail : (detail?.reasons ?? detail?.faults ?? []);
  return list.map((one) => (typeof one === "string" ? one : `${(one.loc ?? []).at(-1) ?? ""}: ${one.msg ?? ""}`));
}

export const get = (path) => ask("GET", path);
export const post = (path, body = {}) => ask("POST", path, JSON.stringify(body), "application/json");
export const postForm = (path, fields) => ask("POST", path, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");
