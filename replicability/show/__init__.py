"""The only place that rounds and draws."""
