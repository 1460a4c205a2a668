"""Chat transports: Twitch's EventSub with Helix, and IRC."""
