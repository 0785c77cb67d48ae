"""The settings: what ``scoring.yaml`` and the command line may say, and how they are read."""
