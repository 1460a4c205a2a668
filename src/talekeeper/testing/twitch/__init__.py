"""A fake Twitch that speaks the real wire formats on local ports, and a transport that needs no wire at all."""
