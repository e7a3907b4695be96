"""Scripts for the people who keep the house."""
