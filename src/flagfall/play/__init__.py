"""One table: two players, a referee, clocks and the record they leave."""
