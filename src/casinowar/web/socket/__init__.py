"""The WebSocket: who is connected, who watches which table, and what each is sent."""
