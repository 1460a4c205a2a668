// Who is at this browser: nobody needs to be on a single-user install, somebody must where there are accounts.

let asked = null;

/** {mode, signed_in, name, admin, guest, registration, csrf} */
export const me = () => (asked ??= fetch("/api/v1/auth/me").then((response) => (response.ok ? response.json() : { mode: "single", csrf: "" })).catch(() => {
  asked = null;
  return { mode: "single", csrf: "" };
}));

/** After logging in, out, or taking a seat. */
export const forgetMe = () => (asked = null);
