// Times as the operator's clock has them.

/** Milliseconds, from seconds or from an ISO string; 0 for nothing. */
export const moment = (at) => (!at ? 0 : typeof at === "number" ? at * 1000 : Date.parse(at) || 0);

export const clockOf = (at) => new Date(moment(at)).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });

/** "in 4 min", "in 30 s", "now" */
export function until(at, now = Date.now()) {
  const seconds = Math.ceil((moment(at) - now) / 1000);
  if (seconds <= 0) return "now";
  return seconds < 60 ? `in ${seconds} s` : `in ${length(Math.ceil(seconds / 60) * 60)}`;
}

export function length(seconds) {
  const minutes = Math.floor((seconds ?? 0) / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
