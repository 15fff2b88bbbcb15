"""Files in, checked objects out."""
