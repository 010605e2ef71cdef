"""The documentation of the API, made from the operations and the types of the wire."""
