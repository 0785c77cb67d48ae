"""What ``scoring.yaml`` may say, and how it is read."""
