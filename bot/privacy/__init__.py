"""Privacy duties: what is kept about somebody is handed out, and erased, as a whole."""
