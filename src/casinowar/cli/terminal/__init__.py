"""What several commands share: the screen, output, files, settings and passwords."""
