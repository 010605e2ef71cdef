"""The scripted server of the testing kit, under the name by which tests know it."""

from casinowar.testing.scripted_server import Script, ScriptedServer, live_view, say, scripted

__all__ = ["Script", "ScriptedServer", "live_view", "say", "scripted"]
