// The house's HTTP API. Answers are plain objects; whatever goes wrong is a Problem a person can read.

import { me } from "./session.js";

const ROOT = "/api/v1";

export class Problem extends Error {
  constructor({ code, message, hint = "", request = "" }, status = 0) {
    super(message);
    Object.assign(this, { code, hint, request, status });
  }
}

export async function ask(method, path, body, headers = {}) {
  const plain = body === undefined || body instanceof Blob;
  const { csrf } = method === "GET" ? { csrf: "" } : await me();
  let response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers: { ...(plain ? {} : { "Content-Type": "application/json" }), ...(csrf ? { "X-CSRF-Token": csrf } : {}), ...headers },
      body: plain ? body : JSON.stringify(body),
    });
  } catch {
    throw new Problem({ code: "offline", message: "The house does not answer.", hint: "Your words are kept. Try again in a moment." });
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  throw Object.assign(new Problem(await problemIn(response), response.status), { wait: Number(response.headers.get("Retry-After")) || 0 });
}

async function problemIn(response) {
  try {
    return (await response.json()).error;
  } catch {
    return { code: "http", message: `The house answered ${response.status}.`, hint: "Try again in a moment." };
  }
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** The address of something in a world, its parts made safe. */
export const at = (world, ...parts) => ["/worlds", world, ...parts].map((part, i) => (i ? part.split("/").map(encodeURIComponent).join("/") : part)).join("/");

export const root = ROOT;
