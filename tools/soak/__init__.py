"""Runs the program on random graphs with random options, and checks every answer with an independent oracle."""
