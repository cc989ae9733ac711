"""Behaviours, one file each: what a controller wants over time, reusable on any character that has what they name."""
