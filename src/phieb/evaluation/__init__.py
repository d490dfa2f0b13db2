"""A trained agent: frozen, scored over many episodes, filmed."""
