"""The numbers that documents name: a module for each document, named like its path."""
