"""Reading: from the bytes of an upload to tables of texts.

`files` finds the files, also in archives. `layout` and `names` say which team sent each file.
`formats` turns bytes into rows. This package needs only the standard library, because the starting
kit's checker contains it.
"""
