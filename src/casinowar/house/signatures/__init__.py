"""What takes two people at a live table: asked for, signed, refused or lapsed."""
