"""What only the organizer may see: what to look at again before the winners are announced.

Everything here may hold gold labels and single predictions. No step of a scoring run imports it,
and no bundle packs it.
"""
