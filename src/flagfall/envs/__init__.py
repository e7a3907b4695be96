"""The learning front: views as named planes, and games as environments."""
