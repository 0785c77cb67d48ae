"""Tables of scores that were made elsewhere: one for each unit and system."""
