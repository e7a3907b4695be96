"""The machine player: choosing a deployment, believing, valuing, searching."""
