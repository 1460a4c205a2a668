// Twurple talks with the fake Twitch: Helix, and EventSub over WebSocket. Prints what it met, a line each.
import { ApiClient } from "@twurple/api";
import { StaticAuthProvider } from "@twurple/auth";
import { EventSubWsListener } from "@twurple/eventsub-ws";

const [helix, auth, url, clientId, token, channel, bot] = process.argv.slice(2);
const tell = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));
const plain = globalThis.fetch;
globalThis.fetch = (where, how) =>
  plain(String(where).replace("https://api.twitch.tv/helix/", helix).replace("https://id.twitch.tv/oauth2/", auth), how);

const api = new ApiClient({ authProvider: new StaticAuthProvider(clientId, token) });
const streamer = await api.users.getUserByName(channel);
const self = await api.users.getUserByName(bot);
const stream = await api.streams.getStreamByUserName(channel);
tell("known", { id: streamer.id, display: streamer.displayName, title: stream?.title ?? null, viewers: stream?.viewers ?? null });

const listener = new EventSubWsListener({ apiClient: api, url });
let ready = 0;
listener.onSubscriptionCreateSuccess(() => { if (++ready === 6) tell("ready"); });
listener.onSubscriptionCreateFailure((subscription, error) => tell("failed", { id: subscription.id, error: String(error) }));
listener.onRevoke((subscription, status) => tell("revoked", { status }));
listener.onChannelChatMessage(streamer.id, self.id, (said) =>
  tell("said", { name: said.chatterName, display: said.chatterDisplayName, text: said.messageText, id: said.messageId, reply: said.parentMessageId, badges: said.badges, source: said.sourceBroadcasterName }));
listener.onChannelChatMessageDelete(streamer.id, self.id, (gone) => tell("deleted", { id: gone.messageId, name: gone.userName }));
listener.onChannelChatClear(streamer.id, self.id, () => tell("cleared"));
listener.onStreamOnline(streamer.id, (live) => tell("live", { since: live.startDate.getTime(), type: live.type }));
listener.onStreamOffline(streamer.id, () => tell("offline"));
listener.onChannelUpdate(streamer.id, (update) => tell("titled", { title: update.streamTitle, game: update.categoryName }));
listener.start();

process.stdin.on("data", async (typed) => {
  const [verb, text] = String(typed).trim().split("|");
  try {
    if (verb === "say") {
      const sent = await api.asUser(self.id, (own) => own.chat.sendChatMessage(streamer.id, text));
      tell("sent", { id: sent.id, isSent: sent.isSent });
    } else if (verb === "mark") {
      const marker = await api.streams.createStreamMarker(streamer.id, text);
      tell("marked", { note: marker.description, at: marker.positionInSeconds });
    } else process.exit(0);
  } catch (error) { tell("refused", { code: error.code ?? null, error: String(error) }); }
});
