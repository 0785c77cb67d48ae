"""What an organizer sends and shows on the day of the announcement, from results.json alone.

Every sentence is made anew from the record, and none says what the page does not say.
"""
