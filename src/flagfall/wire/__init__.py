"""What crosses the border of a process: messages, bots, engines and the pool of workers."""
