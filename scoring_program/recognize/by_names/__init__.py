"""What columns mean where a documented format, or a usual name, says it: data of other kinds.

Files of rows whose cells decide are read by the rule for rows beside this folder. Here names come
first. They say what golds of texts, tags, spans, label sets, rankings and samples hold, what their
submissions do, and what probably happened to a file that the rule for rows refused.
"""
