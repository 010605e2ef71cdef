"""Reports on the rulebooks and on what the tests have shown of them."""
