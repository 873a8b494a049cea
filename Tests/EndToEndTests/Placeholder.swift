// Replaced by its author.
