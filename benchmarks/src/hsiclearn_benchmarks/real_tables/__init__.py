"""Real tables through the command, and what must be true of every fit of one."""
