"""What a client and the server of live tables say to each other."""
