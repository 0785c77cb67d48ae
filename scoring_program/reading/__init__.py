"""Reading: files and archives (`files`), whose they are (`layout`, `names`), rows (`formats`).

Nothing here needs more than the standard library, so that a participant's checker can carry it.
"""
