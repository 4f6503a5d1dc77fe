"""Random graphs and random options through the real program, every answer checked by an oracle of its own."""
