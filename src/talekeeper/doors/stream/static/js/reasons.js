// Why it spoke or kept silent, in words.

const REASONS = {
  active_chat: "People are talking.",
  inactive_chat: "The chat has been quiet for long.",
  not_live: "The stream is not live.",
  cooldown: "It spoke not long ago.",
  hushed: "It was told to be silent.",
  contemplative: "This silence is a thoughtful one.",
  momentum: "The talk carries itself.",
  streamer_talking: "The streamer is talking.",
  drift: "The talk has drifted from the theme.",
  question: "A question was left unanswered.",
  newcomers: "Somebody new sits in a long silence.",
  streamer_silent: "The streamer has been silent for long.",
  not_connected: "There is no connection to the chat.",
  not_delivered: "Its last line did not arrive; it waits a while.",
  "said by the operator": "Said by the operator.",
  hearthkeeper_error: "It found nothing fit to say.",
};

export const reasonOf = (decision) => REASONS[decision?.reason] ?? String(decision?.reason ?? "").replaceAll("_", " ");

export const verdict = (decision) => (decision?.speak ? "Would speak" : "Keeps silent");
