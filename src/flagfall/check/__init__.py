"""What proves the house: cases, counts, benchmarks and paired worlds."""
