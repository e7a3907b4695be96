"""Old and foreign files, and the library of deployments and games on disk."""
