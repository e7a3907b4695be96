"""A slow referee written straight from the clauses of RULES.md, to check the compiled law against; never shipped."""
